// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// The remedy where an unlock can't outlive its process.
enum KeyringHint {
    static let words = "give keys to a program with: zamok run --passcode-file FILE -- PROGRAM"

    /// The suffix of messages about a locked home, where an unlock would not help.
    static var behindLocked: String {
        guard let home = ChosenHome.lastOpened, case .processInsteadOfKernelKeyring = try? home.status().holder else {
            return ""
        }
        return "; the kernel keyring can't be used here: \(words)"
    }
}
