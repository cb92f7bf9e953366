import Foundation

final class AuthService {
    func open(_ email: String, _ pass: String) {
        NSLog("opens with %@ / %@", email, pass)  // finds
    }

    func received(_ response: Response) {
        print(response)  // finds
        guard let json = response.value as? [String: Any], let token = json["token"] as? String else { return }
        keep(token)
    }

    private func keep(_ token: String) {}
}

final class Gate {
    func decide(_ pass: Bool, _ count: Int) { print(pass, count) }

    func lift(_ pass: String, in region: String) { print(pass, region) }
}
