// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory

extension UserDirectory {
    /// Adds a user without a passcode; set one with `home(of:).keybag.setPasscode`.
    ///
    /// - Parameters:
    ///   - name: 1 to 256 bytes, no control characters.
    ///   - isGuest: erased when left.
    /// - Throws: `.invalidArgument`, `.nameTaken`, `.tooMany`, `.home` (disk full, read only, ...); nobody was added then.
    @discardableResult
    public func add(_ name: String, isGuest: Bool = false) throws(AppUsersError) -> AppUser {
        try changing { users in
            let user = AppUser(
                id: UserIdentifier(.random()), name: name, isGuest: isGuest,
                created: Date().timeIntervalSinceReferenceDate)
            try Self.admit(user, into: &users)
            _ = try root.home(ofUser: user.id.unique, making: true)
            return user
        }
    }

    /// Gives a user another name. Touches no data.
    @discardableResult
    public func rename(_ user: AppUser, to name: String) throws(AppUsersError) -> AppUser {
        try changing { users in
            guard let index = users.firstIndex(where: { $0.id == user.id }) else { throw noSuchUser }
            try Self.check(name, among: users, except: user.id)
            let renamed = AppUser(id: user.id, name: name, isGuest: user.isGuest, created: user.created)
            users[index] = renamed
            return renamed
        }
    }

    /// Removes a user and destroys everything of theirs at once, whatever its amount, for every process: the epoch is zeroed before anything else. It
    /// can't be undone; copies made before (backups, snapshots) keep what they hold. The recorded user becomes the root home if it was this one.
    public func remove(_ user: AppUser) throws(AppUsersError) {
        try changingList { list in
            guard list.users.contains(where: { $0.id == user.id }) else { throw noSuchUser }
            list.leaving = user.id
            try file.write(list)
            if try root.recordedUser() == user.id.unique { try root.recordUser(nil) }
            try root.removeHome(ofUser: user.id.unique)
            list.remove(user.id)
        }
        state.withLock { $0.homes.drop(user.id) }
    }

    static func admit(_ user: AppUser, into users: inout [AppUser]) throws {
        try check(user.name, among: users, except: nil)
        guard users.count < DirectoryFile.userLimit else {
            throw AppUsersError(.tooMany, "there are \(DirectoryFile.userLimit) users, and no more are possible")
        }
        users.append(user)
    }

    /// Changes the users under the directory's lock, and finishes what an interrupted change left.
    func changing<R>(_ body: (inout [AppUser]) throws -> R) throws(AppUsersError) -> R {
        try changingList { list in try body(&list.users) }
    }

    /// The same with all that the directory says.
    func changingList<R>(_ body: (inout UserList) throws -> R) throws(AppUsersError) -> R {
        do {
            return try root.withFileLock(DirectoryFile.lockName) {
                var list = try file.read()
                let before = list
                try finishInterrupted(&list)
                let result = try body(&list)
                if list != before { try file.write(list) }
                try tidy(list.users)
                return result
            }
        } catch {
            throw AppUsersError(translating: error)
        }
    }

    /// Removes the user who was being removed, or left as a guest, when a process ended, and whoever's epoch is gone.
    private func finishInterrupted(_ list: inout UserList) throws {
        if let user = list.leaving {
            list.leaving = nil
            if try root.recordedUser() != user.unique {
                try root.removeHome(ofUser: user.unique)
                list.remove(user)
            }
        }
        list.users = try list.users.filter { try !root.isHomeDestroyed(ofUser: $0.id.unique) }
    }

    /// Finishes a removal that was interrupted. Asked for by whoever opens the directory or switches.
    func finishLeaving() throws(AppUsersError) {
        do {
            guard try file.read().leaving != nil else { return }
        } catch {
            throw AppUsersError(translating: error)
        }
        try changing { _ in }
    }

    /// Folders and epochs that the directory does not name are rests of interrupted changes.
    private func tidy(_ users: [AppUser]) throws {
        let known = Set(users.map(\.id))
        for part in ["users", "epochs"] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: root.path(of: part))) ?? [] {
                guard let id = UserIdentifier(name), !known.contains(id) else { continue }
                try root.removeHome(ofUser: id.unique)
            }
        }
    }

    static func check(_ name: String, among users: [AppUser], except: UserIdentifier?) throws {
        guard (1...DirectoryFile.nameLimit).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw AppUsersError(
                .invalidArgument, "a name has 1 to \(DirectoryFile.nameLimit) bytes and no control characters")
        }
        if users.contains(where: { $0.id != except && $0.name.utf8.elementsEqual(name.utf8) }) {
            throw AppUsersError(.nameTaken, "there is a user of that name already")
        }
    }
}
