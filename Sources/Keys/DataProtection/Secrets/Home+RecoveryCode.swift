// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

extension Home {
    /// Makes a new recovery code. `show` shows it to the user once, before it counts: if it can't be shown,
    /// nothing changes. An earlier code still opens an earlier copy of the file, which has the same secret, until
    /// the next move.
    ///
    /// `passcode`: of this home, if it is bound to the TPM, so that the new code replaces the TPM for it too. Nil: the
    /// new code does so after the next unlock.
    ///
    /// Errors: `.wrongPasscode` and those of the TPM; `.notAvailable`: a passcode is still bound with the code from
    /// before the current one. The current one then still counts.
    package func makeRecoveryCode(
        passcode: Secret? = nil, show: (RecoveryCode) throws -> Void = { _ in }
    ) throws(DataProtectionError) -> RecoveryCode {
        try checkIsRoot()
        do {
            let code = try RecoveryCode.random()
            func change() throws {
                try checkFollowed(exceptRoot: passcode != nil)
                try changeRecovery { secret, _ in
                    try show(code)
                    return try RecoverySeal(secret, to: code)
                }
            }
            if let passcode {
                try keybag.changeRecovery(passcode, change)
            } else {
                try openFolder.withLock(KeybagFile.lockName) { try change() }
            }
            return code
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// Throws if a passcode is still bound with a code before the current one. After a second newer code the user would
    /// not keep that one.
    private func checkFollowed(exceptRoot: Bool) throws {
        guard let present = try keybag.place.deviceSecret.record()?.recovery else { return }
        let behind = try DeviceSecretFollowers(root: openFolder, keybag.place).boundByOthers(than: present.publicKey)
            .filter { !exceptRoot || $0 != .root }
        guard !behind.isEmpty else { return }
        throw DataProtectionError(
            .notAvailable,
            "bound passcodes (\(behind.count)) have not followed the recovery code of now yet, and open without the TPM by the code from before alone: keep that one; zamok status names them; unlock once as each of them, then make a new code; nothing was changed"
        )
    }

    /// Records that the user has the recovery code. Errors: `.wrongPasscode`, `.notAvailable` (there is none).
    package func confirmRecoveryCode(_ code: RecoveryCode) throws(DataProtectionError) {
        try checkIsRoot()
        do {
            try openFolder.withLock(KeybagFile.lockName) {
                try changeRecovery { secret, present in
                    guard let present else { throw RecoverySeal.none }
                    guard try present.isSealed(to: code) else { throw RecoverySeal.wrongCode }
                    return try RecoverySeal(secret, to: present.publicKey, .typedBack)
                }
            }
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// The caller holds the lock.
    private func changeRecovery(_ change: (borrowing SecretBytes, RecoverySeal?) throws -> RecoverySeal) throws {
        let file = keybag.place.deviceSecret
        let record = try file.record()
        let present = try file.read()
        try file.rewrite(
            record, present.secret, recovery: try change(present.secret, record?.recovery),
            formers: record?.formers ?? [])
    }

    /// Opens the device secret of the home that `configuration` names with its recovery code, without the TPM, for this
    /// process. `codes`: that code, and the earlier one if a passcode is still bound with it. Errors: `.wrongPasscode`,
    /// `.notAvailable` (it has no recovery code), and those of opening.
    package static func recover(_ configuration: Configuration, _ codes: [RecoveryCode]) throws(DataProtectionError) {
        let location = HomeLocation(configuration)
        do {
            let path = try configuration.folder ?? location.homePath()
            let file = try location.deviceSecret(try HomeFolder(at: path, in: location.files))
            guard let record = try file.record(), let recovery = record.recovery else { throw RecoverySeal.none }
            guard let code = try codes.first(where: { try recovery.isSealed(to: $0) }) else {
                throw RecoverySeal.wrongCode
            }
            let secret = try record.verified(try recovery.open(code), file.path)
            try TPMSecrets.keep(secret, of: record.bytes)
            TPMSecrets.recoveryCodes = codes
        } catch {
            throw DataProtectionError(error, about: configuration.folder ?? "")
        }
    }
}
