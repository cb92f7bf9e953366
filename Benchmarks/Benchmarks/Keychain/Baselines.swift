// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// What a plain, unencrypted table costs with the same library, index and durability.
final class PlainTable {
    let pool: DatabasePool
    private let folder: URL

    init(count: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-plain-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        pool = try DatabasePool(path: folder.appendingPathComponent("plain.db").path, configuration: configuration)
        try pool.write { database in
            // DatabasePool sets NORMAL when it opens.
            try database.execute(sql: "CREATE TABLE item(id INTEGER PRIMARY KEY, svce TEXT, acct TEXT, secret BLOB)")
            try database.execute(sql: "CREATE UNIQUE INDEX item_key ON item(svce, acct)")
            for number in 0..<count { try Self.insert(number, into: database) }
        }
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }

    static func insert(_ number: Int, into database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO item(svce, acct, secret) VALUES (?, ?, ?)")
            .execute(arguments: [Sample.service(number), Sample.account(number), Sample.secret])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// One durable insert, in a transaction of its own.
    func add(_ number: Int) throws { try pool.write { try Self.insert(number, into: $0) } }

    func lookup(_ number: Int) throws -> Data? {
        try pool.read { database in
            try Data.fetchOne(
                database.cachedStatement(sql: "SELECT secret FROM item WHERE svce = ? AND acct = ?"),
                arguments: [Sample.service(number), Sample.account(number)]
            )
        }
    }
}

/// The keys and the secret that every benchmark uses.
enum Sample {
    static let secret = Data((0..<32).map { UInt8($0) })
    static func service(_ number: Int) -> String { "svc-\(number).example.com" }
    static func account(_ number: Int) -> String { "user\(number)@example.com" }
}

/// The floor of a durable write: 256 bytes behind the others, and a wait for the disk.
final class AppendedFile {
    private let file: FileHandle
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/zamok-append-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        self.file = file
    }

    func append() throws {
        try file.write(contentsOf: Data(repeating: 1, count: 256))
        fdatasync(file.fileDescriptor)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
