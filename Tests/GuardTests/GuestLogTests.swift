// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Guards

/// The lines that a guest's calls leave in the access log.
@Suite("A guest's lines in the log") struct GuestLogTests {
    private let scene: GuestHome
    private var home: Home { scene.home }
    private var outside: ItemStore { scene.outside }
    private var name: GuestName { scene.name }
    private let guest: GuestItems

    init() throws {
        scene = try GuestHome(try #require(GuestName("guest")))
        guest = GuestItems(scene.name, scene.home)
        try AccessLog.of(scene.home).turnOn(AccessLog.Change())
    }

    private var inside: GuardedItems {
        let guest = guest
        return GuardedItems { guest.answer($0, client: 1) }
    }

    private func allow(_ group: String, _ actions: GrantActions) throws {
        try scene.allow(Grant(guest: name, group: group, actions: actions))
    }

    private func query(_ group: String? = nil, account: String? = nil) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.synchronizable = .any
        if let group { query.attributes[.accessGroup] = .text(group) }
        if let account { query.attributes[.account] = .text(account) }
        return query
    }

    private func item(_ account: String, _ group: String) throws -> ItemRecord {
        var item = ItemRecord(.genericPassword)
        item.attributes[.service] = .text("service")
        item.attributes[.account] = .text(account)
        item.attributes[.accessGroup] = .text(group)
        item.secret = try Secret("secret of \(account)")
        return item
    }

    /// The lines about the guest, as operation and text.
    private func lines() throws -> [String] {
        var lines: [String] = []
        _ = try AccessLog.of(home).read { line in
            guard line.guest == "guest" else { return }
            lines.append("\(AccessOperation(rawValue: line.operation).map { "\($0)" } ?? "?") \(line.name)")
        }
        return lines
    }

    // A refused call has its line.
    @Test func `a refused call has a line with its reason, action and group`() throws {
        _ = try? inside.items(matching: query(), withSecret: true)
        try allow("a", [.read, .add])
        _ = try? inside.items(matching: query("b"), withSecret: true)
        _ = try? inside.items(matching: query("b"), withSecret: false)
        _ = try? inside.add(try item("one", "b"), PersonPrompt())
        _ = try? inside.delete(query("a"))
        var changes = ItemChanges()
        changes.attributes[.accessGroup] = .text("b")
        _ = try? inside.update(query("a"), with: changes)
        _ = guest.answer([1, 99], client: 1)
        #expect(
            try lines() == [
                "refused not granted: read", "refused not granted: read b", "refused not granted: attributes b",
                "refused not granted: add b", "refused not granted: delete a", "refused not granted: move a",
                "refused malformed",
            ])
    }

    @Test func `calls to a locked home, and for items that require a person, are told apart`() throws {
        try allow("a", .all)
        var guarded = try item("guarded", "a")
        guarded.attributes.constraints = .userPresence
        try home.keybag.setPasscode(try secret("1234"))
        _ = try outside.add(guarded)
        _ = try? inside.items(matching: query(account: "guarded"), withSecret: true)
        try home.keybag.lock()
        _ = try? inside.items(matching: query(), withSecret: true)
        _ = try? inside.delete(query())
        try home.keybag.unlock(passcode: try secret("1234"))
        #expect(
            try lines() == [
                "refused requires a person: read", "refused locked: read", "refused locked: delete",
            ])
    }

    // A change has its line before it is made.
    @Test func `reads and changes have lines, also those that find nothing`() throws {
        try allow("a", .all)
        _ = try inside.add(try item("one", "a"), PersonPrompt())
        _ = try inside.items(matching: query(account: "one"), withSecret: true)
        _ = try inside.items(matching: query(account: "one"), withSecret: false)
        var changes = ItemChanges()
        changes.attributes[.label] = .text("mine")
        _ = try inside.update(query("a", account: "one"), with: changes)
        _ = try inside.delete(query("a"))
        _ = try? inside.delete(query(account: "one"))
        #expect(
            try lines() == [
                "add service/one", "read service/one", "change items of a", "delete items of a", "delete items",
            ])
    }

    @Test func `begin, end and a missing layer have lines`() throws {
        try guest.log.began("make", without: ["seccomp", "uts"])
        guest.log.ended(7)
        #expect(
            try lines() == ["layerLeftOut seccomp", "layerLeftOut uts", "guestBegan make", "guestEnded status 7"])
    }

    // A guest can't fill the log with refusals.
    @Test func `of many refusals some have lines, and the others are counted`() throws {
        for _ in 0..<1000 { _ = guest.answer([1, 99], client: 1) }
        guest.log.ended(0)
        let lines = try lines()
        #expect(lines.count == RefusalLimit.count + 2)
        #expect(lines.suffix(2) == ["refused 900 more refused", "guestEnded status 0"])
    }

    // A guest can't push lines out by reading one item again and again.
    @Test func `many uses of an item share lines`() throws {
        try allow("a", .all)
        for account in ["one", "two"] { _ = try outside.add(try item(account, "a")) }
        for _ in 0..<1500 { _ = try inside.items(matching: query(account: "one"), withSecret: true) }
        _ = try inside.items(matching: query(account: "two"), withSecret: true)
        let lines = try lines()
        #expect(lines.count { $0 == "read service/one" } == 10)
        #expect(lines.count { $0 == "repeated service/one" } == 2)
        #expect(lines.last == "read service/two")
    }

    // Rule: a guest gets no secret that can't be recorded | the record was not required of a guest | the secret came
    @Test func `what can't be recorded is refused, also where the settings don't require a record`() throws {
        try allow("a", .all)
        _ = try outside.add(try item("one", "a"))
        #expect(try inside.items(matching: query(account: "one"), withSecret: true).count == 1)
        let log = "\(home.folder)/access-log"
        for name in try FileManager.default.contentsOfDirectory(atPath: log) where name.hasPrefix("tail-") {
            try FileManager.default.removeItem(atPath: "\(log)/\(name)")
        }
        #expect(throws: KeychainError.self) { try inside.items(matching: query(account: "one"), withSecret: true) }
        #expect(throws: KeychainError.self) { try inside.delete(query(account: "one")) }
        #expect(try outside.items(matching: query(account: "one"), withSecret: true).count == 1)
    }

    @Test func `the limit is for a minute`() {
        var limit = RefusalLimit()
        let now = ContinuousClock.now
        for _ in 0..<RefusalLimit.count { #expect(limit.take(now).isWritten) }
        #expect(!limit.take(now + .seconds(59)).isWritten)
        let (isWritten, before) = limit.take(now + .seconds(60))
        #expect(isWritten && before == 1)
        #expect(limit.reportSkipped() == 0)
    }
}
