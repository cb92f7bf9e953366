import UIKit

class LoginController: UIViewController {
    @IBOutlet var passwordTextEdit: UITextField!  // finds

    @objc func textFieldDidChange(_ textField: UITextField) {
        textField.clearErrorSign()
        passwordTextEdit.resetBorder()
    }
}
