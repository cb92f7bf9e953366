// SPDX-License-Identifier: Apache-2.0

import Files
import Readers
import Sealing
package import SecretMemory
package import TPMs

/// Where a device secret can be stored.
package enum DeviceSecretTarget: Sendable {
    /// Into the file itself.
    case file
    /// In the TPM that the environment names, or else the one that has the secret now, or else the usual one.
    case tpm(SealedToTPM.Measurements)
}

/// Replacing the file. Each step is durable before the next, and the caller holds the lock of the root home.
extension DeviceSecretFile {
    /// The device secret's number for a keybag that is written now.
    func presentNumber() throws -> UInt32 { try record()?.number ?? 0 }

    /// Draws a new secret that replaces the current one, which stays as a former one for the keybags that need it. The
    /// replaced file stays beside the new one until `destroyReplaced`. If the file system can't exchange two names, it
    /// is overwritten at once.
    func replace(by target: DeviceSecretTarget) throws {
        // Homes that share the file would lose the secret: none knows of the others' keybags.
        if case .path = location {
            throw DataProtectionError(
                .notAvailable,
                "the device secret \(path) lies where ZAMOK_DEVICE_SECRET says, where other homes may use it, and isn't moved; if no other does, copy it into the home as device-secret, start without ZAMOK_DEVICE_SECRET, and try again"
            )
        }
        let old = try read()
        let record = try record()
        let formers = record?.formers ?? []
        guard formers.count < DeviceSecretRecord.mostFormers else {
            throw DataProtectionError(
                .notAvailable,
                "the device secret was moved \(formers.count) times, and users have not followed yet; zamok status names them: unlock once as each of them"
            )
        }
        let secret = try SecretBytes.random(count: SealedToTPM.secretSize)
        guard old.number < UInt32.max else { throw SealingError.malformed }
        let number = old.number + 1
        var kept = [try FormerSecret(old.secret, number: old.number, under: secret)]
        for former in formers {
            kept.append(
                try FormerSecret(try former.secret(under: old.secret), number: former.number, under: secret))
        }
        let recovery = try record?.recovery.map { try RecoverySeal(secret, to: $0.publicKey, $0.state) }
        if let former = try placedCounter() { try note([former]) }
        let form: DeviceSecretRecord.Target
        var counter: TPMCounter?
        switch target {
        case .file: form = .plain
        case .tpm(let measurements):
            try RecoverySeal.requireTypedBack(recovery)
            let way = try tpm() ?? way ?? .usual
            do {
                let sealed = try way.seal(secret, measurements)
                counter = try makeCounter(secret, of: sealed.identity, over: way, at: Freshness.clock.withLock { $0 }())
                form = .tpm(way, sealed)
            } catch let error as TPMError {
                throw DataProtectionError(error, way, hasSecret: record?.isInTPM == true)
            }
        }
        try put(
            try DeviceSecretRecord.encode(
                secret, number: number, in: form, counter: counter, recovery: recovery, formers: kept), secret)
    }

    /// The counter of the current file, and where it is; nil: there is none.
    func placedCounter() throws -> LocatedCounter? {
        guard let record = try record(), case .tpm(let named, let sealed) = record.form, let counter = record.counter
        else { return nil }
        return LocatedCounter(counter, of: sealed.identity, over: way ?? named)
    }

    private func note(_ counters: [LocatedCounter]) throws {
        guard case .home(let folder) = location else { return }
        try CounterNote(folder: folder).add(counters)
    }

    /// Makes a counter for the home of this device secret, with a record that is still empty. The counter is in effect
    /// once a file names it; until then it is noted. Nil: the TPM has no room.
    private func makeCounter(
        _ secret: borrowing SecretBytes, of identity: TPMIdentity, over way: TPMAddress, at time: Int64
    ) throws -> TPMCounter? {
        guard case .home(let folder) = location else { return nil }
        let made = LocatedCounter(try .random(), of: identity, over: way)
        try note([made])
        guard let value = try made.make(secret) else { return nil }
        try FreshnessFile(folder: folder, counter: made.counter)
            .write(FreshnessRecord(number: value, time: time), secret)
        return made.counter
    }

    /// Makes a new counter in place of one that is lost, or if there was no room before. Leaves none if there is no
    /// room now. The caller holds the lock of the root home.
    func renewCounter(at time: Int64) throws {
        guard let record = try record(), case .tpm(let named, let sealed) = record.form else { return }
        let way = way ?? named
        let secret = try secret(of: record)
        if let former = record.counter { try note([LocatedCounter(former, of: sealed.identity, over: way)]) }
        let counter: TPMCounter?
        do { counter = try makeCounter(secret, of: sealed.identity, over: way, at: time) } catch let error as TPMError {
            throw DataProtectionError(error, way)
        }
        guard counter != record.counter else { return }
        try rewrite(record, secret, counter: .become(counter), recovery: record.recovery, formers: record.formers)
    }

    /// What becomes of the counter that the file names.
    enum CounterChange {
        case stay
        /// Another counter; nil: none.
        case become(TPMCounter?)
    }

    /// Writes the same secret with another recovery seal, fewer former secrets, or another counter. Destroys the
    /// replaced file.
    func rewrite(
        _ record: DeviceSecretRecord?, _ secret: borrowing SecretBytes, counter change: CounterChange = .stay,
        recovery: RecoverySeal?, formers: [FormerSecret]
    ) throws {
        let form: DeviceSecretRecord.Target =
            if case .tpm(let way, let sealed) = record?.form { .tpm(way, sealed) } else { .plain }
        let counter = if case .become(let other) = change { other } else { record?.counter }
        let file = try DeviceSecretRecord.encode(
            secret, number: record?.number ?? 0, in: form, counter: counter, recovery: recovery, formers: formers)
        try put(file, secret)
        try destroyReplaced()
    }

    /// Puts a whole file in place, in one step, after reading it back. For that a TPM is asked on a new connection.
    /// If it doesn't read back, it stays beside the current file until `destroyReplaced`, which the next start calls.
    private func put(_ file: borrowing SecretBytes, _ secret: borrowing SecretBytes) throws {
        guard let (folder, name) = try folderToMakeIn() else {
            throw DataProtectionError(
                .notAvailable,
                "the device secret \(path) is a credential of the service manager, which alone can replace it")
        }
        try destroyReplaced()
        if let present = try folder.openFile(name, .read) { try checkHasOneName(present) }
        let copy = try file.part(0..<file.count) ?? { throw SealingError.malformed }()
        try folder.prepare(name) { try $0.write(copy) }
        guard
            let written = try folder.openFile(name + HomeFolder.temporarySuffix, .read)?.readSecret(count: file.count),
            let record = try DeviceSecretRecord(written, path), try self.secret(of: record).isEqual(to: secret)
        else {
            throw DataProtectionError(.io, "\(path).new did not read back as it was written; nothing was changed")
        }
        let old = try folder.openFile(name, .change)
        let isExchanged: Bool
        do {
            isExchanged = try folder.files.exchange(folder.at(name + HomeFolder.temporarySuffix), folder.at(name))
        } catch {
            // The current file stays unchanged; no unused secret is left beside it.
            try? destroyReplaced()
            throw error
        }
        guard !isExchanged else { return try folder.sync() }
        try folder.commit(name, replacing: true)
        if let old { try overwrite(old) }
    }

    /// Whether a replaced file, or an unfinished one, is beside the current one.
    func hasReplaced() throws -> Bool {
        guard case .home(let folder) = location else { return false }
        return try folder.exists(Self.fileName + HomeFolder.temporarySuffix)
    }

    /// Overwrites and removes the replaced or unfinished file. Beside a file that the user put somewhere, only one
    /// that Zamok wrote.
    func destroyReplaced() throws {
        guard let (folder, name) = try folderToMakeIn(),
            let file = try folder.openFile(name + HomeFolder.temporarySuffix, .change)
        else { return }
        if case .path = location, try !Self.isOurs(file) {
            throw DataProtectionError(
                .notAvailable,
                "\(path).new is no file of Zamok, and a new device secret would be written there first; move it away; nothing was changed"
            )
        }
        try overwrite(file)
        try folder.remove(name + HomeFolder.temporarySuffix)
        try folder.sync()
    }

    /// Whether the file begins like a device secret, or is one whose writing or overwriting was interrupted.
    private static func isOurs(_ file: OpenFile) throws -> Bool {
        let start = try file.read(count: 8)
        return start.allSatisfy { $0 == 0 } || DeviceSecretFormat.magic.starts(with: start)
            || DeviceSecretRecord.magic.starts(with: start)
    }

    /// Throws if the file has a second name, a hard link, which shares its contents. Overwriting would destroy a file
    /// that is kept under that name. Without overwriting, the secret would survive there.
    private func checkHasOneName(_ file: OpenFile) throws {
        guard try file.status().links > 1 else { return }
        let name = file.path.description
        let (word, copy) = (file.path.shellWord, "\(name).copy".shellWord)
        throw DataProtectionError(
            .notAvailable,
            "\(name) has another name (a hard link), and would be overwritten there, too; make it a file of its own: cp -p \(word) \(copy) && mv \(copy) \(word); nothing was overwritten"
        )
    }

    private func overwrite(_ file: OpenFile) throws {
        // Counts the links now: the name from before the rename is gone.
        try checkHasOneName(file)
        try file.write([UInt8](repeating: 0, count: min(try file.status().size, DeviceSecretRecord.sizeLimit)))
        try file.sync()
    }
}

extension Home {
    /// Moves the device secret: draws a new one, and moves the root home's keybag to it. Users' keybags follow at their
    /// next unlock. One KDF if a passcode is set.
    package func moveDeviceSecret(
        to target: DeviceSecretTarget, passcode: Secret?
    ) throws(DataProtectionError) {
        try checkIsRoot()
        do {
            try keybag.moveDeviceSecret(to: target, passcode: passcode)
        } catch {
            throw DataProtectionError(error, about: folder)
        }
        keybag.settleRetiredKeys()
    }

    func checkIsRoot() throws(DataProtectionError) {
        guard root == nil else {
            throw DataProtectionError(
                .invalidArgument, "users share the device secret of the root home; leave --user out")
        }
    }
}
