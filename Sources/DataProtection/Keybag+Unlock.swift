// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

extension Keybag {
    /// Unlocks with the passcode: one KDF, through the attempt limiter.
    ///
    /// - Parameter duration: locks by itself after this time, counted on the boot clock; nil: until locked.
    public func unlock(
        passcode: borrowing SecretBytes, for duration: Duration? = nil
    ) throws(DataProtectionError) { throw DataProtectionError(.notAvailable, "not built yet") }

    /// Destroys the keys that are usable while unlocked only, for every process. Refused without a passcode.
    public func lock() throws(DataProtectionError) { throw DataProtectionError(.notAvailable, "not built yet") }

    /// As before the first unlock: destroys the first-unlock group too.
    public func lockCompletely() throws(DataProtectionError) {
        throw DataProtectionError(.notAvailable, "not built yet")
    }
}
