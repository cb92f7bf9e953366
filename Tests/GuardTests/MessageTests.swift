// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Guards

@Suite("Messages of guest and guard") struct MessageTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    @Test func `are as the page has them`() throws {
        #expect(hexadecimal(try BrokerRequest.name.bytes) == "0101")
        #expect(hexadecimal(try BrokerRequest.begin.bytes) == "0102")
        var query = ItemQuery(.genericPassword)
        query.attributes["svce"] = .text("a")
        (query.synchronizable, query.limit) = (.exactly(false), nil)
        #expect(
            hexadecimal(try BrokerRequest.delete(query).bytes)
                == "010867656e700000000f010000010473766365010000000161" + "0110" + "00000000000000000000")
        #expect(hexadecimal(try BrokerAnswer.done.bytes) == "0101")
        #expect(hexadecimal(try BrokerAnswer.count(2, passedOver: 0).bytes) == "01040000000200000000")
        let failure = KeychainError(.missingEntitlement, "no")
        #expect(hexadecimal(try BrokerAnswer.failure(failure).bytes) == "0105ffff7b1e000000026e6f")
    }

    static func some() throws -> [BrokerRequest] {
        var item = ItemRecord(.genericPassword)
        item.attributes["svce"] = .text("service")
        item.attributes["gena"] = .data([0, 1, 255])
        item.secret = try Secret("secret")
        var query = ItemQuery(.key)
        (query.limit, query.includesTombstones, query.guardsAttributes) = (3, true, true)
        query.persistentReference = PersistentReference(bytes: Array("keys".utf8) + [UInt8](repeating: 7, count: 16))
        query.hostOrSubdomain = "example.org"
        var changes = ItemChanges()
        changes.attributes["labl"] = .text("label")
        changes.secret = item.secret
        return [
            .name, .begin, .find(query, withSecret: true), .add(item, keepingDates: true), .addTogether([item, item]),
            .addIdentity(certificate: item, key: item), .update(query, changes), .delete(query),
        ]
    }

    @Test func `are read as they were written`() throws {
        for request in try Self.some() {
            let bytes = try request.bytes
            #expect(try BrokerRequest(bytes).bytes == bytes)
            for count in 0..<bytes.count {
                #expect(throws: (any Error).self) { try BrokerRequest(Array(bytes.prefix(count))) }
            }
            #expect(throws: (any Error).self) { try BrokerRequest(bytes + [0]) }
        }
    }

    @Test func `hostile ones are refused, and never trap`() throws {
        var random = SystemRandomNumberGenerator()
        for request in try Self.some() {
            let whole = try request.bytes
            for _ in 0..<500 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = try? BrokerRequest(bytes)
                _ = try? BrokerAnswer(bytes)
            }
        }
    }
}

@Suite("Judging") struct JudgingTests {
    private static let name = GuestName("guest")

    private func grant(_ group: String, _ actions: GrantActions) throws -> Grant {
        let name = try #require(Self.name)
        return try #require(Grant(guest: name, group: group, actions: actions))
    }

    @Test(arguments: ["", "-a", ".a", "a/b", "a b", "ä", "a\n", String(repeating: "a", count: 65)])
    func `names that are none`(text: String) { #expect(GuestName(text) == nil) }

    @Test(arguments: ["", "*", "zamok.guard", "a\nb", String(repeating: "a", count: 257)])
    func `groups that can't be granted`(group: String) throws {
        let name = try #require(Self.name)
        #expect(Grant(guest: name, group: group, actions: .all) == nil)
    }

    @Test func `a call gets the groups with its action, and no other`() throws {
        let other = try #require(GuestName("other"))
        let name = try #require(Self.name)
        let foreign = try #require(Grant(guest: other, group: "c", actions: .all))
        let guest = Guest(
            name,
            grants: [
                try grant("a", [.read, .add]), try grant("b", [.read, .change, .delete]),
                foreign,
            ])
        #expect(guest.groups == ["a", "b"])
        #expect(guest.groups(for: .read) == ["a", "b"])
        #expect(guest.groups(for: .add) == ["a"])
        #expect(guest.groups(for: .add, named: "b").isEmpty)
        #expect(guest.groups(for: .read, named: "c").isEmpty)
        #expect(guest.groups(movingTo: "a") == ["b"])
        #expect(guest.groups(movingTo: "b").isEmpty)
    }
}

/// The broker without a boundary, asked as a guest asks.
@Suite("The broker") struct BrokerTests {
    private let scene: GuestHome
    private var home: Home { scene.home }
    private var outside: ItemStore { scene.outside }
    private var name: GuestName { scene.name }

    init() throws {
        scene = try GuestHome(try #require(GuestName("guest")))
    }

    private var inside: GuardedItems {
        let items = GuestItems(name, home)
        return GuardedItems { items.answer($0, client: 1) }
    }

    private func allow(_ group: String, _ actions: GrantActions) throws {
        try scene.allow(Grant(guest: name, group: group, actions: actions))
    }

    private func item(_ account: String, _ group: String?) throws -> ItemRecord {
        var item = ItemRecord(.genericPassword)
        item.attributes[.account] = .text(account)
        if let group { item.attributes[.accessGroup] = .text(group) }
        item.secret = try Secret("secret of \(account)")
        return item
    }

    private var everything: ItemQuery {
        var query = ItemQuery(.genericPassword)
        (query.limit, query.synchronizable) = (nil, .any)
        return query
    }

    private func code(_ body: () throws -> Void) -> KeychainError.Code? { failure(KeychainError.self, body)?.code }

    // Rule: a guest has the groups of its grants | `seen` gave the store of all groups | the list had the item of `b`
    @Test func `gives what is granted, and refuses the rest`() throws {
        _ = try outside.add(try item("one", "a"))
        _ = try outside.add(try item("two", "b"))
        #expect(code { _ = try inside.items(matching: everything, withSecret: false) } == .missingEntitlement)
        try allow("a", .read)
        let found = try inside.items(matching: everything, withSecret: true)
        #expect(found.map { $0.attributes[.account] } == [.text("one")])
        #expect(try found[0].secret?.isEqual(to: Secret("secret of one")) == true)
        var named = everything
        for group in ["b", "*", "zamok.guard", ""] {
            named.attributes[.accessGroup] = .text(group)
            #expect(code { _ = try inside.items(matching: named, withSecret: false) } == .missingEntitlement)
        }
        #expect(code { _ = try inside.add(try item("new", "a"), PersonPrompt()) } == .missingEntitlement)
        #expect(code { try inside.delete(everything) } == .missingEntitlement)
        var changes = ItemChanges()
        changes.attributes[.label] = .text("mine")
        #expect(code { try inside.update(everything, with: changes) } == .missingEntitlement)
    }

    @Test func `a reference to a foreign item finds nothing`() throws {
        try allow("a", .all)
        let foreign = try outside.add(try item("two", "b"))
        var query = everything
        query.persistentReference = foreign.persistentReference
        #expect(code { _ = try inside.items(matching: query, withSecret: true) } == .itemNotFound)
        #expect(code { try inside.delete(query) } == .itemNotFound)
    }

    // Rule: change without read gives no secret | a move needed `change` alone | the update went through
    @Test func `a guest that may change but not read can't move an item to where it may`() throws {
        _ = try outside.add(try item("one", "a"))
        try allow("a", [.change])
        try allow("b", .all)
        var changes = ItemChanges()
        changes.attributes[.accessGroup] = .text("b")
        var query = everything
        query.attributes[.accessGroup] = .text("a")
        #expect(code { try inside.update(query, with: changes) } == .missingEntitlement)
        try allow("a", [.read, .change, .delete])
        #expect(try inside.update(query, with: changes) == 1)
        query.attributes[.accessGroup] = .text("b")
        #expect(try inside.items(matching: query, withSecret: true).count == 1)
    }

    @Test func `items are added to the first group that permits it`() throws {
        try allow("a", .read)
        try allow("b", [.add, .read])
        let added = try inside.add(try item("one", nil), PersonPrompt())
        #expect(added.attributes[.accessGroup] == .text("b"))
    }

    // Rule: a lock ends every answer, as locked | the state was not asked | an always readable item came
    @Test func `a locked home answers locked, for what is always readable, too`() throws {
        try allow("a", .all)
        var open = try item("one", "a")
        open.attributes[.accessible] = .text(Accessibility.always.rawValue)
        _ = try outside.add(open)
        try home.keybag.setPasscode(try secret("1234"))
        #expect(try inside.items(matching: everything, withSecret: true).count == 1)
        try home.keybag.lock()
        #expect(code { _ = try inside.items(matching: everything, withSecret: true) } == .locked)
        #expect(code { try inside.delete(everything) } == .locked)
        try home.keybag.unlock(passcode: try secret("1234"))
        #expect(try inside.items(matching: everything, withSecret: true).count == 1)
    }

    // Rule: a revoked grant ends with the next call | the grants were read once | the item came after the revocation
    @Test func `a revoked grant ends at once`() throws {
        _ = try outside.add(try item("one", "a"))
        try allow("a", .read)
        let guest = inside
        #expect(try guest.items(matching: everything, withSecret: true).count == 1)
        #expect(try GrantStore(outside).revoke(name, group: nil) == 1)
        #expect(code { _ = try guest.items(matching: everything, withSecret: true) } == .missingEntitlement)
    }

    @Test func `values that no attribute takes are refused`() throws {
        try allow("a", .all)
        var query = everything
        query.attributes[.creationDate] = .text("yesterday")
        #expect(code { _ = try inside.items(matching: query, withSecret: false) } == .parameter)
        var odd = try item("one", "a")
        odd.attributes["none"] = .number(1)
        #expect(code { _ = try inside.add(odd, PersonPrompt()) } == .noSuchAttribute)
    }
}
