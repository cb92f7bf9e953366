// SPDX-License-Identifier: Apache-2.0

/// Whether class keys are there.
public enum LockState: String, Sendable {
    /// Not unlocked since the machine (or, without a kernel keyring, this process) started.
    case beforeFirstUnlock
    /// All classes are usable. A home without a passcode is always unlocked.
    case unlocked
    /// Unlocked before, locked now: `completeUntilFirstUserAuthentication` and `none` are usable.
    case locked
}
