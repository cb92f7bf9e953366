// SPDX-License-Identifier: Apache-2.0

import UIKit

final class PasteController: UIViewController {
    @IBOutlet var passwordField: UITextField!

    func pasteTapped() { passwordField.text = UIPasteboard.general.string }

    override func viewDidDisappear(_ animated: Bool) { passwordField.text = nil }
}
