// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory
import Statuses

/// The homes of users inside the root home. AppUsers manages the users; here a user is a UUID.
extension Home {
    static let usersName = "users"
    static let epochsName = "epochs"

    /// The home of a user of this root home: `users/<UUID>`, with a keybag of its own, an epoch outside its folder, and
    /// the root home's device secret.
    ///
    /// If there is none, it is made if `making` is true. Errors: `.invalidArgument` (no such user, or this is a user's
    /// home), and those of `init`.
    package func home(ofUser user: UniqueIdentifier, making: Bool) throws(DataProtectionError) -> Home {
        do {
            guard root == nil else { throw DataProtectionError(.invalidArgument, "a user's home has no users") }
            // From the first user on, the file always exists, so that its removal changes the current user of
            // no process.
            if making, try !Self.hasUsers(openFolder), try !openFolder.exists(CurrentUserFile.fileName) {
                try recordUser(nil)
            }
            let folder = try openFolder.folder(Self.usersName, making: making)?.folder(user.text, making: making)
            let epochs = try openFolder.folder(Self.epochsName, making: making)
            guard let folder, let epochs else {
                let hasEpoch = try epochs?.exists(user.text) ?? false
                guard folder != nil || hasEpoch else {
                    throw DataProtectionError(.invalidArgument, "there is no user \(user.text)")
                }
                let missing = folder == nil ? "\(Self.usersName)/\(user.text)" : Self.epochsName
                throw DataProtectionError(
                    .damaged, "\(openFolder.path)/\(missing) is missing, and the rest of the user is there; put it back"
                )
            }
            var place = KeybagLocation(
                folder: folder, epoch: Epoch(folder: epochs, name: user.text), deviceSecret: keybag.place.deviceSecret,
                owner: keybag.home.bytes + user.bytes, root: openFolder,
                allowsInsecureKDF: configuration.usesInsecureKDF,
                environment: configuration.environment
            )
            place.toleratesRollback = configuration.toleratesRollback
            // Any defect is one of the user's home.
            return try DataProtectionError.mapping(about: folder.path) { try Home(configuration, place, root: self) }
        } catch {
            throw DataProtectionError(error, about: self.folder)
        }
    }

    /// Removes the home of a user. The epoch is zeroed first, so that nothing in the home can be opened any more.
    /// Finishes an interrupted removal. Errors: `.io`, `.readOnly`.
    package func removeHome(ofUser user: UniqueIdentifier) throws(DataProtectionError) {
        do {
            try HomeEraser(root: openFolder, location: HomeLocation(configuration)).eraseUser(user.text)
            keybag.countKeybag(gone: user)
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// The user that every process starts with; nil: the root home itself.
    ///
    /// Errors: `.damaged` (missing, changed, or of another home), `.newerFormat`, `.unsafeHome`, `.io`.
    package func recordedUser() throws(DataProtectionError) -> UniqueIdentifier? {
        do {
            guard let bytes = try openFolder.read(CurrentUserFile.fileName, limit: CurrentUserFile.size) else {
                guard try Self.hasUsers(openFolder) else { return nil }
                throw unknownUser("is missing beside the users")
            }
            guard let claim = try CurrentUserFile.claim(bytes),
                try keybag.withMetadataKey(.none, { try CurrentUserFile.isAuthentic(bytes, under: $0) })
            else { throw unknownUser("was changed, or is of another home") }
            switch claim {
            case .root: return nil
            case .user(let user): return user
            }
        } catch KeybagFault.newer {
            throw DataProtectionError(
                .newerFormat, "\(folder)/\(CurrentUserFile.fileName) was written by a newer version of Zamok")
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    private func unknownUser(_ what: String) -> DataProtectionError {
        DataProtectionError(
            .damaged,
            "\(folder)/\(CurrentUserFile.fileName) \(what), so it is unknown which user programs start with; choose: zamok users switch NAME, or --nobody"
        )
    }

    /// Whether there are, or may be, homes of users in the home that `configuration` names, regardless of its state.
    package static func mayHaveUsers(_ configuration: Configuration) -> Bool {
        let location = HomeLocation(configuration)
        do {
            let root = try HomeFolder(lockingAt: try configuration.folder ?? location.homePath(), in: location.files)
            return try [usersName, epochsName].contains {
                try root.exists($0) && root.folder($0, making: false)?.names().isEmpty != true
            }
        } catch let error as FileError {
            return !error.isMissing
        } catch {
            return true
        }
    }

    /// Whether the home that `configuration` names, or the home of one of its users, has a list of folders with
    /// protected files.
    package static func mayProtectFiles(_ configuration: Configuration) -> Bool {
        let location = HomeLocation(configuration)
        guard let path = try? configuration.folder ?? location.homePath(),
            let root = try? HomeFolder(lockingAt: path, in: location.files)
        else { return false }
        return root.withUsersForLocking.contains { (try? $0.folderForLocking("stores")?.exists("files")) == true }
    }

    private static func hasUsers(_ root: HomeFolder) throws -> Bool {
        try ["directory", usersName, epochsName].contains { try root.exists($0) }
    }

    /// The user or root home that a lock is for, found without opening and without waiting; nil if it can't be found.
    /// It is not verified: see `isRecordAuthentic`.
    static func recordedUserForLocking(_ root: HomeFolder) -> CurrentUserFile.Claim? {
        guard let isThere = try? root.exists(CurrentUserFile.fileName) else { return nil }
        guard isThere else { return (try? hasUsers(root)) == false ? .root : nil }
        return recordBytes(root).flatMap { try? CurrentUserFile.claim($0) }
    }

    /// Whether this home recorded that, verified.
    static func isRecordAuthentic(_ root: HomeFolder, _ opened: borrowing KeybagLocation.Opened) throws -> Bool {
        guard try root.exists(CurrentUserFile.fileName) else { return try !hasUsers(root) }
        let view = try KeybagView(opened, leaves: 0, boot: BootInstant.unknownStart)
        guard let bytes = recordBytes(root), let slot = view.file.current(.metadataKey, KeyClass(.none)),
            let key = try view.device.key(.metadataKey, slot.id)
        else { return false }
        return try CurrentUserFile.claim(bytes) != nil && CurrentUserFile.isAuthentic(bytes, under: key)
    }

    private static func recordBytes(_ root: HomeFolder) -> [UInt8]? {
        guard let file = try? root.openForLocking(CurrentUserFile.fileName, .read) else { return nil }
        return try? file.read(count: CurrentUserFile.size + 1)
    }

    /// Records the user that every process starts with, durably; nil: the root home itself.
    ///
    /// Errors: `.diskFull`, `.readOnly`, `.io`.
    package func recordUser(_ user: UniqueIdentifier?) throws(DataProtectionError) {
        do {
            let bytes = try keybag.withMetadataKey(.none) { try CurrentUserFile.encode(user, under: $0) }
            try openFolder.withLock(KeybagFile.lockName) {
                try openFolder.replace(CurrentUserFile.fileName, with: bytes)
            }
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// The user that this home belongs to; nil: a root home.
    package var userIdentifier: UniqueIdentifier? {
        root == nil ? nil : folder.split(separator: "/").last.flatMap { UniqueIdentifier(text: String($0)) }
    }

    /// The environment variable that names a user by the identifier, or the root home by `-`, regardless of the record.
    /// It is for the programs of `zamok run`. Names are for commands, which have the list of users.
    package static let userVariable = "ZAMOK_USER"

    /// The user or root home that the environment names; nil: none.
    static func userOfEnvironment(_ environment: (String) -> String?) -> CurrentUserFile.Claim? {
        guard let word = environment(userVariable) else { return nil }
        return word == "-" ? .root : UniqueIdentifier(text: word).map(CurrentUserFile.Claim.user)
    }

    /// The home that this process starts with. Errors: those of `recordedUser`; `.invalidArgument` if the environment
    /// names a user that doesn't exist.
    func homeOfUserAtStart() throws(DataProtectionError) -> Home {
        let user: UniqueIdentifier?
        switch Self.userOfEnvironment(configuration.environment) {
        case .root: user = nil
        case .user(let named): user = named
        case nil: user = try recordedUser()
        }
        guard let user else { return self }
        return try home(ofUser: user, making: false)
    }
}
