// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Home {
    /// Erases this home: zeroes the epoch, so that nothing in it opens any more, then removes its files. See the other `erase`.
    public func erase() throws(DataProtectionError) {
        do {
            try HomeEraser(root: openFolder, location: HomeLocation(configuration)).erase()
        } catch {
            throw .wrapping(error, folder)
        }
    }

    /// Erases the home that `configuration` names, whatever state it is in: locked, damaged, without its device secret, half erased.
    /// Asks for no passcode.
    ///
    /// First both slots of the epoch are zeroed, and those of all users: at a cost that doesn't depend on the amount of data everything is
    /// unreadable for good, for every process that has the home open, too. Then what Zamok made in the folder is removed; other files stay, and
    /// so does the device secret. Ended in the middle it can be called again; opening the home says `.erased` until then. Opening it
    /// afterwards makes a new home.
    ///
    /// Errors: `.unsafeHome`, `.invalidArgument`, `.readOnly`, `.io`.
    public static func erase(_ configuration: Configuration) throws(DataProtectionError) {
        let location = HomeLocation(configuration)
        do {
            let path = try configuration.folder ?? location.homePath()
            if let root = try? HomeFolder(lockingAt: path, in: location.files) {
                _ = try? HomeEraser(root: root, location: location).lockEverything()
            }
            try HomeEraser(root: try HomeFolder(at: path, in: location.files), location: location).erase()
        } catch {
            throw .wrapping(error, configuration.folder ?? "")
        }
    }
}

/// Erases without opening: it works where opening fails.
///
/// Whatever is unlocked goes first, and waits for nobody; then the epochs are zeroed, without waiting either. Then everybody is told once more: who looked in
/// between found a keybag that opened still. Only the tidying waits, for a while, for whoever works on a keybag.
struct HomeEraser {
    let root: HomeFolder
    let location: HomeLocation

    /// What Zamok makes in a home, apart from the files that say how far erasing has come: it is erased, and tells that there was a home once keybag and
    /// epoch are gone. Databases have companions.
    private static let databases = ["keychain.db", "preferences.db", "device.db", "users.db"]
    private static let others = [
        "current", "directory", "directory.lock", "files", "marks", "stores", "temporaries", Home.usersName,
        Home.epochsName,
        StoreRecord.fileName,
    ]

    /// The doctor's copies, and what was never finished, are erased too.
    private static func isData(_ name: String) -> Bool {
        (databases + ["keychain-copy-", Home.asidePrefix]).contains { name.hasPrefix($0) }
            || others.contains { name == $0 || name == $0 + HomeFolder.temporarySuffix }
    }

    static let traces =
        databases.flatMap { name in ["", "-wal", "-shm", "-journal"].map { name + $0 } } + others + [
            GenerationPage.fileName
        ]

    func erase() throws {
        let locked = Result { try lockEverything() }
        try zeroEverything()
        let lockedAgain = Result { try lockEverything() }
        try root.withLock(KeybagFile.lockName, atMost: Self.patience) {
            // Once more: somebody may have been in the middle of writing an epoch.
            try zeroEverything(again: true)
            // From here on nothing opens; what follows is tidying.
            for name in try root.names() where Self.isData(name) { try root.removeTree(name) }
            for name in [AttemptsFile.fileName, KeybagFile.fileName] {
                try root.remove(name)
                root.discard(name)
            }
            try root.remove(GenerationPage.fileName)
            try root.sync()
            try root.remove(Epoch.fileName)
            root.discard(Epoch.fileName)
            try root.sync()
        }
        try locked.get()
        try lockedAgain.get()
    }

    /// The same for one user of this root home.
    func eraseUser(_ name: String) throws {
        let locked = Result { try lock(try root.folder(Home.usersName, making: false)?.folder(name, making: false)) }
        var lockedAgain = Result<Void, any Error>.success(())
        try root.withLock(KeybagFile.lockName, atMost: Self.patience) {
            let users = try root.folder(Home.usersName, making: false)
            let epochs = try root.folder(Home.epochsName, making: false)
            if let epochs { try Epoch(folder: epochs, name: name).destroy() }
            if let user = try users?.folder(name, making: false) {
                lockedAgain = Result { try lock(user) }
                try user.withLock(KeybagFile.lockName, atMost: Self.patience) {
                    if let epochs { try Epoch(folder: epochs, name: name).destroy(again: true) }
                }
            }
            try users?.removeTree(name)
            try users?.sync()
            if let epochs {
                // Beside its place lies the secret of a home that was never finished.
                let unfinished = Epoch(folder: epochs, name: name + HomeFolder.temporarySuffix)
                try unfinished.destroy()
                for name in [unfinished.name, name] { try epochs.remove(name) }
                try epochs.sync()
            }
        }
        try locked.get()
        try lockedAgain.get()
    }

    /// Seconds.
    private static let patience = 5

    /// Makes every group of this home and of its users void, and destroys them.
    func lockEverything() throws {
        let users = try? root.folder(Home.usersName, making: false)
        let folders = try [root] + ((try? users?.names()) ?? []).compactMap { try users?.folder($0, making: false) }
        var failure: (any Error)?
        for folder in folders {
            do { try lock(folder) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func lock(_ folder: HomeFolder?) throws {
        guard let folder else { return }
        try HomeLocker(location: location).lock([.complete, .firstUnlock], folder, erasing: true)
    }

    private func zeroEverything(again isAgain: Bool = false) throws {
        try Epoch(folder: root, name: Epoch.fileName).destroy(again: isAgain)
        guard let epochs = try root.folder(Home.epochsName, making: false) else { return }
        for name in try epochs.names() { try Epoch(folder: epochs, name: name).destroy(again: isAgain) }
    }
}
