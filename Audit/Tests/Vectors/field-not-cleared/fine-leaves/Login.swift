// SPDX-License-Identifier: Apache-2.0

import UIKit

final class LoginController: UIViewController {
    @IBOutlet var passwordField: UITextField!

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        emptyFields()
    }

    private func emptyFields() { passwordField.text = nil }
}
