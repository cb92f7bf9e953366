// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import GRDB
import UserPreferences

/// A home and a plain table, in a folder of their own.
final class Place {
    let folder: URL
    let home: Home
    let plain: DatabasePool

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        home = try Self.open(folder)
        plain = try DatabasePool(path: folder.appendingPathComponent("plain.db").path)
        try plain.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "CREATE TABLE preference (name TEXT PRIMARY KEY, value BLOB)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func open(_ folder: URL) throws -> Home {
        var configuration = Home.Configuration()
        configuration.folder = folder.appendingPathComponent("home").path
        return try Home(configuration)
    }

    /// The same home as a process has it that has just started.
    func reopened() throws -> Home { try Self.open(folder) }

    func setPlain(_ number: Int, _ value: Int, _ database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO preference VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        ).execute(arguments: ["key\(number)", value])
    }

    func fillPlain(_ count: Int) throws {
        try plain.write { database in for number in 0..<count { try setPlain(number, number, database) } }
    }
}

func fill(_ preferences: Preferences, _ count: Int) throws {
    try preferences.update { batch in
        for number in 0..<count { batch.set(.integer(Int64(number)), forKey: "key\(number)") }
    }
}
