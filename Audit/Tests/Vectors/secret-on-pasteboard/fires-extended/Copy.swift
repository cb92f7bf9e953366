// SPDX-License-Identifier: Apache-2.0

import UIKit

/// What others declare stays what it is.
extension String: @retroactive Error {}

struct OtpView {
    let code: String

    func copyTapped() {
        UIPasteboard.general.string = code  // finds
    }
}
