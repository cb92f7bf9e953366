// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TPMs

/// The locations of a home's keybag and of what opens it.
struct KeybagLocation: Sendable {
    let folder: HomeFolder
    let epoch: Epoch
    let deviceSecret: DeviceSecretFile
    /// The owner of the home: empty for a root home, otherwise root home and user (Keybag.md, "Keys").
    var owner: [UInt8] = []
    /// The root home's folder, for the home of a user.
    var root: HomeFolder?
    /// Whether a home is created if there is none.
    var makesHome = true
    /// Whether an earlier state that was put back is opened, so that the user can accept it.
    var toleratesRollback = false
    /// For tests of everything but the KDF.
    let allowsInsecureKDF: Bool
    /// The environment's variables.
    let environment: @Sendable (String) -> String?

    /// A keybag whose HMAC verified, and the roots of its epoch.
    struct Opened: ~Copyable {
        let file: KeybagFile
        let roots: KeyRoots
        /// Whether its keys are under a former device secret.
        var isBehind = false
    }

    /// Reads and verifies, without the lock. A concurrent change by another process can look like
    /// damage, see `readSettled`.
    func read() throws -> Opened {
        // Reported here, where it is known whose files these are.
        do { return try readFile() } catch KeybagFault.foreign {
            throw DataProtectionError(
                .damaged,
                "\(folder.path)/\(KeybagFile.fileName) is damaged, or the device secret \(deviceSecret.place) or the epoch \(epoch.place) is that of another home, or the home that of another user; nothing was changed",
                cause: KeybagFault.foreign)
        } catch let fault as KeybagFault {
            throw DataProtectionError(fault, about: folder.path)
        }
    }

    private func readFile() throws -> Opened {
        guard let bytes = try folder.read(KeybagFile.fileName, limit: KeybagFile.sizeLimit) else {
            throw try whyMissing()
        }
        let file = try KeybagFile(parsing: bytes, allowingInsecureKDF: allowsInsecureKDF)
        let present = try deviceSecret.read()
        do {
            return try opened(file, bytes, present.number, present.secret, isBehind: false)
        } catch let fault as KeybagFault {
            for number in try deviceSecret.formerNumbers() {
                let former = try deviceSecret.read(number)
                if let opened = try? opened(file, bytes, number, former, isBehind: true) { return opened }
            }
            if let first = try epoch.read(file.epochSlot)?.generation, file.generation < first { throw older }
            throw fault
        }
    }

    /// Verifies a keybag under one of the device secrets.
    private func opened(
        _ parsed: KeybagFile, _ bytes: [UInt8], _ number: UInt32, _ secret: borrowing SecretBytes, isBehind: Bool
    ) throws -> Opened {
        try ClearedScope.run {
            var file = parsed
            file.deviceSecretNumber = number
            let roots = try roots(file, secret)
            let key = try roots.authenticationKey()
            try KeybagFile.authenticate(bytes, file, under: key)
            try file.nameSlots(under: key)
            return Opened(file: file, roots: roots, isBehind: isBehind)
        }
    }

    /// The roots of the epoch that `file` names.
    func roots(_ file: KeybagFile) throws -> KeyRoots {
        try roots(file, try deviceSecret.read(file.deviceSecretNumber))
    }

    private func roots(_ file: KeybagFile, _ secret: borrowing SecretBytes) throws -> KeyRoots {
        guard let epoch = try epoch.read(file.epochSlot) else { throw try whyEmpty(file.epochSlot) }
        return try KeyRoots(
            deviceSecret: secret, epoch: epoch.secret, keybag: file.keybagIdentifier, owner: owner)
    }

    /// Reads without the lock, and once more with it before reporting any damage.
    func readSettled() throws -> Opened {
        if let opened = try? read() { return opened }
        return try locked { try read() }
    }

    /// Like `readSettled`, but without waiting for the lock. If another process takes longer than a moment over a
    /// change, this reports the file as it is now.
    func readWithoutWaiting() throws -> Opened {
        for _ in 0..<10 {
            if let opened = try? read() { return opened }
            ThisProcess.pause(milliseconds: 10)
        }
        return try read()
    }

    /// Removes from the TPM the counters that were noted and that no file names, and discards an unfinished note. The
    /// caller holds the lock.
    func settleCounters() {
        let note = CounterNote(folder: folder)
        note.discard()
        guard (try? note.exists()) == true, let named = try? namedCounters() else { return }
        note.settle(named: named, over: deviceSecret.way)
    }

    private func namedCounters() throws -> [TPMCounter] {
        let ofPasscode = try read().file.passcodeBinding?.limit?.counter
        let ofHome = owner.isEmpty ? try deviceSecret.record()?.counter : nil
        return [ofPasscode, ofHome].compactMap(\.self)
    }

    /// The owner of the home in the freshness record.
    var ownIdentifier: UniqueIdentifier {
        UniqueIdentifier(bytes: owner.suffix(16)) ?? UniqueIdentifier(high: 0, low: 0)
    }

    /// Checks freshness before anything is changed in a root home that has a counter in a TPM. The
    /// caller has read the keybag.
    func checkFreshness() throws {
        guard owner.isEmpty, !toleratesRollback else { return }
        try Freshness(self)?.checkCounter()
    }

    /// Runs `body` exclusively, among all threads and processes that work on this keybag. The lock's file may be
    /// removed as a stale one. So this also locks the epoch, which stays where it is.
    func locked<R: ~Copyable>(_ body: () throws -> R) throws -> R {
        try folder.withLock(KeybagFile.lockName) { try epoch.withLock(body) }
    }

    /// Like `locked`, but returns nil immediately if another thread or process holds the lock.
    func tryLocked<R>(_ body: () throws -> R) throws -> R? {
        try folder.tryLock(KeybagFile.lockName) { try epoch.tryLock(body) } ?? nil
    }

    func whyMissing() throws -> DataProtectionError {
        if try epoch.exists() {
            if try epoch.isEmpty(.first) && epoch.isEmpty(.second) { return Self.erased(folder.path) }
            return DataProtectionError(
                .damaged, "\(folder.path)/\(KeybagFile.fileName) is missing; put it back from a backup of this home"
            )
        }
        return Self.erased(folder.path)
    }

    private func whyEmpty(_ slot: EpochSlot) throws -> DataProtectionError {
        try epoch.isEmpty(slot.other) ? Self.eraseInterrupted(folder.path) : older
    }

    private var older: DataProtectionError {
        DataProtectionError(
            .restoredCopy,
            "\(folder.path)/\(KeybagFile.fileName) and \(epoch.place) don't belong together: one is of an earlier state, or another home's; put the present one back, or restore the whole home"
        )
    }

    static func erased(_ path: String) -> DataProtectionError {
        DataProtectionError(.erased, "the home \(path) was erased; what it held is unreadable for good")
    }

    static func eraseInterrupted(_ path: String) -> DataProtectionError {
        DataProtectionError(
            .erased,
            "the home \(path) was being erased and is unreadable for good; run zamok erase to finish, and start again"
        )
    }
}

extension KeybagLocation {
    /// The place of a root home.
    init(root folder: HomeFolder, _ deviceSecret: DeviceSecretFile, _ configuration: Home.Configuration) {
        self.init(
            folder: folder, epoch: Epoch(folder: folder, name: Epoch.fileName), deviceSecret: deviceSecret,
            allowsInsecureKDF: configuration.usesInsecureKDF, environment: configuration.environment)
        toleratesRollback = configuration.toleratesRollback
    }
}
