// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

extension KeybagLocation {
    /// Creates what a new home lacks, and cleans up after an interrupted change. Takes the lock only if there is
    /// something to do.
    func prepare() throws {
        if try !folder.exists(KeybagFile.fileName) {
            if try !epoch.exists() && trace() == nil {
                guard makesHome else { throw DataProtectionError.noHome(folder.path) }
                try checkNothingElseIs()
            }
            try locked(make)
        }
        try tidy()
    }

    /// Creates the home. Order: device secret, attempts, the keybag's temporary file, epoch, the record of stores,
    /// keybag. If some of them are missing after a crash, nothing was protected with them yet.
    private func make() throws {
        guard try !folder.exists(KeybagFile.fileName) else { return }
        guard try !epoch.exists() else { return try finishMaking() }
        try checkNothingWas()
        try deviceSecret.makeIfMissing()
        let home = UniqueIdentifier.random()
        try AttemptsFile(place: self, home: home, number: try deviceSecret.presentNumber()).write(AttemptLimiter())
        let secret = try SecretBytes.random(count: 32)
        try epoch.make(secret) {
            let bytes = try first(home, secret)
            // A device secret that outlived another home already has a counter.
            if owner.isEmpty { try Freshness(self)?.accept() }
            try folder.prepare(KeybagFile.fileName) { try $0.write(bytes) }
            try folder.sync()
        }
        try finishMaking()
    }

    /// Throws if there was a home: a new one is not created without a request, since it would hide that the
    /// keys are gone.
    private func checkNothingWas() throws {
        guard let trace = try trace() else { return }
        throw DataProtectionError(
            .damaged,
            "\(folder.path) was a home (\(trace) is there), but its \(KeybagFile.fileName) and epoch are missing; put them back from a backup, or give up what it holds: zamok erase"
        )
    }

    /// A trace of an earlier home; nil: there is none.
    private func trace() throws -> String? { try HomeEraser.traces.first { try folder.exists($0) } }

    /// Throws if the folder is in use for other things, a checkout for example: it is not filled with a home's files.
    /// Leftovers of an interrupted creation don't count, nor does what a file system puts into its root.
    private func checkNothingElseIs() throws {
        let own = [AttemptsFile.fileName, DeviceSecretFile.fileName, "lost+found"]
        guard owner.isEmpty,
            let other = try folder.names().sorted().first(where: { name in
                !own.contains(name) && !name.hasPrefix("keybag.") && !name.hasSuffix(HomeFolder.temporarySuffix)
            }),
            // Another process may have created the home meanwhile.
            try !folder.exists(KeybagFile.fileName), try !epoch.exists()
        else { return }
        throw DataProtectionError(
            .unsafeHome,
            "\(folder.path) holds other things (\(other)), and no home is made among them; set ZAMOK_HOME to a folder of its own"
        )
    }

    /// The first keybag of a home, without a passcode.
    private func first(_ home: UniqueIdentifier, _ epoch: borrowing SecretBytes) throws -> [UInt8] {
        let names = KeybagFile.Names(home: home, keybag: .random())
        let present = try deviceSecret.read()
        let roots = try KeyRoots(
            deviceSecret: present.secret, epoch: epoch, keybag: names.keybag, owner: owner)
        let root = try roots.passcodeRootWithoutPasscode()
        let slots = try [KeybagSlot].make(
            KeybagSlot.expected(withPasscode: false), device: roots.device, passcode: root, names)
        var file = KeybagFile(
            epochSlot: .first, stretching: nil, eraseAfter: 0, homeIdentifier: home, keybagIdentifier: names.keybag,
            generation: 1, slots: slots
        )
        try file.sign(roots, person: root)
        return try file.encoded(under: try roots.authenticationKey())
    }

    /// The steps after the epoch was made, by this process or by one that was interrupted. Without a temporary file the
    /// keybag was removed.
    private func finishMaking() throws {
        let temporary = KeybagFile.fileName + HomeFolder.temporarySuffix
        guard let bytes = try folder.read(temporary, limit: KeybagFile.sizeLimit),
            let file = try? KeybagFile(parsing: bytes, allowingInsecureKDF: allowsInsecureKDF), file.generation == 1
        else { throw try whyMissing() }
        try StoreRecord.make(in: folder)
        try folder.commit(KeybagFile.fileName, replacing: false)
    }

    /// Cleans up at every start: an interrupted change leaves its temporary file, or two slots of the epoch.
    private func tidy() throws {
        guard try hasLeftovers() else { return }
        try locked {
            let opened = try read()
            guard !toleratesRollback else { return }
            try checkFreshness()
            let other = opened.file.epochSlot.other
            if try !epoch.isEmpty(other) { try epoch.zero(other) }
            folder.discard(KeybagFile.fileName)
            settleCounters()
            if owner.isEmpty { try? deviceSecret.destroyReplaced() }
        }
    }

    private func hasLeftovers() throws -> Bool {
        if try folder.exists(KeybagFile.fileName + HomeFolder.temporarySuffix) { return true }
        if owner.isEmpty, try deviceSecret.hasReplaced() { return true }
        return try epoch.hasTwoSecrets()
    }
}
