// SPDX-License-Identifier: Apache-2.0

import UIKit

final class Copier {
    func copyToClipboard(_ value: String) { UIPasteboard.general.string = value }
}

final class AboutController: UIViewController {
    let copier = Copier()
    let passwordField = UITextField()
    let version = "1.2"

    func copyTapped() { copier.copyToClipboard(version) }
}
