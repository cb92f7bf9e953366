// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// What an unlock yields: the key of the app's content. It is in memory only while the app is unlocked.
///
/// Where an unlock is a `Bool`, a process that is changed while it runs answers true, and shows content that it has all
/// the time (OWASP MASVS-AUTH-2). Here the content can't be opened without the key, and the key comes from what the
/// user proves: a passcode from which it is derived, or an item that the keychain gives out for the user's presence
/// alone.
///
/// Give it to `PrivacyScreen.install(policy:ownCover:unlocking:)`, or call `unlock` where a Boolean is asked for. A
/// lock and a change of user drop the key before the cover is on. If it is the last reference, a `Secret` is wiped
/// then.
public final class UnlockedKey<Key: Sendable>: ConfidentialContent {
    private struct State: Sendable {
        var key: Key?
        /// Counts what dropped the key, so that a prompt from before yields nothing.
        var drops = 0
        var streams: [Int: AsyncStream<Key?>.Continuation] = [:]
        var streamsMade = 0

        mutating func set(_ new: Key?) {
            key = new
            for stream in streams.values { stream.yield(new) }
        }
    }
    private let state = Locked(State())
    private let open: @MainActor @Sendable () async throws -> Key

    /// No key yet. `open` asks the user and returns the key; it throws if the user fails or gives up.
    public init(
        in contents: ConfidentialContents = .shared, opening open: @escaping @MainActor @Sendable () async throws -> Key
    ) {
        self.open = open
        contents.add(self)
    }

    /// The key; nil while the app is locked. Don't keep it: ask for it each time.
    public var key: Key? { state.withLock { $0.key } }

    /// Asks the user for the key. Returns whether it is there now. A key that arrives after a newer lock is dropped.
    @MainActor
    public func unlock() async -> Bool {
        let drops = state.withLock { $0.drops }
        guard let key = try? await open() else { return false }
        return state.withLock { state in
            guard state.drops == drops else { return false }
            state.set(key)
            return true
        }
    }

    /// The key, and nil without one: now, and after each unlock and lock. For a view that opens its content with it,
    /// and drops that with the key. A reader that is slow gets the last alone.
    public func keys() -> AsyncStream<Key?> {
        let (stream, continuation) = AsyncStream<Key?>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.streamsMade += 1
            state.streams[state.streamsMade] = continuation
            continuation.yield(state.key)
            return state.streamsMade
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    private func forget(_ number: Int) { _ = state.withLock { $0.streams.removeValue(forKey: number) } }

    /// Drops the key at a lock and a change of user.
    public func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant) {
        guard event == .locked || event == .userChanged else { return }
        // Released outside the lock: what the key wipes may take long.
        let key = state.withLock { state in
            state.drops += 1
            let key = state.key
            state.set(nil)
            return key
        }
        withExtendedLifetime(key) {}
    }

    /// Does nothing: a key shows nothing.
    public func mask() {}

    /// Does nothing: a key falls due with the lock.
    public func expire(at now: ContinuousClock.Instant) {}

    /// nil: a key falls due with the lock.
    public var deadline: ContinuousClock.Instant? { nil }
}
