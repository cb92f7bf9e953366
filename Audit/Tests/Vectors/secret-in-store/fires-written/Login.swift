// SPDX-License-Identifier: Apache-2.0

import UIKit

final class LoginController: UIViewController {
    @IBOutlet private weak var passwordField: UITextField!

    @IBAction func enter() {
        Settings.shared.held = passwordField.text?.trimmed ?? ""
    }
}
