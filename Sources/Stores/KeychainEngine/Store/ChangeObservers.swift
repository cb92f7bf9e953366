// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory

/// A change of a home's items.
package enum ItemChange: Sendable, Equatable {
    case added(PersistentReference)
    case updated(PersistentReference)
    case deleted(PersistentReference)
    /// A search skipped this item, because it is damaged or its key was destroyed.
    case damaged(PersistentReference)
    /// Another process, or another `Home` object of this process, wrote.
    case elsewhere
}

/// The subscribers of changes.
final class ChangeObservers: Sendable {
    private let keybag: Keybag
    private let state = Locked(State())
    private let ownWrites = Locked<UInt64>(0)

    private struct State: Sendable {
        var streams: [Int: AsyncStream<ItemChange>.Continuation] = [:]
        var next = 0
    }

    /// The most elements buffered for a slow reader. Beyond that the oldest are dropped.
    private static let mostWaiting = 1024
    private static let pause = Duration.milliseconds(100)

    init(_ keybag: Keybag) { self.keybag = keybag }

    func tell(_ changes: [ItemChange]) {
        if changes.isEmpty { return }
        // A copy, so that no reader is called under the lock.
        for stream in state.withLock({ Array($0.streams.values) }) {
            for change in changes { stream.yield(change) }
        }
    }

    /// Called before the shared counter is raised. What that counts beyond own writes was written by other processes.
    func countOwnWrite() { ownWrites.withLock { $0 += 1 } }

    func stream() -> AsyncStream<ItemChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ItemChange.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting)
        )
        let number = state.withLock { state in
            state.next += 1
            state.streams[state.next] = continuation
            return state.next
        }
        let watcher = watch(continuation)
        continuation.onTermination = { [weak self] _ in
            watcher.cancel()
            self?.state.withLock { $0.streams[number] = nil }
        }
        return stream
    }

    /// Other processes announce their writes only through the shared counter, so that announcing costs them nothing.
    private func watch(_ continuation: AsyncStream<ItemChange>.Continuation) -> Task<Void, Never> {
        var seen = writesElsewhere
        return Task.detached { [weak self] in
            while (try? await Task.sleep(for: Self.pause)) != nil {
                guard let self, self.keybag.isUsable else { return continuation.finish() }
                let now = self.writesElsewhere
                // Own writes are counted here first. So for a moment the difference may be too small, never too large.
                guard now > seen else { continue }
                seen = now
                continuation.yield(.elsewhere)
            }
        }
    }

    private var writesElsewhere: UInt64 {
        let own = ownWrites.withLock { $0 }
        let all = keybag.changeCount(.keychain)
        return all >= own ? all - own : 0
    }
}

extension ItemStore {
    /// Every change from now on. Each call makes its own stream, whose watcher ends with its reader.
    package func changes() -> AsyncStream<ItemChange> { observers.stream() }
}
