// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory
import TestSupport
import Testing

@Suite struct SealedRowTests {
    let temporary = TemporaryHome()

    private func binding(_ change: (inout RowBinding) -> Void = { _ in }) -> RowBinding {
        var binding = RowBinding(
            applicationID: 1, version: 1, kind: 1, keyClass: KeyClass(.complete), uuid: [UInt8](repeating: 1, count: 16)
        )
        change(&binding)
        return binding
    }

    private static let changes: [@Sendable (inout RowBinding) -> Void] = [
        { $0.applicationID = 2 }, { $0.version = 2 }, { $0.kind = 2 },
        { $0.keyClass = KeyClass(.complete, thisDeviceOnly: true) },
        { $0.layers = 1 }, { $0.uuid[15] = 2 },
    ]

    // Rule: what a row is bound to is authenticated with it | the associated data left empty | 6 cases; also
    //   "Attributes are bound to the wrapped key and what else says how the secret opens"
    @Test(arguments: changes.indices) func `Neither part opens under another binding`(change: Int) throws {
        let keys = try TestDatabase.open(try temporary.open()).metadataKeys()
        let other = binding(Self.changes[change])
        let attributes = try SealedRow.sealAttributes([1, 2, 3], binding: binding(), wrapping: nil, keys: keys)
        #expect(try SealedRow.openAttributes(attributes, binding: binding(), wrapping: nil, keys: keys) == [1, 2, 3])
        #expect(
            failure(SealingError.self) {
                try SealedRow.openAttributes(attributes, binding: other, wrapping: nil, keys: keys)
            } == .cannotOpen)
        let rowKey = try SecretBytes.random(count: 32)
        let secret = try SealedRow.sealSecret(try SecretBytes(text: "secret"), binding(), bound: [9], under: rowKey)
        var isSame = try SealedRow.openSecret(secret, binding(), bound: [9], under: rowKey).isEqual(
            to: try SecretBytes(text: "secret"))
        #expect(isSame)
        for (binding, bound) in [(other, [9]), (binding(), [8]), (binding(), [])] as [(RowBinding, [UInt8])] {
            do {
                isSame = try SealedRow.openSecret(secret, binding, bound: bound, under: rowKey).count >= 0
                Issue.record("opened")
            } catch { #expect(error as? SealingError == .cannotOpen) }
        }
    }

    @Test func `Attributes are bound to the wrapped key and what else says how the secret opens`() throws {
        let keys = try TestDatabase.open(try temporary.open()).metadataKeys()
        let wrapping = RowKeyWrapping(classKeyID: ClassKeyID(5), wrapped: [UInt8](repeating: 3, count: 40))
        let sealed = try SealedRow.sealAttributes([1], binding: binding(), wrapping: wrapping, keys: keys)
        #expect(try SealedRow.openAttributes(sealed, binding: binding(), wrapping: wrapping, keys: keys) == [1])
        let changes: [(inout RowKeyWrapping) -> Void] = [
            { $0.classKeyID = ClassKeyID(6) }, { $0.wrapped[39] = 4 }, { $0.accessKeyID = ClassKeyID(1) },
            { $0.passwordSalt = [1] }, { $0.passwordCost = [1] },
        ]
        for change in changes {
            var other = wrapping
            change(&other)
            #expect(
                failure(SealingError.self) {
                    try SealedRow.openAttributes(sealed, binding: binding(), wrapping: other, keys: keys)
                }
                    == .cannotOpen)
        }
        #expect(
            failure(SealingError.self) {
                try SealedRow.openAttributes(sealed, binding: binding(), wrapping: nil, keys: keys)
            } == .cannotOpen)
    }

    @Test(arguments: [(0, 32), (1, 32), (27, 32), (28, 32), (29, 64), (60, 64), (61, 96)])
    func `Sizes are padded to 32 bytes`(size: Int, padded: Int) throws {
        let keys = try TestDatabase.open(try temporary.open()).metadataKeys()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try SealedRow.sealAttributes(bytes, binding: binding(), wrapping: nil, keys: keys)
        #expect(sealed.count == padded + Seal.overhead)
        #expect(try SealedRow.openAttributes(sealed, binding: binding(), wrapping: nil, keys: keys) == bytes)
    }

    @Test func `Tags differ by domain, kind, index, database and home, and are equal otherwise`() throws {
        let database = try TestDatabase.open(try temporary.open())
        let keys = try database.metadataKeys()
        let tag = try keys.tag(BlindIndex(kind: 1, number: 1), of: [1, 2], in: .none)
        #expect(tag.count == 16)
        #expect(try database.metadataKeys().tag(BlindIndex(kind: 1, number: 1), of: [1, 2], in: .none) == tag)
        let otherHome = TemporaryHome()
        let others = [
            try keys.tag(BlindIndex(kind: 1, number: 1), of: [1, 2], in: .afterFirstUnlock),
            try keys.tag(BlindIndex(kind: 2, number: 1), of: [1, 2], in: .none),
            try keys.tag(BlindIndex(kind: 1, number: 2), of: [1, 2], in: .none),
            try keys.tag(BlindIndex(identityOf: 1), of: [1, 2], in: .none),
            try keys.tag(BlindIndex(kind: 1, number: 1), of: [1, 3], in: .none),
            try TestDatabase.open(try otherHome.open()).metadataKeys().tag(
                BlindIndex(kind: 1, number: 1), of: [1, 2], in: .none),
        ]
        #expect(Set(others + [tag]).count == others.count + 1)
    }
}

@Suite struct TransactionTests {
    let temporary = TemporaryHome()

    @Test func `A transaction that throws leaves nothing behind`() throws {
        let database = try TestDatabase.open(try temporary.open())
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.write { access in
                _ = try access.execute("INSERT INTO thing (bytes) VALUES (?)", [.blob([1])])
                throw Stop()
            }
        }
        #expect(try database.count == 0)
        try database.add([1])
        #expect(throws: ConstraintViolation.self) { try database.add([1]) }
        #expect(try database.count == 1)
    }

    @Test func `A transaction begins anew when the keybag changes under it`() throws {
        let home = try temporary.open()
        let database = try TestDatabase.open(home)
        var runs = 0
        try database.write { access in
            runs += 1
            if runs == 1 { try home.keybag.setPasscode(try SecretBytes(text: "passcode")) }
            _ = try access.execute("INSERT INTO thing (bytes) VALUES (?)", [.blob([UInt8(runs)])])
        }
        #expect(runs == 2)
        #expect(try database.count == 1)
    }

    @Test func `Bytes, numbers and NULL come back as they were written`() throws {
        let database = try TestDatabase.open(try temporary.open())
        try database.add([])
        try database.add([0, 255])
        try database.write { _ = try $0.execute("INSERT INTO thing (id, bytes) VALUES (?, ?)", [.bits(.max), .null]) }
        var seen: [(Int64, [UInt8]?)] = []
        try database.read { access in
            try access.rows("SELECT id, bytes FROM thing ORDER BY id") { row in
                seen.append((row.integer(0), try row.bytes(1)))
                return true
            }
        }
        #expect(seen.map(\.0) == [-1, 1, 2])
        #expect(seen.map(\.1) == [nil, [], [0, 255]])
    }
}
