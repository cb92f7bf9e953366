// SPDX-License-Identifier: Apache-2.0

import GRDB
import SecretMemory
import Synchronization

/// One more connection that only reads, for what one statement answers: whoever finds it free is spared the pool, which
/// hands out its readers through two queues and asks each time for the schema's version (measured: half of a lookup).
///
/// A connection costs memory and time to open: this one takes the place of the pool's first reader, which is opened only
/// when two threads read at once.
final class SingleReader: Sendable {
    private let open: @Sendable () throws -> DatabaseQueue
    private let isTaken = Atomic(false)
    /// Touched only by whoever took it.
    private let queue = Locked<DatabaseQueue?>(nil)

    init(_ open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

    /// Reads if nobody else does at this moment; nil otherwise.
    func read<R>(_ body: (Database) throws -> R) throws -> Answer<R>? {
        guard !isTaken.exchange(true, ordering: .acquiring) else { return nil }
        defer { isTaken.store(false, ordering: .releasing) }
        return Answer(value: try connection().unsafeRead(body))
    }

    private func connection() throws -> DatabaseQueue {
        if let known = queue.withLock({ $0 }) { return known }
        let opened = try open()
        queue.withLock { $0 = opened }
        return opened
    }

    /// A value, which may itself be an optional.
    struct Answer<R> { let value: R }

    /// Before the writer is closed, so that the writer is the last one, which tidies the files up.
    func close() { queue.withLock { $0 = nil } }
}
