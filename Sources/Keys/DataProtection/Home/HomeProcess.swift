// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// What this process keeps of one home: the mapped page, and key groups for as long as they are valid. All `Home` objects of a
/// folder share it, so that an unlock through one holds for the others.
///
/// It is the process-local holder, and the cache in front of the kernel's. A watcher thread, started when the first group comes,
/// wipes groups that went void while the process was idle.
final class HomeProcess: Sendable {
    let page: GenerationPage
    let clock: BootClock
    private let runtime: RuntimeLocks
    private let state = Locked(State())

    private struct State {
        var groups = KeyGroup.Each<KeyGroup>()
        var answers = KeptAnswers()
        var isWatched = false
        /// When the page's file was last looked at.
        var lastLook: Int64 = 0
        /// The runtime folder's tokens when the groups were valid.
        var tokens: RuntimeLocks.Tokens?
    }

    private init(_ page: GenerationPage, place: KeybagPlace, clock: BootClock) {
        self.page = page
        self.clock = clock
        runtime = RuntimeLocks(location: HomeLocation(environment: place.environment, files: place.folder.files))
    }

    private static let all = Locked<[(key: Key, process: Weak)]>([])

    private struct Key: Equatable {
        // The object holds the folder open as long as it lives, so that no other folder gets its number.
        let folder: FileIdentity
        // A child after fork begins with an empty one.
        let process: Int32
    }

    private struct Weak: Sendable { weak var value: HomeProcess? }

    /// This process's object for the folder of `place`. Makes the page where there is none.
    static func of(_ place: KeybagPlace, _ clock: BootClock) throws -> HomeProcess {
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

    /// The count that has to stay the same for a group of this role to be valid.
    func count(_ role: KeyGroup.Role) -> UInt64 {
        switch role {
        case .complete: page.lockCount
        case .firstUnlock: page.leaveCount
        case .device: 0
        }
    }

    /// Whether nothing has happened since that makes a group void.
    func isGood(_ validity: KeyGroup.Validity) -> Bool {
        guard validity.count == count(validity.role), validity.generation == page.keybagGeneration else { return false }
        guard validity.role != .device else { return true }
        let now = clock.now()
        return validity.boot == now.start && (validity.deadline.map { now.nanoseconds < $0 } ?? true)
    }

    /// Whether there was a lock since the keys were opened.
    func isLocked(since validity: KeyGroup.Validity) -> Bool { validity.count != count(validity.role) }

    /// Whether it can't become valid again: while a change is under way an older group may, and another process may know a clock that this one doesn't.
    func isVoidForGood(_ validity: KeyGroup.Validity) -> Bool {
        guard validity.generation == page.keybagGeneration else { return false }
        if validity.count != count(validity.role) { return true }
        let now = clock.now()
        guard now.isKnown else { return false }
        return validity.boot != now.start || validity.deadline.map { now.nanoseconds >= $0 } ?? false
    }

    func publish(_ group: KeyGroup) {
        // A lock before the group was made must not end it.
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

    /// Looks whether the page that is mapped is still the one that a lock reaches, at most once in a tenth of a second.
    private func lookNowAndThen() {
        let now = ThisProcess.coarseTime
        let isDue = state.withLock { state in
            guard now - state.lastLook >= 100_000_000 else { return false }
            state.lastLook = now
            return true
        }
        if isDue { look() }
    }

    /// Called before keys are made for the page's counts: a page that replaced it since the last look must not end them at once.
    func lookBeforePublishing() {
        state.withLock { $0.lastLook = ThisProcess.coarseTime }
        look()
    }

    /// An exchanged page counts as a lock: nobody knows what the lost one would have said.
    private func look() {
        guard !page.isStill() else { return }
        state.withLock { state in
            state.groups = KeyGroup.Each()
            state.answers.drop(now: clock.now().nanoseconds) { _ in false }
        }
    }

    /// A lock of homes that can't be written to.
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

    /// For keys that are handed over: the tokens that each lock replaces in the home, and in the runtime folder where there is one.
    func tokens(_ role: KeyGroup.Role, _ runtime: RuntimeLocks.Tokens?) -> [UInt8] {
        let own = page.token(.firstUnlock).bytes + (runtime?.leave ?? [])
        return role == .firstUnlock ? own : own + page.token(.complete).bytes + (runtime?.lock ?? [])
    }

    // MARK: Answers

    /// Watches over an answer: it is wiped when it is void, and lent to other contexts for `window` nanoseconds.
    func keep(_ answer: PersonAnswer, lending window: UInt64) {
        lookAtRuntime(making: true)
        let needsWatcher = state.withLock { state in
            state.answers.add(answer, lending: window)
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if needsWatcher { startWatcher() }
    }

    /// What a person answered less than `window` nanoseconds ago, in a context that lends it.
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
                // Read before the check, so that a change after it ends the wait at once.
                let bell = page.bell
                guard let pause = self?.wipe() else { return }
                page.wait(while: bell, nanoseconds: pause)
            }
        }
        if !started { state.withLock { $0.isWatched = false } }
    }

    /// Drops what is void, and returns how long to sleep, or nil when nothing is left to watch.
    ///
    /// Never longer than a second: the page may be exchanged, the runtime folder rings no bell, and the kernel's clock for sleeping stands still while the
    /// machine sleeps, a deadline's does not.
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
