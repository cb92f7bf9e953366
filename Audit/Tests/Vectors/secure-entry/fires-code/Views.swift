import SwiftUI
import UIKit

struct LoginView: View {
    @State private var password = ""
    @State private var name = ""

    var body: some View {
        Form {
            TextField("Name", text: $name)
            TextField("login.second", text: $password)  // finds
        }
    }
}

final class Prompt: UIViewController {
    func ask() {
        let alert = UIAlertController(title: "Unlock", message: nil, preferredStyle: .alert)
        alert.addTextField { field in  // finds
            field.placeholder = "Passcode"
        }
        present(alert, animated: true)
    }
}
