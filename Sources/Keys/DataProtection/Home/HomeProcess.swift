// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// The state of one home in this process: the mapped page, and key groups for as long as they are valid. All `Home`
/// objects of a folder share it, so that an unlock through one applies to the others.
///
/// It is the process-local holder, and the cache in front of the kernel's. A watcher thread, started with the first
/// group, wipes groups that became void while the process was idle.
final class HomeProcess: Sendable {
    let page: GenerationPage
    let clock: BootClock
    private let runtime: RuntimeLocks
    private let state = Locked(State())

    private struct State {
        var groups = KeyGroup.Each<KeyGroup>()
        var answers = KeptAnswers()
        var isWatched = false
        /// When the page's file was last checked.
        var lastLook: Int64 = 0
        /// The runtime folder's tokens when the groups were valid.
        var tokens: RuntimeLocks.Tokens?
    }

    private init(_ page: GenerationPage, place: KeybagLocation, clock: BootClock) {
        self.page = page
        self.clock = clock
        runtime = RuntimeLocks(location: HomeLocation(environment: place.environment, files: place.folder.files))
    }

    private static let all = Locked<[(key: Key, process: Weak)]>([])

    private struct Key: Equatable {
        // The object keeps the folder open as long as it lives, so that no other folder gets the same inode number.
        let folder: FileIdentity
        // A child after fork starts with an empty one.
        let process: Int32
    }

    private struct Weak: Sendable { weak var value: HomeProcess? }

    /// This process's object for the folder of `place`. Makes the page if there is none.
    static func of(_ place: KeybagLocation, _ clock: BootClock) throws -> HomeProcess {
        let key = Key(folder: place.folder.identity, process: ThisProcess.identifier)
        func known(_ all: [(key: Key, process: Weak)]) -> HomeProcess? { all.first { $0.key == key }?.process.value }
        if let known = all.withLock({ known($0) }) {
            known.look()
            return known
        }
        let page =
            try GenerationPage(mappingIn: place.folder)
            ?? place.locked { try GenerationPage.makeIfNeeded(in: place.folder) }
        let made = HomeProcess(page, place: place, clock: clock)
        return all.withLock { all in
            if let known = known(all) { return known }
            all.removeAll { $0.process.value == nil }
            all.append((key, Weak(value: made)))
            return made
        }
    }

    deinit { page.ring() }

    /// The count that must stay unchanged for a group of this role to be valid.
    func count(_ role: KeyGroup.Role) -> UInt64 {
        switch role {
        case .complete: page.lockCount
        case .firstUnlock: page.leaveCount
        case .device: 0
        }
    }

    /// Whether nothing has happened that makes a group void.
    func isGood(_ validity: KeyGroup.Validity) -> Bool {
        guard validity.count == count(validity.role), validity.generation == page.keybagGeneration else { return false }
        guard validity.role != .device else { return true }
        let now = clock.now()
        return validity.boot == now.start && (validity.deadline.map { now.nanoseconds < $0 } ?? true)
    }

    /// Whether there was a lock since the keys were opened.
    func isLocked(since validity: KeyGroup.Validity) -> Bool { validity.count != count(validity.role) }

    /// Whether the group can't become valid again. While a change is in progress, an older group may. Another process
    /// may also know a clock that this one doesn't.
    func isVoidForGood(_ validity: KeyGroup.Validity) -> Bool {
        guard validity.generation == page.keybagGeneration else { return false }
        if validity.count != count(validity.role) { return true }
        let now = clock.now()
        guard now.isKnown else { return false }
        return validity.boot != now.start || validity.deadline.map { now.nanoseconds >= $0 } ?? false
    }

    func publish(_ group: KeyGroup) {
        // A lock from before the group was made must not void it.
        lookAtRuntime(making: true)
        let needsWatcher = state.withLock { state in
            state.groups[group.validity.role] = group
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if needsWatcher { startWatcher() }
    }

    func group(_ role: KeyGroup.Role, _ home: UniqueIdentifier, generation: UInt64) -> KeyGroup? {
        lookNowAndThen()
        return state.withLock { state in
            guard let group = state.groups[role] else { return nil }
            guard group.validity.home == home, isGood(group.validity) else {
                state.groups[role] = nil
                return nil
            }
            return group
        }
    }

    func destroy(_ role: KeyGroup.Role, _ home: UniqueIdentifier) {
        state.withLock { $0.groups[role] = nil }
    }

    // MARK: The messengers

    /// Checks whether the mapped page is still the one that a lock reaches, at most every 0.1 s.
    private func lookNowAndThen() {
        let now = ThisProcess.coarseTime
        let isDue = state.withLock { state in
            guard now - state.lastLook >= 100_000_000 else { return false }
            state.lastLook = now
            return true
        }
        if isDue { look() }
    }

    /// Called before keys are made for the page's counts: a page that replaced it since the last check must not void
    /// them immediately.
    func lookBeforePublishing() {
        state.withLock { $0.lastLook = ThisProcess.coarseTime }
        look()
    }

    /// A replaced page counts as a lock, because the counts of the lost page are unknown.
    private func look() {
        guard !page.isStill() else { return }
        state.withLock { state in
            state.groups = KeyGroup.Each()
            state.answers.drop(now: clock.now().nanoseconds) { _ in false }
        }
    }

    /// Checks for a lock of homes that can't be written to.
    private func lookAtRuntime(making: Bool = false) {
        let now = making ? runtime.prepare() : runtime.read()
        state.withLock { state in
            let void = [KeyGroup.Role.complete, .firstUnlock].filter {
                RuntimeLocks.isLock($0, from: state.tokens, to: now)
            }
            // A process that keeps nothing needs no tokens to compare with.
            if !state.groups.isEmpty || !state.answers.isEmpty {
                for role in void { state.groups[role] = nil }
                if !void.isEmpty { state.answers.drop(now: clock.now().nanoseconds) { _ in false } }
            }
            state.tokens = now
        }
    }

    /// The tokens that each lock replaces in the home, and in the runtime folder if there is one. For handed-over keys.
    func tokens(_ role: KeyGroup.Role, _ runtime: RuntimeLocks.Tokens?) -> [UInt8] {
        let own = page.token(.firstUnlock).bytes + (runtime?.leave ?? [])
        return role == .firstUnlock ? own : own + page.token(.complete).bytes + (runtime?.lock ?? [])
    }

    // MARK: Answers

    /// Watches an answer: wipes it when it is void, and lends it to other contexts for `window` nanoseconds.
    func keep(_ answer: PersonAnswer, lending window: UInt64) {
        lookAtRuntime(making: true)
        let needsWatcher = state.withLock { state in
            state.answers.add(answer, lending: window)
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if needsWatcher { startWatcher() }
    }

    /// An answer from less than `window` nanoseconds ago, in a context that lends it.
    func recentAnswer(_ home: UniqueIdentifier, within window: UInt64) -> PersonAnswer? {
        lookNowAndThen()
        let now = clock.now()
        return state.withLock { $0.answers.lent(home, now: now.nanoseconds, within: window) { isGood($0) } }
    }

    // MARK: The watcher

    private func startWatcher() {
        let page = page
        let started = ThisProcess.startThread { [weak self] in
            while true {
                // Read before the check, so that a change after it ends the wait immediately.
                let bell = page.bell
                guard let pause = self?.wipe() else { return }
                page.wait(while: bell, nanoseconds: pause)
            }
        }
        if !started { state.withLock { $0.isWatched = false } }
    }

    /// Drops what is void, and returns how long to sleep in nanoseconds, or nil if nothing is left to watch.
    ///
    /// The sleep is never longer than a second. The page may be replaced, and the runtime folder doesn't wake watchers.
    /// The kernel's clock for sleeping stops during suspend, but a deadline's clock doesn't.
    private func wipe() -> Int64? {
        look()
        lookAtRuntime()
        return state.withLock { state in
            state.groups.removeAll { !isGood($0.validity) }
            state.answers.drop(now: clock.now().nanoseconds) { isGood($0) }
            guard !state.groups.isEmpty || !state.answers.isEmpty else {
                state.isWatched = false
                return nil
            }
            return 800_000_000
        }
    }
}
