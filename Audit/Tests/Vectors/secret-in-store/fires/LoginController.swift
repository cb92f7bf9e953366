// SPDX-License-Identifier: Apache-2.0

import UIKit

final class LoginController: UIViewController {
    @IBOutlet var passwordField: UITextField!

    func keep() {
        guard let typed = passwordField.text else { return }
        let entry = NSMutableDictionary()
        entry.setValue(typed, forKey: "entry")
        entry.write(toFile: "entry.plist", atomically: true)  // finds
        remember(typed)
    }

    private func remember(_ value: String) {
        UserDefaults.standard.set(value, forKey: "entry")  // finds
    }
}
