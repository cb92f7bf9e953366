// SPDX-License-Identifier: Apache-2.0

extension Keybag {
    /// Whether the home is unlocked for every process of the user, and not for this one alone. Errors: as `unwrap`.
    package var isUnlockedForAll: Bool {
        get throws(DataProtectionError) {
            try door { try holder.sharedRoles(try view().file).contains(.complete) }
        }
    }

    /// Whether class keys are there now. No KDF. Where that can't be found out (a damaged keybag, a child after fork) the
    /// answer is `.beforeFirstUnlock`: nothing can be used.
    public var lockState: LockState {
        guard let view = try? view() else { return .beforeFirstUnlock }
        guard view.file.hasPasscode else { return .unlocked }
        if (try? group(.complete, view)) != nil { return .unlocked }
        return (try? group(.firstUnlock, view)) != nil ? .locked : .beforeFirstUnlock
    }

    /// Whether a passcode is set. Errors: `.damaged`, `.erased`, `.restoredCopy`, `.missingDeviceSecret`, `.forked`, `.io`.
    public var hasPasscode: Bool {
        get throws(DataProtectionError) { try door { try view().file.hasPasscode } }
    }

    /// False in a child after fork, and after the home was erased.
    package var isUsable: Bool {
        do {
            _ = try view()
            return true
        } catch let error as DataProtectionError {
            return error.code != .forked && error.code != .erased
        } catch {
            return true
        }
    }
}
