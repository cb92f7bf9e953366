// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// What this process keeps of one home: the mapped page, and key groups for as long as they are good. All `Home` objects of a
/// folder share it, so that an unlock through one holds for the others.
///
/// It is the process-local holder, and the cache in front of the kernel's. A watcher thread, started when the first group comes,
/// wipes groups that went void while the process was idle.
final class HomeProcess: KeyHolder {
    let page: GenerationPage
    let clock: BootClock
    private let state = Locked(State())

    private struct State {
        var groups: [KeyGroup.Role: KeyGroup] = [:]
        var answers = KeptAnswers()
        var isWatched = false
    }

    private init(_ page: GenerationPage, _ clock: BootClock) {
        self.page = page
        self.clock = clock
    }

    private static let all = Locked<[Key: Weak]>([:])

    private struct Key: Hashable {
        let folder: HomeFolder.Identity
        // The page too: a folder that was removed and made anew can have the number of the old one.
        let page: HomeFolder.Identity
        // A child after fork starts anew.
        let process: Int32
    }

    private struct Weak: Sendable { weak var value: HomeProcess? }

    /// The one of this process for the folder of `place`. Makes the page where there is none.
    static func of(_ place: KeybagPlace, _ clock: BootClock) throws -> HomeProcess {
        let page =
            try GenerationPage(mappingIn: place.folder)
            ?? place.locked { try GenerationPage.makeIfNeeded(in: place.folder) }
        let key = Key(folder: place.folder.identity, page: page.identity, process: ThisProcess.identifier)
        if let known = all.withLock({ $0[key]?.value }) { return known }
        let made = HomeProcess(page, clock)
        return all.withLock { all in
            if let known = all[key]?.value { return known }
            all = all.filter { $0.value.value != nil }
            all[key] = Weak(value: made)
            return made
        }
    }

    deinit { page.ring() }

    /// What has to stay the same for a group of this role to be good.
    func count(_ role: KeyGroup.Role) -> UInt64 {
        switch role {
        case .complete: page.lockCount
        case .firstUnlock: page.leaveCount
        case .device: 0
        }
    }

    /// Whether nothing happened since that makes a group void.
    func isGood(_ validity: KeyGroup.Validity) -> Bool {
        guard validity.count == count(validity.role), validity.generation == page.keybagGeneration else { return false }
        guard validity.role != .device else { return true }
        let now = clock.now()
        return validity.boot == now.start && (validity.deadline.map { now.nanoseconds < $0 } ?? true)
    }

    func publish(_ group: KeyGroup) {
        let needsWatcher = state.withLock { state in
            state.groups[group.validity.role] = group
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if needsWatcher { startWatcher() }
    }

    func group(_ role: KeyGroup.Role, _ home: UniqueIdentifier, generation: UInt64) -> KeyGroup? {
        state.withLock { state in
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

    // MARK: Answers

    /// Watches over an answer: it is wiped when it is void, and lent to other contexts for `window` nanoseconds.
    func keep(_ answer: PersonAnswer, lending window: UInt64) {
        let needsWatcher = state.withLock { state in
            state.answers.add(answer, lending: window)
            defer { state.isWatched = true }
            return !state.isWatched
        }
        // One that waits for a change has to learn that there is a time to look at.
        if needsWatcher { startWatcher() } else { page.ring() }
    }

    /// What a person answered less than `window` nanoseconds ago, in a context that lends it.
    func recentAnswer(_ home: UniqueIdentifier, within window: UInt64) -> PersonAnswer? {
        let now = clock.now()
        return state.withLock { $0.answers.lent(home, now: now.nanoseconds, within: window) { isGood($0) } }
    }

    // MARK: The watcher

    private func startWatcher() {
        let page = page
        let started = ThisProcess.startThread { [weak self] in
            while true {
                // Read before the check: a change after it ends the wait at once.
                let bell = page.bell
                guard let pause = self?.wipe() else { return }
                page.wait(while: bell, nanoseconds: pause)
            }
        }
        if !started { state.withLock { $0.isWatched = false } }
    }

    /// Drops what is void; how long to sleep, or nil when nothing is left to watch.
    private func wipe() -> Int64? {
        state.withLock { state in
            state.groups = state.groups.filter { isGood($0.value.validity) }
            state.answers.drop(now: clock.now().nanoseconds) { isGood($0) }
            guard !state.groups.isEmpty || !state.answers.isEmpty else {
                state.isWatched = false
                return nil
            }
            // The kernel's clock for sleeping stands still while the machine sleeps, the deadline's does not: look every second.
            let hasTime = state.answers.haveTime || state.groups.values.contains { $0.validity.deadline != nil }
            return hasTime ? 900_000_000 : 60_000_000_000
        }
    }
}
