// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Items handed out page by page are those of one search, in its order.
@Suite struct StreamTests {
    let temporary = TemporaryHome()
    let prompter = ScriptedPrompter()

    private static let count = 2500

    private func store() throws -> (home: Home, store: ItemStore) {
        let home = try temporary.open { $0.prompter = prompter }
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        let store = try ItemStore.of(home)
        var number = 0
        _ = try store.addMany(
            next: {
                guard number < Self.count else { return nil }
                defer { number += 1 }
                return try .password(number % 3 == 0 ? "third" : "rest", "\(number)", "secret \(number)")
            })
        return (home, store)
    }

    private func query(_ attributes: Attributes) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes = attributes
        query.limit = nil
        return query
    }

    private func streamed(_ store: ItemStore, _ query: ItemQuery, withSecret: Bool) throws -> [String] {
        var found: [String] = []
        try store.stream(matching: query, withSecret: withSecret, { Self.described($0) }, { found += $0 })
        return found
    }

    private static func described(_ item: ItemRecord) -> String {
        "\(item.persistentReference?.digits ?? "none") \(item.attributes["acct"] == nil) \(item.secret?.exposedBytes ?? [])"
    }

    @Test(arguments: [[:], ["svce": .text("third")], ["acct": .text("7")], ["svce": .text("none")]] as [Attributes])
    func `they are those of one search, with secrets and without`(_ attributes: Attributes) throws {
        let (_, store) = try store()
        for withSecret in [false, true] {
            let all = try? store.items(matching: query(attributes), withSecret: withSecret)
            #expect(
                try streamed(store, query(attributes), withSecret: withSecret) == (all ?? []).map(Self.described))
        }
    }

    @Test func `items that need the passcode prompt once, and come in their order`() throws {
        let (_, store) = try store()
        for number in [Self.count, Self.count + 2] {
            var item = try ItemRecord.password("third", "\(number)", "secret \(number)")
            item.attributes.constraints = .userPresence
            _ = try store.add(item)
            _ = try store.add(.password("third", "\(number + 1)", "secret \(number + 1)"))
        }
        _ = try streamed(store, query(["svce": .text("third")]), withSecret: false)
        #expect(prompter.asked.isEmpty)
        prompter.add(.text("1234"))
        let found = try streamed(store, query(["svce": .text("third")]), withSecret: true)
        #expect(prompter.asked.count == 1)
        let last = (Self.count..<Self.count + 4).map { "\(Array("secret \($0)".utf8))" }
        #expect(found.suffix(4).map { String($0.drop { $0 != "[" }) } == last)
    }

    @Test func `locked is told, and what can be read while locked comes`() throws {
        let (home, store) = try store()
        try home.keybag.lock()
        #expect(try streamed(store, query([:]), withSecret: false).count == Self.count)
        #expect(failure(KeychainError.self) { try streamed(store, query([:]), withSecret: true) }?.code == .locked)
    }

    @Test func `an error of the reader ends it`() throws {
        struct Enough: Error {}
        let (_, store) = try store()
        var seen = 0
        #expect(throws: Enough.self) {
            try store.stream(
                matching: query([:]), withSecret: false, { _ in 1 },
                { made in
                    seen += made.count
                    if seen > 100 { throw Enough() }
                })
        }
        #expect(seen < Self.count)
    }
}
