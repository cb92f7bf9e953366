// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory
import UserPreferences

/// Observes switches: finishes its work for the old user, and drops what it knows of them.
public protocol UserObserver: Sendable {
    /// The switch is about to leave the user; nil: the root home. Save unsaved data. After the deadline the switch
    /// continues without waiting.
    func willLeave(_ user: AppUser?) async
    /// The switch is complete.
    func didSwitch(to user: AppUser?, session: UserSession) async
}

/// What happens to the user that a switch leaves.
public enum LeavingPolicy: Sendable, Equatable {
    /// Locked at once, as before the first unlock.
    case lock
    /// Stays unlocked for this time, so that switching back needs no passcode. Afterwards the user is as before the
    /// first unlock, for every process, even if this one has ended. The time is measured on the boot clock.
    case keepUnlocked(for: Duration)
}

/// The period in which one user is current. Work for a user carries its session, and stops when the session has ended.
public struct UserSession: Sendable, Equatable {
    let epoch: UInt64
    /// The user; nil: the root home.
    public let user: UserIdentifier?
}

extension UserDirectory {
    /// The present session.
    public var session: UserSession {
        let epoch = Self.epoch.withLock { $0 }
        return UserSession(epoch: epoch, user: (try? homeInUse)?.user)
    }

    /// Counts the switches of this process. It is global, like `Home.current`: a switch by any directory object ends
    /// a session.
    private static let epoch = Locked<UInt64>(0)

    /// The home that this process uses; if it has used none yet, the recorded user's. It never creates the home that
    /// the environment names, which may not be this directory's.
    var homeInUse: Home {
        get throws { try Home.openCurrent ?? recorded().map { user in try home(of: user) } ?? root }
    }

    /// Whether work of that session may still show and store its results.
    public func isCurrent(_ session: UserSession) -> Bool { self.session == session }

    /// Adds an observer; returns the number that removes it.
    public func addObserver(_ observer: any UserObserver) -> Int {
        state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
    }

    /// Removes an observer.
    public func removeObserver(_ number: Int) { state.withLock { $0.observers[number] = nil } }

    /// Makes `user` the current user of this process, and the one that new processes start with; nil: the root home.
    ///
    /// Order: observers finish (at most `deadline`), and writes of relaxed stores are made durable. The old user's
    /// values in memory are dropped, and the user is locked as `leaving` says. The pointer is written durably: the
    /// moment of the switch. `Home.current` changes, and observers are notified. If the process is killed at any point,
    /// the next start is with exactly one of the two users. A guest is erased when the switch leaves them.
    ///
    /// - Throws: `.noSuchUser`, `.busy`, `.home`, `.cancelled`. The old user then stays current, but may be
    ///   locked already.
    public func `switch`(
        to user: AppUser?, leaving policy: LeavingPolicy = .lock, deadline: Duration = .seconds(3)
    ) async throws(AppUsersError) {
        guard
            state.withLock({ state in
                defer { state.isSwitching = true }
                return !state.isSwitching
            })
        else { throw AppUsersError(.busy, "another switch is under way") }
        defer { state.withLock { $0.isSwitching = false } }
        var isLeft = false
        do {
            // A lost list must not prevent a user from leaving.
            try finishLeavingIfKnown()
            let next = try user.map { (user) throws(AppUsersError) in try home(of: user) } ?? root
            // Read once for all uses below.
            let listed = Result { try present() }
            let old = try homeToLeave(listed)
            // If the old user is not known for certain, lock the recorded user, or all users if there is no record.
            if policy == .lock, isRecordUnusable(listed) { try? root.lockRecorded() }
            let leaving = old.user.flatMap { id in (try? listed.get())?.first { $0.id == id } }
            guard old.folder != next.folder else { return try stay(next, user) }
            await finish(leaving, deadline)
            try Task.checkCancellation()
            isLeft = true
            try leave(old, policy)
            if let leaving, leaving.isGuest {
                try eraseGuest(leaving) { try enter(next, user, instead: old) }
            } else {
                try enter(next, user, instead: old)
            }
        } catch {
            if !isLeft { lockWhoWasToBeLeft(policy, error) }
            throw AppUsersError(error)
        }
        await announce(user)
    }

    private func enter(_ home: Home, _ user: AppUser?, instead old: Home) throws {
        try root.recordUser(user?.id.unique)
        // No process could start with a user that was removed meanwhile. Checked only now: a removal that begins after
        // this sees the record.
        if let user, let present = try? present(), !present.contains(where: { $0.id == user.id }) {
            try root.recordUser(old.userIdentifier)
            throw noSuchUser
        }
        Home.setCurrent(home)
        Self.epoch.withLock { $0 &+= 1 }
        try stayOpen(home)
    }

    /// Erases a guest once `enter` has recorded another user. Writes a mark first, and holds the lock until the guest
    /// is erased. A process that finds the mark under the lock thus knows that this process ended. The pointer shows
    /// how far it got.
    private func eraseGuest(_ guest: AppUser, after enter: () throws -> Void) throws(AppUsersError) {
        try changing { list in
            try marks.write(.leaving, of: guest.id)
            do { try enter() } catch {
                try? marks.remove(guest.id)
                throw error
            }
            // The new user stays current; the next change removes what can't be removed now.
            if (try? root.removeHome(ofUser: guest.id.unique)) != nil { list.remove(guest.id) }
        }
        state.withLock { $0.homes.drop(guest.id) }
    }

    /// The home to leave. A recorded user that was removed has none. If the record is unusable, a switch is the remedy.
    private func homeToLeave(_ listed: Result<[AppUser], any Error>) throws -> Home {
        do {
            return try homeInUse
        } catch {
            guard (error as? AppUsersError)?.code == .noSuchUser || isRecordUnusable(listed) else { throw error }
            return root
        }
    }

    /// Whether the record, or the recorded user's entry in the list, is lost.
    private func isRecordUnusable(_ listed: Result<[AppUser], any Error>) -> Bool {
        do throws(AppUsersError) {
            _ = try recorded { try listed.get() }
            return false
        } catch {
            return error.code == .damaged || (error.cause as? DataProtectionError)?.code == .damaged
        }
    }

    /// The process stays with this home, but another process may have switched and recorded another user.
    private func stay(_ home: Home, _ user: AppUser?) throws {
        // Also written if the record is unreadable.
        let isRecorded = (try? root.recordedUser() == user?.id.unique) ?? false
        if !isRecorded { try root.recordUser(user?.id.unique) }
        if Home.openCurrent == nil { Home.setCurrent(home) }
    }

    private func finish(_ user: AppUser?, _ deadline: Duration) async {
        let observers = state.withLock { Array($0.observers.values) }
        guard !observers.isEmpty else { return }
        // Unstructured: an observer that never finishes must not block the switch.
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await withTaskGroup(of: Void.self) { group in
                for observer in observers { group.addTask { await observer.willLeave(user) } }
            }
            end.yield()
        }
        let timer = Task {
            try? await Task.sleep(for: deadline)
            end.yield()
        }
        for await _ in ends { break }
        work.cancel()
        timer.cancel()
    }

    /// Locks in every case. Unsaved or damaged data is reported afterwards.
    private func leave(_ home: Home, _ policy: LeavingPolicy) throws {
        // Saving needs the keys, so it comes first.
        let saved = Result {
            let open = try home.store(OpenPreferences.self) { OpenPreferences() }
            defer { open.forget() }
            try open.flush()
        }
        switch policy {
        case .keepUnlocked(let time):
            guard case .success = saved else { fallthrough }
            do {
                let before = try home.keybag.stayUnlocked(for: time)
                let user = home.user
                state.withLock { $0.kept[user] = before }
            } catch {
                try? lockCompletely(home)
                throw error
            }
        case .lock: try lockCompletely(home)
        }
        try saved.get()
    }

    private func finishLeavingIfKnown() throws {
        do { try finishLeaving() } catch let error {
            guard error.code == .damaged else { throw error }
        }
    }

    private func lockCompletely(_ home: Home) throws {
        // A home without a passcode has nothing to lock.
        do { try home.keybag.lockCompletely() } catch  where error.code == .noPasscode {}
    }

    /// For a switch that failed before leaving: damage must not keep a user's keys in memory. After an invalid call or
    /// a cancellation the user stays unlocked.
    private func lockWhoWasToBeLeft(_ policy: LeavingPolicy, _ error: any Error) {
        guard policy == .lock, !(error is CancellationError) else { return }
        let code = (error as? AppUsersError)?.code
        guard code != .noSuchUser, code != .busy, code != .cancelled else { return }
        try? root.lockRecorded()
        if let open = Home.openCurrent { try? open.keybag.lockCompletely() }
    }

    /// A user that returns in time is not locked when the time is over.
    private func stayOpen(_ home: Home) throws {
        let user = home.user
        guard let before = state.withLock({ $0.kept.removeValue(forKey: user) }) else { return }
        try home.keybag.stayUnlocked(as: before)
    }

    private func announce(_ user: AppUser?) async {
        let session = session
        for observer in state.withLock({ Array($0.observers.values) }) {
            await observer.didSwitch(to: user, session: session)
        }
    }
}
