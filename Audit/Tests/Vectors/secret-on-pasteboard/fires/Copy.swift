// SPDX-License-Identifier: Apache-2.0

import UIKit

final class Copier {
    func copyToClipboard(_ value: String) {
        UIPasteboard.general.string = value  // finds
    }
}

final class EntryController: UIViewController {
    let copier = Copier()
    @IBOutlet var passwordField: UITextField!

    func copyTapped() {
        copier.copyToClipboard(passwordField.text ?? "")
    }
}
