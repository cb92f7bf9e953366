// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// The set of wrapped class keys of one home (Documentation/Formats/Keybag.md) and the door to them.
///
/// A final Sendable class; every call may be made from any thread. `wrap`, `unwrap` and `metadataKey` fetch what they
/// need from the holder on each call, so that a lock by any process binds from the next call on.
public final class Keybag: Sendable {
    init() {}

    /// Whether class keys are there now. No KDF.
    public var lockState: LockState { .unlocked }

    /// Whether a passcode is set.
    public var hasPasscode: Bool { get throws(DataProtectionError) { false } }

    /// Unlocks with the passcode: one KDF, through the attempt limiter.
    ///
    /// - Parameter duration: locks by itself after this time, counted on the boot clock; nil: until locked.
    public func unlock(
        passcode: borrowing SecretBytes, for duration: Duration? = nil
    ) throws(DataProtectionError) { throw DataProtectionError(.notAvailable, "not built yet") }

    /// Destroys the keys that are usable while unlocked only, for every process. Refused without a passcode.
    public func lock() throws(DataProtectionError) { throw DataProtectionError(.notAvailable, "not built yet") }

    /// As before the first unlock: destroys the first-unlock group too.
    public func lockCompletely() throws(DataProtectionError) { throw DataProtectionError(.notAvailable, "not built yet") }

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

    // MARK: For stores

    /// Identifies the home; kept for its life.
    package var homeIdentifier: [UInt8] { [] }

    /// Raised by every change of the keybag. Read from the mapped page, no system call.
    package var generation: UInt64 { 0 }

    /// Wraps a store's key under the current key of a class.
    /// Errors: `.locked`, `.noPasscode` (whenPasscodeSet without a passcode), `.damaged`, `.forked`.
    package func wrap(_ key: borrowing SecretBytes, for keyClass: KeyClass) throws(DataProtectionError) -> WrappedKey {
        throw DataProtectionError(.notAvailable, "not built yet")
    }

    /// Errors: `.locked`, `.keyDestroyed` (id unknown), `.damaged` (does not open), `.forked`.
    package func unwrap(_ wrapped: WrappedKey) throws(DataProtectionError) -> SecretBytes {
        throw DataProtectionError(.notAvailable, "not built yet")
    }

    /// The metadata key of a domain, for deriving blind indexes and row keys. Errors: `.locked` before first unlock.
    package func withMetadataKey<R: ~Copyable>(
        _ domain: MetadataDomain, _ body: (borrowing SecretBytes) throws -> R
    ) throws -> R { throw DataProtectionError(.notAvailable, "not built yet") }

    /// Whether a wrapped key should be wrapped anew (its class key is retired).
    package func isRetired(_ id: ClassKeyID) -> Bool { false }
}
