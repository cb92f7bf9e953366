// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct ItemStoreTests {
    let temporary = TemporaryHome()

    @Test func `An added item is found with its secret, by another opening of the home too`() throws {
        let store = try ItemStore.of(try temporary.open())
        let added = try store.add(.password("swift", "anna", "correct horse"))
        for store in [store, try ItemStore.of(try temporary.open())] {
            let found = try store.items(matching: .password("swift", "anna"), withSecret: true)
            #expect(found.count == 1)
            #expect(found.first?.secret?.exposedBytes == Array("correct horse".utf8))
            #expect(found.first?.persistentReference == added.persistentReference)
            #expect(found.first?.attributes == added.attributes)
        }
    }

    @Test func `An update changes secret and attributes, and mdat grows`() throws {
        let store = try ItemStore.of(try temporary.open())
        let added = try store.add(.password("swift", "anna", "old"))
        var changes = ItemChanges()
        changes.secret = try Secret("new")
        changes.attributes["labl"] = .text("Label")
        #expect(try store.update(.password("swift", "anna"), with: changes) == 1)
        let found = try #require(try store.items(matching: .password("swift", "anna"), withSecret: true).first)
        #expect(found.secret?.exposedBytes == Array("new".utf8))
        #expect(found.attributes["labl"] == .text("Label"))
        #expect(found.persistentReference == added.persistentReference)
        guard case .date(let before) = added.attributes["mdat"], case .date(let after) = found.attributes["mdat"] else {
            Issue.record("no dates")
            return
        }
        #expect(after > before)
    }

    @Test func `A deleted item is not found`() throws {
        let store = try ItemStore.of(try temporary.open())
        _ = try store.add(.password("swift", "anna", "secret"))
        #expect(try store.delete(.password("swift", "anna")) == 1)
        let error = failure(KeychainError.self) {
            try store.items(matching: .password("swift", "anna"), withSecret: true)
        }
        #expect(error?.code == .itemNotFound)
        #expect(failure(KeychainError.self) { try store.delete(.password("swift", "anna")) }?.code == .itemNotFound)
    }

    @Test func `The same primary attributes twice are a duplicate, with any accessibility`() throws {
        let store = try ItemStore.of(try temporary.open())
        _ = try store.add(.password("swift", "anna", "secret"))
        for code in Accessibility.allCases where code != .whenPasscodeSetThisDeviceOnly {
            var item = try ItemRecord.password("swift", "anna", "other")
            item.attributes["pdmn"] = .text(code.rawValue)
            #expect(failure(KeychainError.self) { try store.add(item) }?.code == .duplicateItem)
        }
    }
}

extension ItemRecord {
    static func password(_ service: String, _ account: String, _ secret: String) throws -> ItemRecord {
        var item = ItemRecord(.genericPassword)
        item.attributes = ["svce": .text(service), "acct": .text(account)]
        item.secret = try Secret(secret)
        return item
    }
}

extension ItemQuery {
    static func password(_ service: String, _ account: String) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes = ["svce": .text(service), "acct": .text(account)]
        return query
    }
}
