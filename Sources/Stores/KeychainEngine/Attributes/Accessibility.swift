// SPDX-License-Identifier: Apache-2.0

package import DataProtection

/// When an item's secret is readable; the raw value is Apple's code.
public enum Accessibility: String, Hashable, Sendable, CaseIterable {
    case whenUnlocked = "ak"
    case afterFirstUnlock = "ck"
    case always = "dk"
    case whenUnlockedThisDeviceOnly = "aku"
    case afterFirstUnlockThisDeviceOnly = "cku"
    case alwaysThisDeviceOnly = "dku"
    case whenPasscodeSetThisDeviceOnly = "akpu"

    /// The class whose key wraps the item's row key.
    package var keyClass: KeyClass {
        switch self {
        case .whenUnlocked: KeyClass(.complete)
        case .afterFirstUnlock: KeyClass(.completeUntilFirstUserAuthentication)
        case .always: KeyClass(.none)
        case .whenUnlockedThisDeviceOnly: KeyClass(.complete, thisDeviceOnly: true)
        case .afterFirstUnlockThisDeviceOnly: KeyClass(.completeUntilFirstUserAuthentication, thisDeviceOnly: true)
        case .alwaysThisDeviceOnly: KeyClass(.none, thisDeviceOnly: true)
        case .whenPasscodeSetThisDeviceOnly: KeyClass(.whenPasscodeSet)
        }
    }
}
