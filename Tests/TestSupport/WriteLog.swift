// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The calls that changed files, in order, as the fault injector recorded them.
package struct WriteLog: Sendable {
    /// One call that succeeded.
    package struct Record: Sendable {
        package let kind: Kind
        /// Its number in its process, from 1 on; what `FaultInjector.Kill` counts.
        package let call: Int
        package let process: Int32
        /// Of the file that was changed; for renames and links, of what has the new path since.
        package let file: File
        package let path: String
        /// The new path of a rename or link.
        package let newPath: String
        package let offset: Int
        /// Bytes allocated.
        package let count: Int
        /// Bytes written.
        package let data: Data
    }

    /// What a call does. The numbers are those of the log.
    package enum Kind: UInt32, Sendable {
        case create = 1
        case write, truncate, allocate, sync, syncData, rename, link, unlink, makeFolder, removeFolder, exchange
        /// Something was sent over a socket; counted where that was asked for.
        case send
    }

    /// A file, under any name.
    package struct File: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    package struct Malformed: Error {}

    /// No calls.
    package init() {}

    package var records: [Record] = []

    /// How many calls the process with the most of them made.
    package var calls: Int { records.map(\.call).max() ?? 0 }

    package init(contentsOf url: URL) throws {
        var rest = try Data(contentsOf: url)[...]
        while !rest.isEmpty {
            let size = Int(try WriteLog.integer(rest, at: 0) as UInt32)
            guard size >= WriteLog.head, size <= rest.count else { throw Malformed() }
            records.append(try Record(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }

    fileprivate static let head = 64

    fileprivate static func integer<I: FixedWidthInteger>(_ bytes: Data, at offset: Int) throws -> I {
        let part = bytes.dropFirst(offset).prefix(MemoryLayout<I>.size)
        guard part.count == MemoryLayout<I>.size else { throw Malformed() }
        return part.reversed().reduce(0) { $0 << 8 | I(truncatingIfNeeded: $1) }
    }
}

extension WriteLog.Record {
    fileprivate init(_ bytes: Data) throws {
        guard let kind = WriteLog.Kind(rawValue: try WriteLog.integer(bytes, at: 4)) else { throw WriteLog.Malformed() }
        self.kind = kind
        call = Int(try WriteLog.integer(bytes, at: 8) as UInt64)
        process = try WriteLog.integer(bytes, at: 16)
        file = WriteLog.File(
            device: try WriteLog.integer(bytes, at: 24), inode: try WriteLog.integer(bytes, at: 32)
        )
        offset = Int(try WriteLog.integer(bytes, at: 40) as Int64)
        count = Int(try WriteLog.integer(bytes, at: 48) as UInt64)
        let pathSize = Int(try WriteLog.integer(bytes, at: 56) as UInt32)
        let otherSize = Int(try WriteLog.integer(bytes, at: 60) as UInt32)
        let behind = bytes.dropFirst(WriteLog.head)
        path = String(decoding: behind.prefix(pathSize), as: UTF8.self)
        newPath = String(decoding: behind.dropFirst(pathSize).prefix(otherSize), as: UTF8.self)
        data = Data(behind.dropFirst(pathSize + otherSize))
    }
}
