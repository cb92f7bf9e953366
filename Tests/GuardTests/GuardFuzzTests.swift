// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Guards

/// Hostile messages and grants: refused or read, and never a trap, a long time or much memory.
@Suite("Fuzzing of guards", .serialized) struct GuardFuzzTests {
    @Test func `hostile requests`() throws {
        let corpus = try MessageTests.some().map { try $0.bytes }
        let run = FuzzRun.tried("requests of a guest", corpus: corpus, bounded: 5000) { data in
            let request = try BrokerRequest(Array(data))
            // What was read is written as it was.
            guard try request.bytes == Array(data) || Self.hasFreedom(request) else { return false }
            return true
        }
        #expect(run.refused > run.inputs / 10 && run.refused < run.inputs)
        #expect(run.isBounded)
    }

    /// A limit that doesn't count, and a group to keep, are read and not written again; attributes are sorted.
    private static func hasFreedom(_ request: BrokerRequest) -> Bool {
        guard let bytes = try? request.bytes, let again = try? BrokerRequest(bytes).bytes else { return false }
        return again == bytes
    }

    @Test func `hostile answers`() throws {
        var item = ItemRecord(.genericPassword)
        item.attributes["svce"] = .text("service")
        item.secret = try Secret("secret")
        let corpus = try [
            .done, .name("guest", groups: ["a", "b"]), .items([item, item]), .count(2, passedOver: 1),
            BrokerAnswer.failure(KeychainError(.locked, "locked")),
        ].map { try $0.bytes }
        let run = FuzzRun.tried("answers of a guard", corpus: corpus, bounded: 5000) { data in
            _ = try BrokerAnswer(Array(data))
            return true
        }
        #expect(run.refused > run.inputs / 10 && run.refused < run.inputs)
        #expect(run.isBounded)
    }

    /// As the home gives them: sealed and authenticated, but made by an older or newer program, or a faulty one.
    @Test func `hostile grants`() throws {
        let corpus = ["guest\0group.a\0\u{1}\0\u{2}", "a\0b\0\u{1}\0\u{1E}"].map { Array($0.utf8) }
        var granted = 0
        let run = FuzzRun.tried("grants", corpus: corpus, bounded: 5000) { data in
            let item = Self.item(data)
            let grant = try GrantStore.grant(item)
            // What is read is a grant of the rules.
            guard Grant(guest: grant.guest, group: grant.group, actions: grant.actions) == grant else { return false }
            granted += 1
            return true
        }
        #expect(granted > 0 && granted == run.inputs - run.refused)
        #expect(run.isBounded)
    }

    private static func item(_ data: Data) -> ItemRecord {
        let parts = Array(data).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        var item = ItemRecord(.genericPassword)
        if let name = parts.first { item.attributes[.service] = .text(String(decoding: name, as: UTF8.self)) }
        if parts.count > 1 { item.attributes[.account] = .text(String(decoding: parts[1], as: UTF8.self)) }
        if parts.count > 2 { item.attributes[.generic] = .data(Array(parts[2])) }
        return item
    }

    @Test func `hostile grants for use`() throws {
        let guest = try #require(GuestName("guest"))
        let used = UsedItem(reference: Array("genp".utf8) + [UInt8](repeating: 7, count: 16), name: "a/b", account: "b")
        let shape = try #require(PlaceholderShape(prefix: "ghp_", count: 40))
        let corpus = try [
            ("api.example.com", ["GET", "POST"], ["/a/*", "/**"], UsePlace.header("authorization")),
            ("http://h:8080", [], [], .query("key")), ("[::1]:1", [], ["/"], .basicPassword),
        ].map { word, methods, paths, place in
            let host = try #require(UseHost(word: word))
            let grant = try #require(
                UseGrant(guest, used, host, methods: methods, paths: paths.compactMap(PathPattern.init), place, shape))
            let name = Array("guest\0\(GrantStore.account(of: grant))\0".utf8)
            return name + GrantStore.bytes(grant)
        }
        var granted = 0
        let run = FuzzRun.tried("grants for use", corpus: corpus, bounded: 5000) { data in
            let item = Self.item(data)
            guard let grant = try GrantStore.use(item) else { return false }
            // What is read is what would be written.
            guard case .data(let bytes) = item.attributes[.generic], GrantStore.bytes(grant) == bytes else {
                return false
            }
            granted += 1
            return true
        }
        #expect(granted > 0 && granted == run.inputs - run.refused)
        #expect(run.isBounded)
    }

    /// What the proxy says, which reads what guests and servers send.
    @Test func `hostile reports of a proxy`() throws {
        func text(_ text: String) -> [UInt8] { [0, 0, 0, UInt8(text.utf8.count)] + text.utf8 }
        let host = [1] + text("api.example.com") + [1, 0xBB]
        let found = text("ghp_placeholder") + [1] + text("authorization")
        let corpus: [[UInt8]] = [
            [1, 1] + text("certificate"), [1, 2, 0, 0, 0, 7, 0, 0] + host + text("GET") + text("/a") + [0, 1] + found,
            [1, 3, 1] + host + text("GET") + text("/a") + text("why"), [1, 3, 0] + text("") + text("") + text("no"),
        ]
        for bytes in corpus { _ = try ProxyReport(bytes) }
        let run = FuzzRun.tried("reports of a proxy", corpus: corpus, bounded: 5000) { data in
            _ = try ProxyReport(Array(data))
            return true
        }
        #expect(run.refused > run.inputs / 10 && run.refused < run.inputs)
        #expect(run.isBounded)
    }

    /// Requests that are read are judged and done. Only the group with the grant may change.
    @Test func `hostile requests to a home`() throws {
        let scene = try GuestHome(try #require(GuestName("guest")))
        let (home, outside, name) = (scene.home, scene.outside, scene.name)
        let grant = try #require(Grant(guest: name, group: "a", actions: .all))
        try scene.allow(grant)
        var foreign = ItemRecord(.genericPassword)
        foreign.attributes[.account] = .text("foreign")
        foreign.attributes[.accessGroup] = .text("b")
        foreign.secret = try Secret("foreign-secret-2f")
        _ = try outside.add(foreign)
        let guest = GuestItems(name, home)
        let needle = Array("foreign-secret-2f".utf8)
        let corpus = try MessageTests.some().map { try $0.bytes }
        let run = FuzzRun.tried("requests to a home", corpus: corpus, bounded: 300) { data in
            let answer = guest.answer(Array(data), client: 1)
            #expect(Data(answer).range(of: Data(needle)) == nil)
            return try !{ if case .failure = try BrokerAnswer(answer) { true } else { false } }()
        }
        #expect(run.isBounded)
        var query = ItemQuery(.genericPassword)
        (query.limit, query.synchronizable) = (nil, .any)
        query.attributes[.accessGroup] = .text("b")
        #expect(try outside.items(matching: query, withSecret: false).count == 1)
        #expect(try GrantStore(outside).grants() == [grant])
    }
}
