// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

extension Keybag {
    /// Sets the first passcode and draws new class keys; the home stays unlocked.
    public func setPasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        throw DataProtectionError(.notAvailable, "not built yet")
    }

    /// Changes the passcode. Touches no data; with `rotatingKeys` new class keys are drawn too.
    public func changePasscode(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, rotatingKeys: Bool = false
    ) throws(DataProtectionError) { throw DataProtectionError(.notAvailable, "not built yet") }

    /// Removes the passcode: items of class whenPasscodeSet are lost, all others readable without it from now on.
    public func removePasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        throw DataProtectionError(.notAvailable, "not built yet")
    }
}
