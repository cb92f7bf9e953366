// SPDX-License-Identifier: Apache-2.0

import UIKit

class FormController: UIViewController {
    override func viewDidDisappear(_ animated: Bool) { super.viewDidDisappear(animated) }
}

final class LoginController: FormController {
    @IBOutlet var nameField: UITextField!
    @IBOutlet var passwordField: UITextField!  // finds

    @IBAction func signIn() {
        if passwordField.text == "x" {
            show(UIViewController(), sender: nil)
        } else {
            passwordField.text = ""
        }
    }
}
