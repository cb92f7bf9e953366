// SPDX-License-Identifier: Apache-2.0

import Chips
import Files
import SecretMemory

extension Home {
    /// Erases this home: zeroes the epoch, so that nothing in it opens any more, then removes its files. See the other `erase`.
    public func erase() throws(DataProtectionError) {
        do {
            try HomeEraser(root: openFolder, location: HomeLocation(configuration)).erase()
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// Erases the home that `configuration` names, whatever state it is in: locked, damaged, without its device secret, half erased.
    /// Asks for no passcode.
    ///
    /// First both slots of the epoch are zeroed, and those of all users: at a cost that doesn't depend on the amount of data everything is
    /// unreadable for good, also for every process that has the home open. Then what Zamok made in the folder is removed; other files stay, and
    /// so does the device secret, unless it lies in the home and can't be read any more, since its chip is gone for example: no new home could be made beside it. If it is interrupted it can be called again; opening the home throws `.erased` until then. Opening it
    /// afterwards makes a new home.
    ///
    /// Errors: `.noHome` (nothing of one is there), `.unsafeHome`, `.invalidArgument`, `.readOnly`, `.io`.
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
            // One that was left alone by an interrupted erase, or whose home is gone: the way out is this.
            var silent: [ChipWay] = []
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
    /// The databases that homes have. Each may have files beside it.
    package static let databaseNames = ["keychain.db", "preferences.db", "device.db", "users.db"]
}

/// Erases without opening: it works where opening fails.
///
/// Unlocked keys are destroyed first, without waiting for anybody; then the epochs are zeroed, without waiting either. Then every process is notified once more: one that looked in
/// between found a keybag that still opened. Only the tidying waits, for a while, for whoever works on a keybag.
struct HomeEraser {
    let root: HomeFolder
    let location: HomeLocation

    /// What Zamok makes in a home, apart from the files that show how far erasing has come: it is erased, and shows that there was a home once keybag and
    /// epoch are gone. Databases have files beside them.
    private static let databases = Home.databaseNames
    private static let others = [
        "current", "directory", "directory.lock", "files", AccessLog.folderName, "marks", "stores", "temporaries",
        Home.usersName,
        Home.epochsName,
        StoreRecord.fileName, CounterNote.fileName,
    ]

    /// The doctor's copies, and unfinished files, are erased too.
    private static func isData(_ name: String) -> Bool {
        (databases + ["keychain-copy-", "folders.lock", "freshness", Home.asidePrefix]).contains { name.hasPrefix($0) }
            || others.contains { name == $0 || name == $0 + HomeFolder.temporarySuffix }
    }

    /// Whether there is something of a home: a lock and the device secret, which stay, are none.
    func hasAnything() throws -> Bool {
        let own = [AttemptsFile.fileName, KeybagFile.fileName, GenerationPage.fileName, Epoch.fileName]
        return try root.names().contains { name in
            Self.isData(name) || own.contains { name == $0 || name == $0 + HomeFolder.temporarySuffix }
        }
    }

    /// The device secret that lies in the home, if it can't be read, so that no home can be made with it. A chip is asked, unless it was `silent` before.
    fileprivate func lostDeviceSecret(_ silent: inout [ChipWay]) -> DeviceSecretFile? {
        guard let secret = try? location.deviceSecret(root), case .home = secret.location else { return nil }
        let way = (try? secret.chip()) ?? nil
        if let way, silent.contains(way) { return secret }
        let reading = secret.reading()
        if reading == .silent, let way { silent.append(way) }
        return reading == .readable ? nil : secret
    }

    static let traces =
        databases.flatMap { name in ["", "-wal", "-shm", "-journal"].map { name + $0 } } + others + [
            GenerationPage.fileName
        ]

    /// `silent`: chips that were waited for already, and are asked nothing more.
    func erase(_ known: [ChipWay] = []) throws {
        var silent = known
        var trouble = Trouble()
        trouble.unless { try lockEverything() }
        // What can't be overwritten now may be overwritten once removing files has made room.
        _ = Result { try zeroEverything() }
        trouble.unless { try lockEverything() }
        // Nothing depends on them any more.
        let counters = counters(of: root.withUsersForLocking)
        silent = counters.remove(over: try? location.chipWay(), within: nil, silent: silent).silent
        try root.withLock(KeybagFile.lockName, atMost: Self.patience) {
            for name in try root.names() where Self.isData(name) && name != Home.epochsName {
                trouble.unless { try removeTree(name, from: root) }
            }
            // Somebody may have been in the middle of writing an epoch.
            var zeroing = Trouble()
            zeroing.unless { try zeroEverything(again: true) }
            for name in [AttemptsFile.fileName, KeybagFile.fileName, GenerationPage.fileName] {
                trouble.unless { try root.remove(name) }
                root.discard(name)
            }
            try root.sync()
            // A secret that is still there keeps its name, so that the next call finds it.
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

    /// The same for one user of this root home.
    func eraseUser(_ name: String) throws {
        var trouble = Trouble()
        let users = Result { try root.folder(Home.usersName, making: false) }
        trouble.unless { try lock(users.get()?.folder(name, making: false)) }
        let epochs = try root.folder(Home.epochsName, making: false)
        // Beside its place may lie the secret of a home that was never finished.
        let secrets =
            epochs.map { epochs in ["", HomeFolder.temporarySuffix].map { Epoch(folder: epochs, name: name + $0) } }
            ?? []
        for secret in secrets { try secret.destroy() }
        if let user = try? users.get()?.folder(name, making: false) {
            _ = CounterNote.counters(in: user).remove(over: try? location.chipWay())
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

    /// The counters of this home and its users in a chip, whatever is wrong with the files that name them.
    private func counters(of folders: [HomeFolder]) -> [PlacedCounter] {
        let secret = try? location.deviceSecret(root)
        let ofHome = (try? secret?.placedCounter()) ?? nil
        return [ofHome].compactMap(\.self) + folders.flatMap { CounterNote.counters(in: $0) }
    }

    /// Removes a folder into which a process that has the home open may still put a file: it can't for long, since nothing opens any more.
    private func removeTree(_ name: String, from folder: HomeFolder) throws {
        for _ in 0..<Self.patience * 50 {
            do { return try folder.removeTree(name) } catch let error as FileError {
                guard error.isNotEmpty else { throw error }
                ThisProcess.pause(milliseconds: 20)
            }
        }
        try folder.removeTree(name)
    }

    /// Seconds.
    private static let patience = 5

    /// Makes every group of this home and of its users void, and destroys them; whatever is wrong with one, the others are destroyed.
    func lockEverything() throws {
        var trouble = Trouble()
        for folder in root.withUsersForLocking { trouble.unless { try lock(folder) } }
        try trouble.end()
    }

    private func lock(_ folder: HomeFolder?) throws {
        guard let folder else { return }
        try HomeLocker(location: location).lock([.complete, .firstUnlock], folder, erasing: true)
    }

    /// The home's own epoch and those of all users, each whatever is wrong with the others.
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
    /// This folder of a root home, and those of its users; anything but a folder is not a home.
    var withUsersForLocking: [HomeFolder] {
        guard let users = try? folderForLocking(Home.usersName) else { return [self] }
        return [self] + ((try? users.names()) ?? []).compactMap { try? users.folderForLocking($0) }
    }
}
