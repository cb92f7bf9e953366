// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Searches by index across both domains, and index entries that a change leaves alone.
@Suite struct IndexTests {
    let temporary = TemporaryHome()

    private static let codes = ["ak", "dk", "ck", "dku", "aku", "dk"]

    private func filled() throws -> ItemStore {
        let store = try ItemStore.of(try temporary.open())
        for (number, code) in Self.codes.enumerated() {
            var item = try ItemRecord.password("service \(number)", "anna", "secret \(number)")
            item.attributes["pdmn"] = .text(code)
            item.attributes["labl"] = .text("label")
            _ = try store.add(item)
        }
        return store
    }

    @Test(arguments: ["acct", "labl", "svce"])
    func `Items of both domains come in the order in which they were added`(name: String) throws {
        let store = try filled()
        var query = ItemQuery(.genericPassword)
        query.limit = nil
        switch name {
        case "acct": query.attributes = ["acct": .text("anna")]
        case "labl": query.attributes = ["labl": .text("label")]
        default: query.attributes = ["svce": .text("service 3")]
        }
        let found = try store.items(matching: query, withSecret: true)
        let numbers = name == "svce" ? [3] : Array(Self.codes.indices)
        #expect(found.map { $0.secret?.exposedBytes } == numbers.map { Array("secret \($0)".utf8) })
        query.limit = 1
        #expect(try store.items(matching: query, withSecret: false).count == 1)
    }

    @Test func `A new secret leaves the index entries alone, and all that they stand for`() throws {
        let store = try filled()
        let wal = "\(temporary.path)/keychain.db-wal"
        let size = { try #require(try FileManager.default.attributesOfItem(atPath: wal)[.size] as? Int) }
        let before = try size()
        var changes = ItemChanges()
        changes.secret = try Secret("another one")
        #expect(try store.update(.password("service 1", "anna"), with: changes) == 1)
        // One page of the table, with its header of 24 bytes.
        // The page of the row and that of the state, which counts it.
        #expect(try size() - before <= 2 * (4096 + 24))
        #expect(try store.examine() == [])
        let found = try store.items(matching: .password("service 1", "anna"), withSecret: true)
        #expect(found.first?.secret?.exposedBytes == Array("another one".utf8))
    }

    @Test(arguments: ["acct", "labl", "pdmn", "icmt"])
    func `When an attribute changes together with the secret, the index fits afterwards`(name: String) throws {
        let store = try filled()
        var changes = ItemChanges()
        changes.secret = try Secret("another one")
        changes.attributes[AttributeName(name)] = .text(name == "pdmn" ? "ak" : "new")
        #expect(try store.update(.password("service 1", "anna"), with: changes) == 1)
        #expect(try store.examine() == [])
        var query = ItemQuery.password("service 1", name == "acct" ? "new" : "anna")
        if name == "labl" { query.attributes["labl"] = .text("new") }
        let found = try store.items(matching: query, withSecret: true)
        #expect(found.first?.secret?.exposedBytes == Array("another one".utf8))
    }
}
