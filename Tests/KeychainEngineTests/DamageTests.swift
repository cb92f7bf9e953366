// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// A damaged row costs that row, and is never taken for "not found".
@Suite struct DamageTests {
    let temporary = TemporaryHome()

    static let damages = [
        "attributes = zeroblob(length(attributes))", "attributes = x''", "version = 2", "class = 4", "class = 99",
        "kind = 1, layers = 1", "layers = 9", "class_key = NULL", "wrapped = NULL", "wrapped = zeroblob(40)",
        "access_key = 5",
        "password_salt = zeroblob(16)", "secret = NULL", "secret = x''", "secret = zeroblob(length(secret))",
        "uuid = zeroblob(16)", "attributes = (SELECT attributes FROM item WHERE id = 2)",
        "secret = (SELECT secret FROM item WHERE id = 2)", "wrapped = (SELECT wrapped FROM item WHERE id = 2)",
        "(class_key, wrapped, secret) = (SELECT class_key, wrapped, secret FROM item WHERE id = 2)",
    ]

    private func damagedStore(_ damage: String) throws -> (Home, ItemStore) {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        for account in ["anna", "berta", "carla"] {
            _ = try store.add(.password("service", account, "secret of \(account)"))
        }
        try store.database.write { _ = try $0.execute("UPDATE item SET \(damage) WHERE id = 1") }
        return (home, store)
    }

    @Test(arguments: damages) func `Damage costs the row alone`(damage: String) async throws {
        let (_, store) = try damagedStore(damage)
        var changes = store.changes().makeAsyncIterator()
        #expect(
            failure(KeychainError.self) { try store.items(matching: .password("service", "anna"), withSecret: true) }?
                .code == .damaged)
        guard case .damaged = await changes.next() else {
            Issue.record("the change stream does not name the row")
            return
        }
        #expect(try store.items(matching: .password("service", "berta"), withSecret: true).count == 1)
        var all = ItemQuery(.genericPassword)
        all.limit = nil
        let healthy = try store.items(matching: all, withSecret: true).compactMap { $0.attributes["acct"]?.asText }
        #expect(healthy == ["berta", "carla"])
        // What is counted of a row is its number, its UUID, its kind and its last write: another UUID is another row.
        let isOther = damage.hasPrefix("uuid")
        #expect(try store.examine().map(\.kind) == (isOther ? [.itemsDiffer, .damagedItem] : [.damagedItem]))
    }

    // Rule: dates of items, preferences, users | any number | 12 cases; also `StateTests`: "a stored date ...", `LostListTests`: "a user added
    //   at a time ..."
    /// Right seals round a date that no calendar has.
    @Test(arguments: ["cdat", "mdat"], [Double.nan, .infinity, -.infinity, 1e300, -1e300, 252_423_993_600])
    func `A date that is none is damage of its row, and no trap`(name: String, seconds: Double) throws {
        let store = try ItemStore.of(try temporary.open())
        for account in ["anna", "berta"] { _ = try store.add(.password("service", account, "secret")) }
        try store.database.write { access in
            var rows: [StoredRow] = []
            try access.reading.rows("SELECT \(StoredRow.columns) FROM item WHERE id = 1") { row in
                rows.append(try StoredRow(row))
                return false
            }
            let row = try #require(rows.first)
            let binding = try #require(row.binding)
            let keys = try store.database.metadataKeys()
            let plaintext = try SealedRow.openAttributes(
                row.sealedAttributes, binding: binding, wrapping: row.wrapping, keys: keys)
            let filing = row.filing.bytes
            var encoded = try EncodedAttributes(Array(plaintext.dropFirst(filing.count)))
            encoded.attributes[AttributeName(name)] = .date(seconds)
            let sealed = try SealedRow.sealAttributes(
                filing + encoded.bytes, binding: binding, wrapping: row.wrapping, keys: keys)
            try access.execute("UPDATE item SET attributes = ? WHERE id = 1", [.blob(sealed)])
        }
        #expect(
            failure(KeychainError.self) { try store.items(matching: .password("service", "anna"), withSecret: false) }?
                .code == .damaged)
        #expect(try store.items(matching: .password("service", "berta"), withSecret: true).count == 1)
        #expect(try store.examine().map(\.kind) == [.damagedItem])
    }

    // Rule: a modification date stays one | grows beyond the last one
    @Test func `The last date there is stays readable when it should grow`() throws {
        let store = try ItemStore.of(try temporary.open())
        var item = try ItemRecord.password("service", "anna", "secret")
        let last = 252_423_993_600.0.nextDown
        item.attributes["mdat"] = .date(last)
        _ = try store.add(item, keepingDates: true)
        var changes = ItemChanges()
        changes.attributes = ["labl": .text("label")]
        #expect(try store.update(.password("service", "anna"), with: changes) == 1)
        let found = try store.items(matching: .password("service", "anna"), withSecret: false)
        #expect(found.first?.attributes["mdat"] == .date(last))
    }

    /// 17 MB: more than a secret can have. It is never loaded, so one of 900 MB costs no more.
    @Test(arguments: ["secret", "attributes", "wrapped"])
    func `A value longer than any of ours costs its row alone`(column: String) throws {
        let (home, store) = try damagedStore("\(column) = zeroblob(17000000)")
        #expect(
            failure(KeychainError.self) { try store.items(matching: .password("service", "anna"), withSecret: true) }?
                .code == .damaged)
        var all = ItemQuery(.genericPassword)
        all.limit = nil
        #expect(try store.items(matching: all, withSecret: true).count == 2)
        #expect(try store.examine().map(\.kind) == [.damagedItem])
        #expect(try store.removeDamaged(in: home, includingDestroyedKeys: false).count == 1)
        #expect(try store.examine() == [])
    }

    @Test(arguments: damages.prefix(5))
    func `Nothing is added over, changed or deleted in a damaged row; removing it keeps a copy`(damage: String) throws {
        let (home, store) = try damagedStore(damage)
        #expect(failure(KeychainError.self) { try store.add(.password("service", "anna", "new")) }?.code == .damaged)
        #expect(
            failure(KeychainError.self) { try store.update(.password("service", "anna"), with: ItemChanges()) }?.code
                == .damaged)
        #expect(failure(KeychainError.self) { try store.delete(.password("service", "anna")) }?.code == .damaged)
        let repair = try store.removeDamaged(in: home, includingDestroyedKeys: false)
        #expect(repair.count == 1)
        let copy = try #require(repair.copy)
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count > 4096)
        #expect(try store.examine() == [])
        _ = try store.add(.password("service", "anna", "new"))
        #expect(try store.removeDamaged(in: home, includingDestroyedKeys: true) == KeychainRepair(count: 0, copy: nil))
    }

    @Test(arguments: ["identity", "pair", "first", "second"])
    func `Wrong index entries are found, and rebuilt after a copy`(column: String) throws {
        let (home, store) = try damagedStore("\(column) = randomblob(16)")
        #expect(try store.examine().map(\.kind) == [.wrongIndex])
        #expect(try store.rebuildIndex(in: home).count == 1)
        #expect(try store.examine() == [])
        #expect(try store.items(matching: .password("service", "anna"), withSecret: true).count == 1)
    }

    // Rule: index entries are those of the attributes | not compared (`hasRightTags` always true) | also "Wrong index entries are found, and
    //   rebuilt after a copy"
    /// As a faulty version might, or who has the metadata key: what is sealed says the same as the columns.
    @Test func `Index entries that were sealed as wrong as they stand are found, and rebuilt`() throws {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        for account in ["anna", "berta"] { _ = try store.add(.password("service", account, "secret of \(account)")) }
        try store.database.write { access in
            var rows: [StoredRow] = []
            try access.reading.rows("SELECT \(StoredRow.columns) FROM item WHERE id = 1") { row in
                rows.append(try StoredRow(row))
                return false
            }
            let stored = try #require(rows.first)
            let keys = try store.database.metadataKeys()
            let row = try OpenRow(stored, keys)
            var others = row.attributes
            others["acct"] = .text("nobody")
            let tags = try RowTags(row.itemClass, attributes: others, keys: keys, in: row.binding.domain)
            try access.replaceAttributes(stored, by: SealedItem(row, tags: tags), keys)
        }
        let anna = ItemQuery.password("service", "anna")
        #expect(
            failure(KeychainError.self) { try store.items(matching: anna, withSecret: true) }?.code == .itemNotFound)
        #expect(try store.examine().map(\.kind) == [.wrongIndex])
        #expect(try store.rebuildIndex(in: home).count == 1)
        #expect(try store.examine() == [])
        #expect(try store.items(matching: anna, withSecret: true).count == 1)
    }

    // Rule: a row that stands elsewhere is filed again | number and write not compared by the rebuild
    // Rule: a row that stands elsewhere is told by who comes upon it | the sealed filing not compared | 4 cases
    @Test(arguments: ["id = 99", "revision = revision + 1"])
    func `A row under another number, or as if of another write, is told by who comes upon it, and filed again`(
        change: String
    ) throws {
        let (home, store) = try damagedStore(change)
        let anna = ItemQuery.password("service", "anna")
        let error = failure(KeychainError.self) { try store.items(matching: anna, withSecret: true) }
        #expect(error?.code == .damaged && error?.message.contains("--rebuild-index") == true)
        #expect(try store.examine().map(\.kind).contains(.wrongIndex))
        #expect(try store.rebuildIndex(in: home).count == 1)
        #expect(try store.examine() == [])
        #expect(try store.items(matching: anna, withSecret: true).count == 1)
    }

    @Test func `A class key that the keybag does not know is "key destroyed", not "damaged"`() throws {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        _ = try store.add(.password("service", "anna", "secret"))
        try home.keybag.setPasscode(try SecretBytes(text: "one"))
        var item = try ItemRecord.password("service", "berta", "secret")
        item.attributes["pdmn"] = .text("akpu")
        _ = try store.add(item)
        try home.keybag.removePasscode(try SecretBytes(text: "one"))
        #expect(
            failure(KeychainError.self) { try store.items(matching: .password("service", "berta"), withSecret: true) }?
                .code == .keyDestroyed)
        #expect(try store.removeDamaged(in: home, includingDestroyedKeys: false).count == 0)
        #expect(try store.removeDamaged(in: home, includingDestroyedKeys: true).count == 1)
        #expect(try store.items(matching: .password("service", "anna"), withSecret: true).count == 1)
    }

    @Test func `A file that SQLite can't read is told as damaged, and is not touched`() throws {
        let home = try temporary.open()
        let noise = Data("SQLite format 3\0".utf8) + Data((0..<8192).map { _ in UInt8.random(in: 0...255) })
        let path = "\(temporary.path)/keychain.db"
        _ = FileManager.default.createFile(atPath: path, contents: noise, attributes: [.posixPermissions: 0o600])
        #expect(failure(KeychainError.self) { try ItemStore.of(home) }?.code == .damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == noise)
    }
}
