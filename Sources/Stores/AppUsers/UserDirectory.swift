// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Foundation
import SecretMemory

/// The users of an app: the list of them, the current one, and the switch between them.
///
///     let directory = try UserDirectory()
///     let anna = try directory.add("Anna")
///     try await directory.switch(to: anna)
///
/// Each user has their own home, with keybag, optional passcode, keychain, preferences and files. Without users the
/// root home is current. All methods may be called from any thread, and any number of processes may use one directory.
public final class UserDirectory: Sendable {
    /// The home that holds the users' homes.
    public let root: Home
    let file: DirectoryFile
    let marks: MarkFiles
    let state = Locked(State())

    struct State: Sendable {
        var homes = KeptHomes()
        var observers: [Int: any UserObserver] = [:]
        var nextObserver = 0
        var isSwitching = false
        /// Users that stay unlocked for a time after a switch, and how long they stayed unlocked before. Nil: the
        /// root home.
        var kept: [UserIdentifier?: Keybag.UnlockedTimes] = [:]
    }

    /// Opens the directory of a root home; by default, that of `Home.current`.
    ///
    /// Errors: `.home`. A damaged list is reported only by calls that need it: a switch must still lock the user
    /// it leaves.
    public init(root: Home? = nil) throws(AppUsersError) {
        do {
            let home = try root ?? Home.current
            self.root = home.root ?? home
            file = DirectoryFile(root: self.root)
            marks = MarkFiles(root: self.root)
        } catch {
            throw AppUsersError(error)
        }
        // A home that is not writable is still readable: a guest that was left is not listed.
        try? finishLeaving()
    }

    /// All users, in the order in which they were added. Works in every lock state, for login screens.
    public func users() throws(AppUsersError) -> [AppUser] {
        do { return try present() } catch { throw AppUsersError(error) }
    }

    /// The list on disk. Empty for a home that never had a user; an error if the list is missing but homes of
    /// users exist.
    func read(_ marked: [UserIdentifier: UserMark]) throws -> UserList {
        do {
            if let list = try file.read() { return list }
        } catch let error as UserListDamaged {
            throw lostList("is damaged", error)
        }
        guard try unlisted(completed(UserList(), marked), marked).isEmpty else {
            throw lostList("is missing, but homes of users are there", nil)
        }
        return UserList()
    }

    /// Adds to the list the users whose addition a process completed, except for the list, before it ended. A user that
    /// can't be added keeps the home and is reported as unlisted.
    func completed(_ list: UserList, _ marked: [UserIdentifier: UserMark]) -> UserList {
        var list = list
        let added = marked.values.compactMap { mark in if case .added(let user) = mark { user } else { nil } }
        for user in added.sorted(by: { $0.created < $1.created }) where !list.names(user.id) {
            try? Self.admit(user, into: &list.users)
        }
        return list
    }

    /// The error, with its remedy.
    private func lostList(_ what: String, _ cause: UserListDamaged?) -> AppUsersError {
        let place = "\(root.folder)/\(DirectoryFile.fileName)"
        let homes = (try? unlisted()) ?? []
        let remedy =
            homes.isEmpty
            ? "or, as no home of a user is here, move it away"
            : "or take those whose homes are here (zamok doctor names all) into a new list, each under a name: zamok users adopt \(homes[0]) NAME"
        return AppUsersError(
            .damaged, "\(place), the list of users, \(what); put it back from a backup, \(remedy)", cause: cause)
    }

    /// The listed users, except those whose removal is under way or was interrupted.
    func present() throws -> [AppUser] {
        let marked = try marks.all()
        let going = marked.filter { user, mark in
            switch mark {
            case .adding, .added: false
            case .removing: true
            case .leaving: (try? root.recordedUser()) != user.unique
            }
        }
        return completed(try read(marked), marked).users.filter { going[$0.id] == nil }
    }

    /// Users whose removal has begun but is not finished; each change tries again.
    public func unfinishedRemovals() throws(AppUsersError) -> [UserIdentifier] {
        do {
            return try marks.all().filter { $0.value == .removing }.keys.sorted { $0.description < $1.description }
        } catch {
            throw AppUsersError(error)
        }
    }

    /// The user with this identifier or name; names are compared byte for byte.
    public func user(named name: String) throws(AppUsersError) -> AppUser {
        let all = try users()
        // Identifiers first, so that a name can't impersonate another user's identifier.
        if let id = UserIdentifier(name), let user = all.first(where: { $0.id == id }) { return user }
        if let user = all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return user }
        throw AppUsersError(
            .noSuchUser,
            "there is no user of that name; see: zamok users list (the root home, which belongs to no user, is called -)"
        )
    }

    /// The user that this process uses now; nil: the root home.
    public func current() throws(AppUsersError) -> AppUser? {
        guard let id = (try? homeInUse)?.user else { return nil }
        return try users().first { $0.id == id }
    }

    /// The user that processes start with; nil: the root home.
    public func recorded() throws(AppUsersError) -> AppUser? { try recorded { try present() } }

    func recorded(among listed: () throws -> [AppUser]) throws(AppUsersError) -> AppUser? {
        do {
            guard let id = try root.recordedUser().map(UserIdentifier.init) else { return nil }
            guard let user = try listed().first(where: { $0.id == id }) else {
                throw AppUsersError(
                    .noSuchUser,
                    "\(id) is recorded as the current user, and is not in the list of users; switch to one who is: zamok users switch NAME, or to "
                        + "the root home: zamok users switch --nobody")
            }
            return user
        } catch {
            throw AppUsersError(error)
        }
    }

    /// The home of a user, opened once and then kept. Runs no KDF. Errors: `.noSuchUser`, `.home`.
    public func home(of user: AppUser) throws(AppUsersError) -> Home {
        if let known = state.withLock({ $0.homes[user.id] }) { return known }
        do {
            guard try present().contains(where: { $0.id == user.id }) else { throw noSuchUser }
            let opened = try root.home(ofUser: user.id.unique, making: false)
            return state.withLock { state in
                if let known = state.homes[user.id] { return known }
                state.homes.keep(opened, user.id, besides: Set(state.kept.keys.compactMap(\.self)))
                return opened
            }
        } catch {
            throw AppUsersError(error)
        }
    }

    var noSuchUser: AppUsersError { AppUsersError(.noSuchUser, "there is no such user, or the user was removed") }
}
