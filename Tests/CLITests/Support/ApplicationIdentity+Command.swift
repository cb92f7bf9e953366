// SPDX-License-Identifier: Apache-2.0

import DataProtection

extension ApplicationIdentity {
    /// Who the command `zamok` is to a keychain.
    static let ofCommand = ApplicationIdentity(
        applicationIdentifier: "zamok", accessGroups: ["zamok"], seesAllGroups: true)
}
