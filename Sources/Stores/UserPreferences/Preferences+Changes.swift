// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// One change of the store, as delivered to a watcher.
public enum PreferenceChange: Sendable, Equatable {
    /// The origin of a change.
    public enum Source: Sendable, Equatable {
        /// This `Preferences` object.
        case here
        /// Another object, or another process.
        case elsewhere
    }
    /// The value of this key was set or removed. Read the key to get the current value.
    case changed(key: String, by: Source)
    /// The watcher was too far behind to get every change (4,096 are kept), or a changed row is damaged. Read the
    /// values that matter again.
    case missed
    /// The home was erased, or its user removed. This is the last change; the stream ends.
    case removed
}

/// The watchers, and the signal that wakes the one task that notifies them.
struct WatcherList: Sendable {
    var watchers: [Int: AsyncStream<PreferenceChange>.Continuation] = [:]
    var next = 0
    /// Wakes the task; nil without watchers.
    var bell: AsyncStream<Void>.Continuation?
    /// The counters in the shared page when all watchers were up to date.
    var told: SharedCounters.Stamp?
}

extension Preferences {
    /// Changes from now on, in the order in which they took effect, each once, including those of other processes.
    ///
    /// Changes made while the store is not ready are reported after the next unlock. When the home is erased or its
    /// user removed, by this or another process, the stream ends with ``PreferenceChange/removed``.
    public var changes: AsyncStream<PreferenceChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: PreferenceChange.self)
        let number = watchers.withLock { list in
            list.next += 1
            list.watchers[list.next] = continuation
            return list.next
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        startTelling()
        return stream
    }

    private func remove(_ number: Int) {
        let bell = watchers.withLock { list -> AsyncStream<Void>.Continuation? in
            list.watchers[number] = nil
            guard list.watchers.isEmpty else { return nil }
            defer { list.bell = nil }
            return list.bell
        }
        bell?.finish()
    }

    /// Notifies watchers immediately of a change made here.
    func ring() { _ = watchers.withLock { $0.bell }?.yield() }

    private func startTelling() {
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isFirst = watchers.withLock { list in
            guard list.bell == nil else { return false }
            list.bell = bell
            return true
        }
        guard isFirst else { return }
        // Read before the position: a change between the two then causes a needless look-up, and is not missed.
        let now = store.stamp
        watchers.withLock { $0.told = now }
        var position = try? newestSequence()
        Task { [weak self] in
            for await _ in bells { position = self?.tell(after: position) }
        }
        // Other processes count their changes in the shared page, which can't wake a task.
        Task { [weak self] in
            while let self, let told = self.watchers.withLock({ $0.bell == nil ? nil : $0.told }) {
                // Erasing a home invalidates the shared page, which stays mapped here.
                if !self.store.keybag.isUsable { return self.endWatching() }
                if self.store.stamp != told, case .terminated = bell.yield() { return }
                do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
            }
        }
    }

    private func endWatching() {
        let (all, bell) = watchers.withLock { list in
            defer { list = WatcherList(next: list.next) }
            return (Array(list.watchers.values), list.bell)
        }
        for watcher in all {
            watcher.yield(.removed)
            watcher.finish()
        }
        bell?.finish()
    }

    private func newestSequence() throws -> Int64 {
        try store.database.read { try $0.revision() }
    }

    /// Reports all changes after `position` to all watchers, and returns the position to continue from. While the store
    /// is not ready it reports nothing, and a later call tries again.
    private func tell(after position: Int64?) -> Int64? {
        let now = store.stamp
        guard let position else {
            // The start position is unknown, so the changes until now were missed.
            guard let newest = try? newestSequence() else { return nil }
            yield([.missed], asOf: now)
            return newest
        }
        guard let news = try? news(after: position, asOf: now) else { return position }
        yield(news.changes, asOf: now)
        return news.position
    }

    private func yield(_ changes: [PreferenceChange], asOf now: SharedCounters.Stamp) {
        let all = watchers.withLock { list in
            list.told = now
            return Array(list.watchers.values)
        }
        for change in changes {
            for watcher in all { watcher.yield(change) }
        }
    }

    private func news(
        after position: Int64, asOf now: SharedCounters.Stamp
    ) throws -> (changes: [PreferenceChange], position: Int64) {
        try store.database.read { access in
            try store.withCurrentCache(access, asOf: now) { cache in
                let oldest = max(try access.integer("SELECT min(sequence) FROM change") ?? position, 0)
                var changes: [PreferenceChange] = oldest - 1 > position ? [.missed] : []
                var last = position
                try access.rows(Self.newsQuery, arguments: [.integer(position)]) { row in
                    last = row.integer(0)
                    let place = SealedPreference.RowHeader(
                        tag: try row.bytes(1) ?? [], sequence: row.integer(3), isRemoved: row.integer(4) != 0)
                    let source: PreferenceChange.Source = try row.bytes(2) == origin ? .here : .elsewhere
                    do {
                        changes.append(.changed(key: try cache.open(try row.bytes(5) ?? [], place).name, by: source))
                    } catch is SealingError { changes.append(.missed) }
                    return true
                }
                return (changes, last)
            }
        }
    }

    private static let newsQuery =
        "SELECT change.sequence, change.tag, change.origin, preference.sequence, preference.removed, preference.sealed "
        + "FROM change JOIN preference ON preference.tag = change.tag WHERE change.sequence > ? ORDER BY change.sequence"
}
