// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory

extension UserDirectory {
    /// Adds a user without a passcode; set one with `home(of:).keybag.setPasscode`.
    ///
    /// - Parameters:
    ///   - name: 1 to 256 bytes, no control characters; not "-", and not in the form of an identifier.
    ///   - isGuest: Whether a switch away from the user erases them.
    /// - Throws: `.invalidArgument`, `.nameTaken`, `.tooMany`, `.damaged` (the list is missing or damaged), `.home`
    ///   (disk full, read only, ...). No user was added in these cases.
    @discardableResult
    public func add(_ name: String, isGuest: Bool = false) throws(AppUsersError) -> AppUser {
        try changing { list in
            let user = AppUser(
                id: UserIdentifier(.random()), name: name, isGuest: isGuest,
                created: Date().timeIntervalSinceReferenceDate)
            try Self.admit(user, into: &list.users)
            try making(user.id) { _ in user }
            return user
        }
    }

    /// Creates a home and fills it with `fill`, under a mark: a process that finds the mark later removes the home.
    /// Once the home is complete, a second mark replaces the first, before any list names the user. Otherwise a
    /// process could remove a listed user because of a mark of an addition. The next change of the list removes the
    /// second mark.
    func making(_ user: UserIdentifier, _ fill: (Home) throws -> AppUser) throws {
        try marks.write(.adding, of: user)
        do {
            try marks.write(.added(try fill(try root.home(ofUser: user.unique, making: true))), of: user)
        } catch {
            // If the home can't be removed now, the next change removes it.
            if (try? root.removeHome(ofUser: user.unique)) != nil { try? marks.remove(user) }
            throw error
        }
    }

    /// Adds an unlisted user's home to the list, after the list was lost or restored from an older copy.
    ///
    /// - Throws: `.noSuchUser` (there is none, or it is in the list), `.invalidArgument`, `.nameTaken`, `.tooMany`,
    ///   `.home` (it does not open).
    @discardableResult
    public func adopt(_ user: UserIdentifier, as name: String) throws(AppUsersError) -> AppUser {
        try changing(missing: .isEmpty) { list in
            guard try unlisted(list, try marks.all()).contains(user) else { throw noSuchUser }
            let user = AppUser(
                id: user, name: name, isGuest: false, created: Date().timeIntervalSinceReferenceDate)
            try Self.admit(user, into: &list.users)
            _ = try root.home(ofUser: user.id.unique, making: false)
            return user
        }
    }

    /// Users that have a home, or parts of one, but are in no list, so that no switch to them is possible. `adopt` adds
    /// them to the list. Their data is never removed.
    public func unlisted() throws(AppUsersError) -> [UserIdentifier] {
        do {
            let marked = try marks.all()
            return try unlisted(completed(try readForNewList().list ?? UserList(), marked), marked)
        } catch {
            throw AppUsersError(error)
        }
    }

    func unlisted(_ list: UserList, _ marked: [UserIdentifier: UserMark]) throws -> [UserIdentifier] {
        let present = try root.presentUsers().map(UserIdentifier.init).filter { user in
            guard !list.names(user) else { return false }
            switch marked[user] {
            case nil, .added: return true
            case .adding, .removing, .leaving: return false
            }
        }
        return present.sorted { $0.description < $1.description }
    }

    /// Renames a user. Touches no data.
    @discardableResult
    public func rename(_ user: AppUser, to name: String) throws(AppUsersError) -> AppUser {
        try changing { list in
            guard let index = list.users.firstIndex(where: { $0.id == user.id }) else { throw noSuchUser }
            try Self.check(name, among: list.users, except: user.id)
            let renamed = AppUser(id: user.id, name: name, isGuest: user.isGuest, created: user.created)
            list.users[index] = renamed
            return renamed
        }
    }

    /// Removes a user and destroys all their data at once, regardless of size, for every process: the epoch is zeroed
    /// before anything else. This can't be undone, but earlier copies (backups, snapshots) keep their content. If this
    /// user was recorded as current, the root home becomes current.
    ///
    /// If the removal can't be finished now, the next change finishes it; other users are not affected meanwhile.
    ///
    /// - Parameters:
    ///   - user: A user of this directory.
    ///   - losingFiles: Whether to remove the user even if files outside their home depend on these keys and become
    ///     unreadable. Otherwise such files throw `.filesElsewhere`, and `filesElsewhere(of:)` lists them. A guest is
    ///     erased on a switch regardless of such files.
    public func remove(_ user: AppUser, losingFiles: Bool = false) throws(AppUsersError) {
        try changing { list in
            guard list.names(user.id) else { throw noSuchUser }
            if !losingFiles { try checkFilesElsewhere(of: user) }
            try marks.write(.removing, of: user.id)
            do { try leave(user.id) } catch {
                // Nothing is destroyed yet, and without the mark nothing will be.
                try marks.remove(user.id)
                throw error
            }
            try root.removeHome(ofUser: user.id.unique)
            list.remove(user.id)
        }
        state.withLock { $0.homes.drop(user.id) }
    }

    /// Unrecords the user as current, then removes the home. An unreadable record stays unchanged.
    private func destroy(_ user: UserIdentifier) throws {
        try leave(user)
        try root.removeHome(ofUser: user.unique)
    }

    private func leave(_ user: UserIdentifier) throws {
        if (try? root.recordedUser()) == user.unique { try root.recordUser(nil) }
    }

    static func admit(_ user: AppUser, into users: inout [AppUser]) throws {
        try check(user.name, among: users, except: nil)
        guard users.count < DirectoryFile.userLimit else {
            throw AppUsersError(.tooMany, "there are \(DirectoryFile.userLimit) users, and no more are possible")
        }
        users.append(user)
    }

    /// How to treat a missing list.
    enum MissingList {
        /// No user was ever added; an error if homes of users exist all the same.
        case isNew
        /// Treat it as an empty list.
        case isEmpty
    }

    /// Changes the list under its lock, and finishes the changes of killed processes.
    func changing<R>(
        missing: MissingList = .isNew, _ body: (inout UserList) throws -> R
    ) throws(AppUsersError) -> R {
        do {
            return try root.withFileLock(DirectoryFile.lockName) {
                try? root.removeUnfinishedUserFiles()
                let marked = (try? marks.all()) ?? [:]
                let (known, isDamaged) = missing == .isNew ? (try read(marked), false) : try readForNewList()
                let before = known ?? UserList()
                var list = completed(before, marked)
                let ended = finishInterrupted(&list, marked, isKnown: known != nil)
                let finished = list
                let result = Result { try body(&list) }
                // What was finished above stays finished, even if this change failed.
                if case .failure = result { list = finished }
                if list != before {
                    if isDamaged { _ = try root.putAsideUserList(DirectoryFile.fileName) }
                    do {
                        try file.write(list)
                    } catch {
                        takeBack(list.users.filter { !finished.names($0.id) && marked[$0.id] == nil })
                        throw error
                    }
                }
                for (user, mark) in try marks.all() {
                    let isSettled =
                        mark.isGoing ? finished.names(user) && !list.names(user) : list.names(user)
                    // If this change rewrote a mark, the mark describes work that is still to be done.
                    if isSettled || ended.contains(user) && marked[user] == mark { try? marks.remove(user) }
                }
                return try result.get()
            }
        } catch {
            throw AppUsersError(error)
        }
    }

    /// nil: the list is missing or damaged.
    private func readForNewList() throws -> (list: UserList?, isDamaged: Bool) {
        do { return (try file.read(), false) } catch is UserListDamaged { return (nil, true) }
    }

    /// Removes the users that this change created if the list could not be written with them.
    private func takeBack(_ users: [AppUser]) {
        guard let list = try? file.read() ?? UserList(), let marked = try? marks.all() else { return }
        for user in users where !list.names(user.id) && marked[user.id] == .added(user) {
            // If the home can't be removed at once, this mark keeps another process from adding the user after all.
            try? marks.write(.adding, of: user.id)
            if (try? root.removeHome(ofUser: user.id.unique)) != nil { try? marks.remove(user.id) }
        }
    }

    /// Finishes the work of all marks; returns the users whose marks can be removed once the list is written. Work that
    /// fails keeps its mark for the next time, and doesn't affect other users.
    private func finishInterrupted(
        _ list: inout UserList, _ marked: [UserIdentifier: UserMark], isKnown: Bool
    ) -> [UserIdentifier] {
        var settled: [UserIdentifier] = []
        for (user, mark) in marked {
            guard let goes = goes(user, mark: mark, list: isKnown ? list : nil) else { continue }
            if goes {
                guard (try? destroy(user)) != nil else { continue }
                list.remove(user)
            }
            settled.append(user)
        }
        return settled
    }

    /// Whether a marked user is to be destroyed; nil if unknown.
    private func goes(_ user: UserIdentifier, mark: UserMark, list: UserList?) -> Bool? {
        switch mark {
        // A missing list may have named them: they can be adopted.
        case .adding: return list.map { !$0.names(user) } ?? false
        case .added: return false
        case .removing: return true
        case .leaving:
            do { return try root.recordedUser() != user.unique } catch { return nil }
        }
    }

    /// Finishes interrupted removals. Called at a switch and when the directory is opened.
    func finishLeaving() throws(AppUsersError) {
        do {
            guard try marks.all().values.contains(where: \.isGoing) else { return }
        } catch {
            throw AppUsersError(error)
        }
        try changing { _ in }
    }

    /// Whether the name is valid, regardless of the other users' names. Errors: `.invalidArgument`.
    package static func check(name: String) throws(AppUsersError) {
        do { try check(name, among: [], except: nil) } catch { throw AppUsersError(error) }
    }

    static func check(_ name: String, among users: [AppUser], except: UserIdentifier?) throws {
        guard (1...DirectoryFile.nameLimit).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw AppUsersError(
                .invalidArgument, "a name has 1 to \(DirectoryFile.nameLimit) bytes and no control characters")
        }
        guard name != "-", UserIdentifier(name.lowercased()) == nil else {
            throw AppUsersError(
                .invalidArgument,
                "a name that is \"-\" or looks like an identifier would mean another user; take another one")
        }
        if users.contains(where: { $0.id != except && $0.name.utf8.elementsEqual(name.utf8) }) {
            throw AppUsersError(
                .nameTaken,
                "there is a user of that name already; give another one (zamok users restore takes it by --name)")
        }
    }
}
