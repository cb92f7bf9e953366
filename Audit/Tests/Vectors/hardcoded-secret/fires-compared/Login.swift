import UIKit

class Login: UIViewController {
    @IBOutlet var passwordField: UITextField!

    @IBAction func enter() {
        guard let pass = passwordField.text else { return }
        if pass == "Adm1n!23" { dismiss(animated: true) }  // finds
        if pass == "failed" { dismiss(animated: false) }
    }
}
