import UIKit

/// A secret behind one that is only possible.
final class Login {
    func report(token: String, password: String) {
        print(token, password)  // finds
        print("\(token) \(password)")  // finds
        NSLog("%@", token + password)  // finds
    }
}
