// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Home {
    /// Erases this home: zeroes the epoch, so that nothing in it opens any more, then removes its files. See the other `erase`.
    public func erase() throws(DataProtectionError) {
        do {
            try HomeEraser(root: openFolder).erase()
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
        let location = HomeLocation(environment: configuration.environment, files: configuration.fileSystem)
        do {
            let path = try configuration.folder ?? location.homePath()
            try HomeEraser(root: try HomeFolder(at: path, in: configuration.fileSystem)).erase()
        } catch {
            throw .wrapping(error, configuration.folder ?? "")
        }
    }
}

/// Erases without opening: it works where opening fails.
struct HomeEraser {
    let root: HomeFolder

    /// What Zamok makes in a home, apart from the files that say how far erasing has come. Databases have companions.
    private static let data =
        ["keychain.db", "preferences.db", "device.db", "users.db"]
        .flatMap { name in ["", "-wal", "-shm", "-journal"].map { name + $0 } } + [
            "current", "directory", "directory.lock", "files", StoreRecord.fileName,
        ]

    func erase() throws {
        try root.withLock(KeybagFile.lockName) {
            try zero(Epoch(folder: root, name: Epoch.fileName))
            try voidEverything(in: root)
            for name in try root.folder("epochs", making: false)?.names() ?? [] { try destroyUser(name) }
            // From here on nothing opens; what follows is tidying.
            for name in Self.data + ["users", "epochs"] { try root.removeTree(name) }
            for name in [AttemptsFile.fileName, KeybagFile.fileName] {
                try root.remove(name)
                root.discard(name)
            }
            try root.sync()
            try root.remove(Epoch.fileName)
            root.discard(Epoch.fileName)
            try root.sync()
        }
    }

    /// The same for one user of this root home.
    func eraseUser(_ name: String) throws {
        try root.withLock(KeybagFile.lockName) {
            try destroyUser(name)
            let users = try root.folder("users", making: false)
            try users?.removeTree(name)
            try users?.sync()
            let epochs = try root.folder("epochs", making: false)
            try epochs?.remove(name)
            try epochs?.sync()
        }
    }

    /// Zeroes the epoch of a user, while nobody else works on that user's keybag.
    private func destroyUser(_ name: String) throws {
        let epoch = try root.folder("epochs", making: false).map { Epoch(folder: $0, name: name) }
        guard let user = try root.folder("users", making: false)?.folder(name, making: false) else {
            if let epoch { try zero(epoch) }
            return
        }
        try user.withLock(KeybagFile.lockName) {
            if let epoch { try zero(epoch) }
            try voidEverything(in: user)
        }
    }

    private func zero(_ epoch: Epoch) throws {
        guard try epoch.exists() else { return }
        do {
            try epoch.zero(.first)
            try epoch.zero(.second)
        } catch let error as DataProtectionError where error.code == .damaged || error.code == .newerFormat {
            // Not of a form that we know: overwritten whole.
            try epoch.zeroAll()
        }
    }

    /// For processes that have the home open, and for what the kernel's keyring holds of it.
    private func voidEverything(in folder: HomeFolder) throws {
        if let page = try GenerationPage(mappingIn: folder) {
            page.setKeybagGeneration(0)
            for role in [KeyGroup.Role.complete, .firstUnlock] { page.count(role) }
        }
        guard let bytes = try folder.read(KeybagFile.fileName, limit: KeybagFile.sizeLimit),
            let file = try? KeybagFile(parsing: bytes, allowingInsecureKDF: true)
        else { return }
        for role in [KeyGroup.Role.complete, .firstUnlock] {
            do {
                try KernelKeyringHolder().destroy(role, file.homeIdentifier)
            } catch let error as KeyringError where error.isRefusal {
                // Where there is no keyring there is nothing in it.
            }
        }
    }
}
