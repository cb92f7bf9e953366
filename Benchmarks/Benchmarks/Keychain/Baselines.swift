// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Foundation
import GRDB

/// What a plain, unencrypted table costs with the same library, index and durability.
struct PlainTable {
    let pool: DatabasePool

    init(folder: URL, count: Int) throws {
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
