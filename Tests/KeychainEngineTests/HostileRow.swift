// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
import SecretMemory
import TestSupport

@testable import KeychainEngine
@testable import SealedDatabases

/// Rows with one to eight changes: in what is stored in clear, in what is sealed, or below a right seal.
struct HostileRow {
    private var mutator: Mutator
    private var plaintexts: Mutator
    private var generator: SeededGenerator

    init(seed: UInt64, encodings: [[UInt8]]) {
        mutator = Mutator(corpus: [[UInt8](repeating: 3, count: 64), (0..<128).map { UInt8($0) }], seed: seed)
        plaintexts = Mutator(corpus: encodings, seed: seed &+ 1)
        generator = SeededGenerator(seed: seed &+ 2)
    }

    private static let blobs = [
        "uuid", "attributes", "wrapped", "secret", "password_salt", "password_cost", "identity",
    ]
    private static let numbers = ["version", "kind", "class", "layers", "class_key", "access_key"]
    private static let telling: [Int64] = [0, 1, -1, 2, 3, 4, 5, 0x81, 0x84, 0x85, 255, 256, .max, .min, 1 << 32]

    /// What reading the row answers.
    mutating func next(_ store: ItemStore, _ access: WriteAccess) throws -> KeychainError.Code {
        try access.execute("SAVEPOINT one")
        defer { try? restore(access) }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: try change(Self.blobs[Int.random(in: 0..<7, using: &generator)], access)
        case 1: try sealAnew(store, access)
        default:
            let column = Self.numbers[Int.random(in: 0..<6, using: &generator)]
            let value = Self.telling[Int.random(in: 0..<Self.telling.count, using: &generator)]
            try access.execute("UPDATE item SET \(column) = ? WHERE id = 1", [.integer(value)])
        }
        return try answer(store, access.reading)
    }

    private func restore(_ access: WriteAccess) throws {
        try access.execute("ROLLBACK TO one")
        try access.execute("RELEASE one")
    }

    /// A variant of what is stored.
    private mutating func change(_ column: String, _ access: WriteAccess) throws {
        var stored: [UInt8] = []
        try access.reading.rows("SELECT \(column) FROM item WHERE id = 1") { row in
            stored = try row.bytes(0) ?? []
            return false
        }
        var variants = Mutator(corpus: [stored], seed: generator.next())
        do {
            try access.execute("UPDATE item SET \(column) = ? WHERE id = 1", [.blob(variants.next())])
        } catch is ConstraintViolation {
            // The tag or UUID of the other row.
        }
    }

    /// Right seals round a hostile plaintext.
    private mutating func sealAnew(_ store: ItemStore, _ access: WriteAccess) throws {
        var rows: [StoredRow] = []
        try access.reading.rows("SELECT \(StoredRow.columns) FROM item WHERE id = 1") { row in
            rows.append(try StoredRow(row))
            return false
        }
        guard let row = rows.first, let binding = row.binding else { return }
        let keys = try store.database.metadataKeys()
        // Every fourth with the padding hostile, too.
        let plaintext = row.filing.bytes + plaintexts.next()
        let sealed =
            if generator.next() % 4 == 0 {
                try keys.withAttributeKey(of: binding) { key in
                    try Seal.seal(
                        try SecretBytes(copying: hostilePadding(plaintext)), under: key,
                        authenticating: SealedRow.associatedData(binding, row.wrapping))
                }
            } else {
                try SealedRow.sealAttributes(plaintext, binding: binding, wrapping: row.wrapping, keys: keys)
            }
        try access.execute("UPDATE item SET attributes = ? WHERE id = 1", [.blob(sealed)])
    }

    private mutating func hostilePadding(_ plaintext: [UInt8]) -> [UInt8] {
        var variants = Mutator(corpus: [Padding.pad(plaintext)], seed: generator.next())
        return variants.next()
    }

    private func answer(_ store: ItemStore, _ access: ReadAccess) throws -> KeychainError.Code {
        var row: ExaminedRow?
        try access.rows("SELECT \(StoredRow.columnsWithSecret) FROM item WHERE id = 1") {
            row = try ExaminedRow($0)
            return false
        }
        let keys = try store.database.metadataKeys()
        do {
            try row?.check(keys, store.keybag)
            return .success
        } catch {
            return KeychainError(error).code
        }
    }
}
