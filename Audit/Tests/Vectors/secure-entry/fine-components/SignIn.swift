import SwiftUI
import UIKit

struct InputField: View {
    let title: String
    @Binding var text: String
    var isSecure = false

    var body: some View {
        if isSecure { SecureField(title, text: $text) } else { TextField(title, text: $text) }
    }
}

struct SignIn: View {
    @State private var entered = ""

    var body: some View { InputField(title: "Password", text: $entered, isSecure: true) }
}

class Unlock: UIViewController {
    override func viewDidLoad() {
        let first = UITextField()
        first.placeholder = "Passcode"
        first.isSecureTextEntry = true
        let passwordField = UITextField()
        passwordField.placeholder = "Name of the account"
        let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
        alert.addTextField()
        alert.textFields?.first?.placeholder = "Password"
        alert.textFields?.first?.isSecureTextEntry = true
        present(alert, animated: true)
    }
}
