// SPDX-License-Identifier: Apache-2.0

import DataProtection

extension ApplicationIdentity {
    /// The identity of the command `zamok` for a keychain.
    static let ofCommand = ApplicationIdentity(
        applicationIdentifier: "zamok", accessGroups: ["zamok"], seesAllGroups: true)
}
