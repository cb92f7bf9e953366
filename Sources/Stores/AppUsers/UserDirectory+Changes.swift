// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory

extension UserDirectory {
    /// Adds a user without a passcode; set one with `home(of:).keybag.setPasscode`.
    ///
    /// - Parameters:
    ///   - name: 1 to 256 bytes, no control characters; not "-", and not in the form of an identifier.
    ///   - isGuest: Whether the user is erased when they are left.
    /// - Throws: `.invalidArgument`, `.nameTaken`, `.tooMany`, `.damaged` (the list is missing or damaged), `.home` (disk full, read only, ...); nobody was added then.
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

    /// Makes a home and lets `fill` put something into it, under a mark: a process that finds the mark later removes the home. Once the home is whole, another mark says so before any
    /// list names the user, so that a user whom a list may have named is never removed for a mark of an addition. The next change of the list removes that mark.
    func making(_ user: UserIdentifier, _ fill: (Home) throws -> AppUser) throws {
        try marks.write(.adding, of: user)
        do {
            try marks.write(.added(try fill(try root.home(ofUser: user.unique, making: true))), of: user)
        } catch {
            // What can't be removed now is removed by the next change.
            if (try? root.removeHome(ofUser: user.unique)) != nil { try? marks.remove(user) }
            throw error
        }
    }

    /// Takes a user's home into the list that no list names, because the list was missing or is an older one.
    ///
    /// - Throws: `.noSuchUser` (there is none, or it is in the list), `.invalidArgument`, `.nameTaken`, `.tooMany`, `.home` (it does not open).
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

    /// Users whose homes, or parts of them, are here and who are in no list, so that nobody can switch to them: `adopt` takes them into the list. Nothing of theirs is ever removed.
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

    /// Gives a user another name. Touches no data.
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

    /// Removes a user and destroys everything of theirs at once, however much it is, for every process: the epoch is zeroed before anything else. It
    /// can't be undone; copies made before (backups, snapshots) keep what they hold. The recorded user becomes the root home if it was this one.
    ///
    /// If the removal can't be finished now, the next change finishes it; other users are not affected meanwhile.
    ///
    /// - Parameters:
    ///   - user: A user of this directory.
    ///   - losingFiles: Whether to remove the user even if files outside their home depend on these keys and can't be read afterwards; otherwise that throws
    ///     `.filesElsewhere`, and `filesElsewhere(of:)` lists them. A guest who is left is erased whatever depends on them.
    public func remove(_ user: AppUser, losingFiles: Bool = false) throws(AppUsersError) {
        try changing { list in
            guard list.names(user.id) else { throw noSuchUser }
            if !losingFiles { try checkFilesElsewhere(of: user) }
            try marks.write(.removing, of: user.id)
            do { try leave(user.id) } catch {
                // Nothing is destroyed yet: without the mark nothing will be.
                try marks.remove(user.id)
                throw error
            }
            try root.removeHome(ofUser: user.id.unique)
            list.remove(user.id)
        }
        state.withLock { $0.homes.drop(user.id) }
    }

    /// A user who is being removed is no longer current. If the record can't be read, it is left alone.
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

    /// What a missing list means.
    enum MissingList {
        /// Nobody was ever added; an error if there are homes of users all the same.
        case isNew
        /// An empty list.
        case isEmpty
    }

    /// Changes the list under its lock, and finishes what a killed process began.
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
                // What was finished above stays finished, whatever became of this change.
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
                    // A mark that this change wrote again says what is still to be done.
                    if isSettled || ended.contains(user) && marked[user] == mark { try? marks.remove(user) }
                }
                return try result.get()
            }
        } catch {
            throw AppUsersError(error)
        }
    }

    /// nil: the list is missing, or damaged.
    private func readForNewList() throws -> (list: UserList?, isDamaged: Bool) {
        do { return (try file.read(), false) } catch is UserListDamaged { return (nil, true) }
    }

    /// Removes the users whom this change made if the list could not be written with them: nobody was added.
    private func takeBack(_ users: [AppUser]) {
        guard let list = try? file.read() ?? UserList(), let marked = try? marks.all() else { return }
        for user in users where !list.names(user.id) && marked[user.id] == .added(user) {
            // So that a process that finds the home doesn't add the user after all, if the home can't be removed at once.
            try? marks.write(.adding, of: user.id)
            if (try? root.removeHome(ofUser: user.id.unique)) != nil { try? marks.remove(user.id) }
        }
    }

    /// Finishes what carries a mark; returns the users whose marks are to be removed once the list is written. What fails keeps its mark for the next time, and doesn't affect others.
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

    /// Whether a marked user is to be destroyed. nil: it can't be found out.
    private func goes(_ user: UserIdentifier, mark: UserMark, list: UserList?) -> Bool? {
        switch mark {
        // The list that is gone may have named them: they can be adopted.
        case .adding: return list.map { !$0.names(user) } ?? false
        case .added: return false
        case .removing: return true
        case .leaving:
            do { return try root.recordedUser() != user.unique } catch { return nil }
        }
    }

    /// Finishes a removal that was interrupted. Called when the directory is opened and at a switch.
    func finishLeaving() throws(AppUsersError) {
        do {
            guard try marks.all().values.contains(where: \.isGoing) else { return }
        } catch {
            throw AppUsersError(error)
        }
        try changing { _ in }
    }

    /// Whether a user may have this name, as far as that can be said without the others. Errors: `.invalidArgument`.
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
                "a name that is \"-\" or looks like an identifier would stand for somebody else; take another one")
        }
        if users.contains(where: { $0.id != except && $0.name.utf8.elementsEqual(name.utf8) }) {
            throw AppUsersError(
                .nameTaken,
                "there is a user of that name already; give another one (zamok users restore takes it by --name)")
        }
    }
}
