// SPDX-License-Identifier: Apache-2.0

import GRDB
import SecretMemory

/// The first connection, which only reads: whoever finds it free is spared the pool, which hands out its readers through two queues and asks
/// each time for the schema's version (measured: half of a lookup). The pool's readers are opened only when two threads read at once.
final class SingleReader: Sendable {
    private let open: @Sendable () throws -> DatabaseQueue
    private let isTaken = SharedNumber()
    /// Touched only by whoever took it.
    private let queue = Locked<DatabaseQueue?>(nil)

    init(_ open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

    /// Reads by one statement if nobody else reads at this moment; nil otherwise.
    func read<R>(_ body: (Database) throws -> R) throws -> Answer<R>? {
        try taken { try $0.unsafeRead(body) }
    }

    /// Reads by any number of statements that see one state; nil if somebody else reads.
    func readConsistently<R>(_ body: (Database) throws -> R) throws -> Answer<R>? {
        try taken { try $0.read(body) }
    }

    private func taken<R>(_ body: (DatabaseQueue) throws -> R) throws -> Answer<R>? {
        guard isTaken.exchange(1) == 0 else { return nil }
        defer { isTaken.value = 0 }
        return Answer(value: try body(connection()))
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
