// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

extension Home {
    /// Which homes a lock without opening applies to.
    public enum LockScope: Sendable {
        /// The home that `Home.current` would be: the recorded user's, otherwise the root home.
        case recorded
        /// The root home.
        case root
        /// The root home and the homes of all its users.
        case everything
    }

    /// Locks the home that `configuration` names, regardless of its state. It may be damaged, lack its device secret,
    /// or be in a folder that is read-only or open to others. Another process may be stopped in the middle of a change.
    /// Waits for no process, and at most a second for a TPM that doesn't answer.
    ///
    /// First, every class key that a lock destroys is destroyed. The home's identifier is enough for this. If it can't
    /// be found out, the keys of every home that may be meant are destroyed. Only then is the home examined, and
    /// defects are thrown: any error except `.notLocked`, `.noPasscode` and `.invalidArgument` means that the home is
    /// locked nevertheless.
    ///
    /// - Parameters:
    ///   - configuration: Names the home, as for opening it.
    ///   - scope: Which homes to lock.
    ///   - completely: Whether the home is then as before the first unlock.
    /// - Throws: `.notLocked` (a part of the keys may be left; the message says which), `.noPasscode` (set a passcode
    ///   first; or there is no home), `.invalidArgument`; and, although it is locked, what `init` throws.
    public static func lock(
        _ configuration: Configuration, _ scope: LockScope = .recorded, completely: Bool = false
    ) throws(DataProtectionError) {
        let location = HomeLocation(configuration)
        do {
            let path = try configuration.folder ?? location.homePath()
            try LockWithoutOpening(
                configuration: configuration, location: location, path: path,
                roles: completely ? [.complete, .firstUnlock] : [.complete]
            ).run(scope)
        } catch {
            throw DataProtectionError(error, about: configuration.folder ?? "")
        }
    }
}

extension Home {
    /// Locks the home that processes of this root home start with, as before the first unlock, without opening it.
    /// Errors: as the other `lock`.
    package func lockRecorded() throws(DataProtectionError) {
        var configuration = configuration
        configuration.folder = folder
        try Home.lock(configuration, .recorded, completely: true)
    }
}

/// One lock of the homes in a folder.
private struct LockWithoutOpening {
    let configuration: Home.Configuration
    let location: HomeLocation
    let path: String
    let roles: [KeyGroup.Role]

    private var locker: HomeLocker { HomeLocker(location: location) }

    func run(_ scope: Home.LockScope) throws {
        let root: HomeFolder
        do {
            root = try HomeFolder(lockingAt: path, in: location.files)
        } catch let error as FileError {
            try locker.lock(roles, at: path)
            guard error.isMissing else { throw error }
            throw noHome
        }
        var failures: [any Error] = []
        var isUnknown = false
        switch scope {
        case .root: lock(root, &failures)
        case .everything: lockEverything(root, &failures)
        case .recorded:
            switch claim(root) {
            case .root: lock(root, &failures)
            case .user(let user):
                if let folder = try? root.folder(Home.usersName, making: false)?.folder(user.text, making: false) {
                    lock(folder, &failures)
                } else {
                    isUnknown = true
                }
            case nil: isUnknown = true
            }
            if isUnknown { lockEverything(root, &failures) }
        }
        if failures.isEmpty, isForeign(root) { throw noHome }
        var seen = look(scope)
        // Only an intact root home reliably tells the recorded user.
        if case .recorded = scope, case .failure = seen.root, !isUnknown { lockEverything(root, &failures) }
        if let failure = failures.first { seen.trouble = failure }
        try seen.finish(root)
    }

    /// The user or root home that the environment or the record names; nil if it can't be known here.
    private func claim(_ root: HomeFolder) -> CurrentUserFile.Claim? {
        let word = location.environment(Home.userVariable) ?? ""
        return word.isEmpty ? Home.recordedUserForLocking(root) : Home.userOfEnvironment(location.environment)
    }

    /// Whether there is nothing of a home, not even what an erase leaves.
    private func isForeign(_ root: HomeFolder) -> Bool {
        (try? HomeEraser(root: root, location: location).hasAnything() || root.exists(KeybagFile.lockName)) == false
    }

    /// An absent home was not necessarily erased: its disk may not be mounted.
    private var noHome: DataProtectionError {
        DataProtectionError(
            .noPasscode,
            "there is no home in \(path), or its disk isn't mounted; keys of one there are no longer in the keyring")
    }

    private func lock(_ folder: HomeFolder, _ failures: inout [any Error]) {
        do {
            if case .runtimeFolder(let error) = try locker.lock(roles, folder) { failures.append(error) }
        } catch {
            // A home that could not be locked is reported before a home that is locked but has a defect.
            failures.insert(error, at: 0)
        }
    }

    private func lockEverything(_ root: HomeFolder, _ failures: inout [any Error]) {
        for folder in root.withUsersForLocking { lock(folder, &failures) }
    }

    /// What was found when the home was examined, after locking.
    private struct Look {
        /// Whether a passcode is set.
        var root: Result<Bool, any Error>
        var user: Result<Bool, any Error>?
        var trouble: (any Error)?

        func finish(_ folder: HomeFolder) throws {
            if let trouble { throw HomeLookError.told(trouble, folder.path) }
            do {
                let hasPasscode = try user.map { try $0.get() } ?? root.get()
                _ = try root.get()
                if !hasPasscode {
                    throw DataProtectionError.nothingToLock(
                        user == nil ? folder.command("passcode set") : "zamok passcode set")
                }
            } catch {
                throw HomeLookError.told(error, folder.path)
            }
        }
    }

    /// The device secret, read only for the report after a lock: each TPM command may take at most a second.
    private func deviceSecret(_ root: HomeFolder) throws -> DeviceSecretFile {
        var file = try location.deviceSecret(root)
        file.patience = .seconds(1)
        return file
    }

    /// Reads and verifies, without waiting for other processes.
    private func look(_ scope: Home.LockScope) -> Look {
        var user: (user: UniqueIdentifier, root: UniqueIdentifier)?
        let root = Result {
            let folder = try HomeFolder(at: path, in: location.files)
            let place = KeybagLocation(root: folder, try deviceSecret(folder), configuration)
            let opened = try place.readWithoutWaiting()
            if case .recorded = scope {
                let named = Home.userOfEnvironment(location.environment)
                guard try named != nil || Home.isRecordAuthentic(folder, opened) else {
                    throw DataProtectionError(
                        .damaged, "\(path)/current does not name a user; choose one: zamok users switch")
                }
                if case .user(let recorded) = named ?? Home.recordedUserForLocking(folder) {
                    user = (recorded, opened.file.homeIdentifier)
                }
            }
            return opened.file.hasPasscode
        }
        var look = Look(root: root)
        if let (user, owner) = user {
            look.user = Result {
                let folder = try HomeFolder(at: path, in: location.files)
                guard let inner = try folder.folder(Home.usersName, making: false)?.folder(user.text, making: false),
                    let epochs = try folder.folder(Home.epochsName, making: false)
                else {
                    throw DataProtectionError(
                        .damaged, "\(path)/current names a user who isn't there; choose one: zamok users switch")
                }
                let place = KeybagLocation(
                    folder: inner, epoch: Epoch(folder: epochs, name: user.text),
                    deviceSecret: try deviceSecret(folder), owner: owner.bytes + user.bytes,
                    allowsInsecureKDF: configuration.usesInsecureKDF, environment: configuration.environment)
                return try place.readWithoutWaiting().file.hasPasscode
            }
        }
        return look
    }
}

/// A defect that was found after the lock.
enum HomeLookError {
    static func told(_ error: any Error, _ path: String) -> DataProtectionError {
        let known = DataProtectionError(error, about: path)
        guard known.code != .notLocked, known.code != .noPasscode else { return known }
        return DataProtectionError(known.code, "locked, but something is wrong: \(known.message)", cause: known)
    }
}

extension DataProtectionError {
    static func nothingToLock(_ remedy: String) -> DataProtectionError {
        DataProtectionError(
            .noPasscode,
            "a home without a passcode is always unlocked: set a passcode first; run: \(remedy)")
    }
}
