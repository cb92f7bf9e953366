// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import TestSupport

/// A kind of database for these tests: one table of blobs.
enum TestDatabase {
    static let kind = DatabaseKind(
        fileName: "test.db", applicationID: 0x5A6D_7474, changes: .keychain,
        steps: [["CREATE TABLE thing (id INTEGER PRIMARY KEY, bytes BLOB UNIQUE) STRICT"]],
        uniques: ["thing": 1]
    )

    static func open(_ home: Home) throws -> SealedDatabase { try SealedDatabase(kind, of: home) }
}

extension SealedDatabase {
    func add(_ bytes: [UInt8]) throws {
        try write { access in _ = try access.execute("INSERT INTO thing (bytes) VALUES (?)", [.blob(bytes)]) }
    }

    var count: Int { get throws { try readOnce { Int(try $0.integer("SELECT count(*) FROM thing") ?? -1) } } }
}

extension TemporaryHome {
    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
    }

    func content(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")) }

    /// Puts files of `other` in the place of the own ones.
    func take(_ names: [String], from other: TemporaryHome) throws {
        for name in names {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            try FileManager.default.copyItem(atPath: "\(other.path)/\(name)", toPath: "\(path)/\(name)")
        }
    }

    func copied() throws -> TemporaryHome {
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }
}
