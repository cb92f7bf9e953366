// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The class of one file isn't the other's.
func export(_ password: String, to url: URL, beside other: URL) throws {
    try Data().write(to: other, options: .completeFileProtection)
    try Data(password.utf8).write(to: url)  // finds
}
