// SPDX-License-Identifier: Apache-2.0

import UIKit

class FormController: UIViewController {
    @IBOutlet var passwordField: UITextField!

    override func viewDidDisappear(_ animated: Bool) { passwordField.text = "" }
}

final class LoginController: FormController {
    @IBAction func signIn() { print("signs in") }
}
