// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecretMemory

/// The connections of one database file: a writer, and readers beside it. Each is opened when it is first needed.
///
/// A process that looks one item up and exits, such as the command, needs one connection (measured: 0.9 ms).
final class Connections: Sendable {
    private let openReader: @Sendable (_ isFirst: Bool) throws -> Connection
    private let openWriter: @Sendable () throws -> Connection

    /// The first reader avoids the queue of the others. They are opened only when several threads read at once.
    private let firstReader = Locked<Connection?>(nil)
    private let isFirstTaken = SharedNumber()
    private let otherReaders = Locked<[Connection]>([])
    private let readersLeft = DispatchSemaphore(value: 5)

    private let writer = Locked<Connection?>(nil)
    /// Threads write in the order in which they came.
    private let writers = DispatchQueue(label: "zamok.writers")

    init(
        reader: @escaping @Sendable (_ isFirst: Bool) throws -> Connection,
        writer: @escaping @Sendable () throws -> Connection
    ) {
        openReader = reader
        openWriter = writer
    }

    /// The writer is closed last, because the last connection cleans up the files if it may write.
    deinit {
        firstReader.withLock { $0 = nil }
        otherReaders.withLock { $0 = [] }
    }

    /// Lends a reader, without a transaction.
    func read<R>(_ body: (Connection) throws -> R) throws -> R {
        if isFirstTaken.exchange(1) == 0 {
            defer { isFirstTaken.value = 0 }
            return try body(try known(firstReader) { try openReader(true) })
        }
        readersLeft.wait()
        defer { readersLeft.signal() }
        let reader = try otherReaders.withLock { $0.popLast() } ?? openReader(false)
        defer { otherReaders.withLock { $0.append(reader) } }
        return try body(reader)
    }

    /// Lends the writer, without a transaction, to one thread at a time.
    func write<R>(_ body: (Connection) throws -> R) throws -> R {
        try writers.sync { try body(try known(writer, openWriter)) }
    }

    /// Called by the only user of the connection.
    private func known(
        _ connection: borrowing Locked<Connection?>, _ open: () throws -> Connection
    ) throws -> Connection {
        if let known = connection.withLock({ $0 }) { return known }
        let opened = try open()
        connection.withLock { $0 = opened }
        return opened
    }
}
