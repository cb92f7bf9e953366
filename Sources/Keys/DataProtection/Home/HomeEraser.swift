// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory
import TPMs

extension Home {
    /// Erases this home: zeroes the epoch, so that nothing in it can be opened any more, then removes its files. See
    /// the other `erase`.
    public func erase() throws(DataProtectionError) {
        do {
            try HomeEraser(root: openFolder, location: HomeLocation(configuration)).erase()
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// Erases the home that `configuration` names, regardless of its state: locked, damaged, without its device secret,
    /// half erased. Asks for no passcode.
    ///
    /// First, this zeroes both slots of the epoch, and those of all users. The cost doesn't depend on the amount of
    /// data. From then on everything is permanently unreadable, also for every process that has the home open.
    ///
    /// Then this removes what Zamok made in the folder. Other files stay. The device secret stays too, unless it is in
    /// the home and can't be read any more, for example because its TPM is gone: no new home could be made beside it.
    ///
    /// After an interruption this can be called again. Until then, opening the home throws `.erased`. Afterwards,
    /// opening it makes a new home.
    ///
    /// Errors: `.noHome` (there is nothing of a home), `.unsafeHome`, `.invalidArgument`, `.readOnly`, `.io`.
    public static func erase(_ configuration: Configuration) throws(DataProtectionError) {
        let location = HomeLocation(configuration)
        do {
            let path = try configuration.folder ?? location.homePath()
            if let root = try? HomeFolder(lockingAt: path, in: location.files) {
                _ = try? HomeEraser(root: root, location: location).lockEverything()
            }
            let root: HomeFolder
            do { root = try HomeFolder(at: path, in: location.files) } catch {
                guard (error as? FileError)?.isMissing == true else { throw error }
                throw DataProtectionError.noHome(path)
            }
            let eraser = HomeEraser(root: root, location: location)
            // Also removes a lost device secret that an interrupted erase left, or whose home is gone.
            var silent: [TPMAddress] = []
            guard try eraser.hasAnything() || eraser.lostDeviceSecret(&silent) != nil else {
                throw DataProtectionError.noHome(path)
            }
            try eraser.erase(silent)
        } catch {
            throw DataProtectionError(error, about: configuration.folder ?? "")
        }
    }
}

extension Home {
    /// The databases of homes. Each may have files beside it.
    package static let databaseNames = ["keychain.db", "preferences.db", "device.db", "users.db"]

    /// The name of a new copy of a database, for what a repair or an acceptance gives up. `second`: since 1970.
    package static func copyName(of database: String, at second: Int64) -> String {
        "\(copyPrefix(of: database))\(second)-\(UInt16.random(in: 0...9999)).db"
    }

    /// The beginning of the names of a database's copies.
    static func copyPrefix(of database: String) -> String { "\(database.prefix { $0 != "." })-copy-" }
}

/// Erases without opening: it works where opening fails.
///
/// First it destroys the unlocked keys, without waiting for other processes. Then it zeroes the epochs, also without
/// waiting. Then it notifies every process again, because one may have found a keybag that still opened in between.
/// Only the removal of files waits, for a limited time, for processes that work on a keybag.
struct HomeEraser {
    let root: HomeFolder
    let location: HomeLocation

    /// What Zamok makes in a home, apart from the files that show how far erasing has proceeded. It is erased. Once
    /// keybag and epoch are gone, it shows that there was a home. Databases have files beside them.
    private static let databases = Home.databaseNames
    private static let others = [
        "current", "directory", "directory.lock", "files", AccessLog.folderName, "marks", "stores", "temporaries",
        Home.usersName,
        Home.epochsName,
        StoreRecord.fileName, CounterNote.fileName,
    ]

    /// Includes the doctor's copies and unfinished files.
    private static func isData(_ name: String) -> Bool {
        (databases + databases.map(Home.copyPrefix) + ["folders.lock", "freshness", Home.asidePrefix])
            .contains { name.hasPrefix($0) }
            || others.contains { name == $0 || name == $0 + HomeFolder.temporarySuffix }
    }

    /// Whether there is anything of a home. A lock file and the device secret, which stay after an erase, don't count.
    func hasAnything() throws -> Bool {
        let own = [AttemptsFile.fileName, KeybagFile.fileName, GenerationPage.fileName, Epoch.fileName]
        return try root.names().contains { name in
            Self.isData(name) || own.contains { name == $0 || name == $0 + HomeFolder.temporarySuffix }
        }
    }

    /// The device secret in the home, if it can't be read, so that no home can be made with it. Asks its TPM, unless it
    /// is in `silent`.
    fileprivate func lostDeviceSecret(_ silent: inout [TPMAddress]) -> DeviceSecretFile? {
        guard let secret = try? location.deviceSecret(root), case .home = secret.location else { return nil }
        let way = (try? secret.tpm()) ?? nil
        if let way, silent.contains(way) { return secret }
        let reading = secret.reading()
        if reading == .silent, let way { silent.append(way) }
        return reading == .readable ? nil : secret
    }

    static let traces =
        databases.flatMap { name in ["", "-wal", "-shm", "-journal"].map { name + $0 } } + others + [
            GenerationPage.fileName
        ]

    /// `known`: TPMs that already failed to answer, and are asked nothing more.
    func erase(_ known: [TPMAddress] = []) throws {
        var silent = known
        var trouble = Trouble()
        trouble.unless { try lockEverything() }
        // What can't be overwritten now may be overwritten once removing files has freed space.
        _ = Result { try zeroEverything() }
        trouble.unless { try lockEverything() }
        // Nothing depends on the counters any more.
        let counters = counters(of: root.withUsersForLocking)
        silent = counters.remove(over: try? location.tpmAddress(), within: nil, silent: silent).silent
        try root.withLock(KeybagFile.lockName, atMost: Self.patience) {
            for name in try root.names() where Self.isData(name) && name != Home.epochsName {
                trouble.unless { try removeTree(name, from: root) }
            }
            // Another process may have been writing an epoch.
            var zeroing = Trouble()
            zeroing.unless { try zeroEverything(again: true) }
            for name in [AttemptsFile.fileName, KeybagFile.fileName, GenerationPage.fileName] {
                trouble.unless { try root.remove(name) }
                root.discard(name)
            }
            try root.sync()
            // A secret that still exists keeps its name, so that the next call finds it.
            try zeroing.end()
            trouble.unless { try root.removeTree(Home.epochsName) }
            trouble.unless {
                guard let lost = lostDeviceSecret(&silent) else { return }
                try? lost.destroyReplaced()
                try root.remove(DeviceSecretFile.fileName)
            }
            try root.remove(Epoch.fileName)
            root.discard(Epoch.fileName)
            try root.sync()
        }
        try trouble.end()
    }

    /// Like `erase`, for one user of this root home.
    func eraseUser(_ name: String) throws {
        var trouble = Trouble()
        let users = Result { try root.folder(Home.usersName, making: false) }
        trouble.unless { try lock(users.get()?.folder(name, making: false)) }
        let epochs = try root.folder(Home.epochsName, making: false)
        // The secret of a home that was never finished may still have its temporary name.
        let secrets =
            epochs.map { epochs in ["", HomeFolder.temporarySuffix].map { Epoch(folder: epochs, name: name + $0) } }
            ?? []
        for secret in secrets { try secret.destroy() }
        if let user = try? users.get()?.folder(name, making: false) {
            _ = CounterNote.counters(in: user).remove(over: try? location.tpmAddress())
        }
        try root.withLock(KeybagFile.lockName, atMost: Self.patience) {
            if let user = try users.get()?.folder(name, making: false) {
                trouble.unless { try lock(user) }
                try user.withLock(KeybagFile.lockName, atMost: Self.patience) {
                    for secret in secrets { try secret.destroy(again: true) }
                }
            }
            if let users = try users.get() {
                try removeTree(name, from: users)
                try users.sync()
            }
            if let epochs {
                for secret in secrets {
                    try secret.destroy(again: true)
                    try epochs.remove(secret.name)
                }
                try epochs.sync()
            }
        }
        try trouble.end()
    }

    /// The counters of this home and its users in a TPM, regardless of defects in the files that name them.
    private func counters(of folders: [HomeFolder]) -> [LocatedCounter] {
        let secret = try? location.deviceSecret(root)
        let ofHome = (try? secret?.placedCounter()) ?? nil
        return [ofHome].compactMap(\.self) + folders.flatMap { CounterNote.counters(in: $0) }
    }

    /// Removes a folder. A process that has the home open may still add files to it, but not for long, because nothing
    /// opens any more.
    private func removeTree(_ name: String, from folder: HomeFolder) throws {
        for _ in 0..<Self.patience * 50 {
            do { return try folder.removeTree(name) } catch let error as FileError {
                guard error.isNotEmpty else { throw error }
                ThisProcess.pause(milliseconds: 20)
            }
        }
        try folder.removeTree(name)
    }

    /// In seconds.
    private static let patience = 5

    /// Makes every group of this home and of its users void, and destroys them. A defect in one doesn't stop
    /// the others.
    func lockEverything() throws {
        var trouble = Trouble()
        for folder in root.withUsersForLocking { trouble.unless { try lock(folder) } }
        try trouble.end()
    }

    private func lock(_ folder: HomeFolder?) throws {
        guard let folder else { return }
        try HomeLocker(location: location).lock([.complete, .firstUnlock], folder, erasing: true)
    }

    /// Zeroes the home's own epoch and those of all users. A defect in one doesn't stop the others.
    private func zeroEverything(again isAgain: Bool = false) throws {
        var trouble = Trouble()
        trouble.unless { try Epoch(folder: root, name: Epoch.fileName).destroy(again: isAgain) }
        trouble.unless {
            guard let epochs = try root.folder(Home.epochsName, making: false) else { return }
            var trouble = Trouble()
            for name in try epochs.names() {
                trouble.unless { try Epoch(folder: epochs, name: name).destroy(again: isAgain) }
            }
            try trouble.end()
        }
        try trouble.end()
    }
}

extension HomeFolder {
    /// This folder of a root home, and those of its users. Only a folder can be a home.
    var withUsersForLocking: [HomeFolder] {
        guard let users = try? folderForLocking(Home.usersName) else { return [self] }
        return [self] + ((try? users.names()) ?? []).compactMap { try? users.folderForLocking($0) }
    }
}
