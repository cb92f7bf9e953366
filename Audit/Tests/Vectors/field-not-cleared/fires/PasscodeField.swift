// SPDX-License-Identifier: Apache-2.0

import UIKit

final class PasscodeField: UIView {
    private let shadow = UITextField()
    private(set) var current: String = ""

    func changed() { current = shadow.text ?? "" }

    func reset() {  // finds
        shadow.text = ""
    }
}
