import UIKit

final class Form: UIViewController {
    @IBOutlet var passwordField: UITextField!

    func prepare() {
        passwordField.accessibilityIdentifier = "password-field-1953"
        passwordField.placeholder = "ev8848@1953"
        passwordField.text = ""
        let passwordHint = "first pet, 8848"
        print(passwordHint)
    }
}
