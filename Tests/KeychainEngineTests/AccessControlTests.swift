// SPDX-License-Identifier: Apache-2.0

import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// Items whose secret asks for a person.
@Suite struct AccessControlTests {
    let temporary = TemporaryHome()
    let prompter = ScriptedPrompter()

    private func opened(passcode: String? = "1234") throws -> (home: Home, store: ItemStore) {
        let home = try temporary.open { $0.prompter = prompter }
        if let passcode { try home.keybag.setPasscode(try SecretBytes(text: passcode)) }
        return (home, try ItemStore.of(home))
    }

    private func guarded(_ constraints: AccessConstraints, _ accessibility: String = "ak") throws -> ItemRecord {
        var item = try ItemRecord.password("service", "anna", "secret")
        item.attributes["pdmn"] = .text(accessibility)
        item.attributes.constraints = constraints
        return item
    }

    private var query: ItemQuery { .password("service", "anna") }

    private func read(_ store: ItemStore, _ prompt: PersonPrompt = PersonPrompt()) throws -> [UInt8]? {
        try store.items(matching: query, withSecret: true, prompt).first?.secret?.exposedBytes
    }

    private func code(_ body: () throws -> Any?) -> KeychainError.Code? { failure(KeychainError.self, body)?.code }

    @Test(arguments: [AccessConstraints.userPresence, .devicePasscode, [.devicePasscode, .biometryAny, .or]])
    func `Adding does not ask, attributes do not ask, the secret asks for the passcode`(
        constraints: AccessConstraints
    ) throws {
        let (_, store) = try opened()
        _ = try store.add(try guarded(constraints))
        let found = try store.items(matching: query, withSecret: false)
        #expect(found.first?.attributes.constraints == constraints)
        #expect(found.first?.hasSecret == true)
        #expect(prompter.asked.isEmpty)
        prompter.add(.text("1234"))
        #expect(try read(store) == Array("secret".utf8))
        #expect(prompter.asked.map(\.purpose) == [.passcode])
        #expect(try store.examine().map(\.kind) == [.asksForPerson])
        #expect(prompter.asked.count == 1)
    }

    @Test func `Cancelled, wrong, forbidden and absent are different answers`() throws {
        let (home, store) = try opened()
        _ = try store.add(try guarded(.userPresence))
        #expect(code { try read(store) } == .userCancelled)
        prompter.add(.text("12345"))
        #expect(code { try read(store) } == .authenticationFailed)
        #expect(try home.status().failedAttempts == 1)
        var forbidden = PersonPrompt()
        forbidden.isAllowed = false
        #expect(code { try read(store, forbidden) } == .locked)
        #expect(code { try store.items(matching: .password("no", "one"), withSecret: true) } == .itemNotFound)
        #expect(prompter.asked.count == 2)
    }

    @Test func `Skipped items are left out, except what a context opens without asking`() throws {
        let (home, store) = try opened()
        _ = try store.add(try guarded(.userPresence))
        var skipping = query
        skipping.skipsGuarded = true
        #expect(code { try store.items(matching: skipping, withSecret: true) } == .itemNotFound)
        _ = try store.add(.password("service", "bert", "open"))
        skipping.attributes["acct"] = nil
        skipping.limit = nil
        #expect(try store.items(matching: skipping, withSecret: true).count == 1)
        #expect(try store.items(matching: skipping, withSecret: false).count == 2)
        let context = AuthenticationContext()
        prompter.add(.text("1234"))
        try context.authenticate(in: home)
        #expect(try store.items(matching: skipping, withSecret: true, PersonPrompt(context)).count == 2)
        #expect(prompter.asked.count == 1)
    }

    @Test func `Several items ask once, and a context asks once for several calls`() throws {
        let (_, store) = try opened()
        for account in ["anna", "bert", "carl"] {
            var item = try guarded(.userPresence)
            item.attributes["acct"] = .text(account)
            _ = try store.add(item)
        }
        var all = ItemQuery(.genericPassword)
        all.limit = nil
        let context = AuthenticationContext()
        prompter.add(.text("1234"))
        for _ in 0..<2 {
            let found = try store.items(matching: all, withSecret: true, PersonPrompt(context))
            #expect(found.map(\.secret?.exposedBytes) == Array(repeating: Array("secret".utf8), count: 3))
        }
        #expect(prompter.asked.count == 1)
    }

    @Test func `What is locked says so before any prompt; attributes are there`() throws {
        let (home, store) = try opened()
        _ = try store.add(try guarded(.userPresence))
        try home.keybag.lock()
        #expect(code { try read(store) } == .locked)
        #expect(try store.items(matching: query, withSecret: false).count == 1)
        #expect(prompter.asked.isEmpty)
    }

    @Test(arguments: [("ak", KeychainError.Code.locked), ("ck", nil), ("dk", nil)])
    func `A lock while the user types leaves what the class leaves, and the next call asks again`(
        accessibility: String, expected: KeychainError.Code?
    ) throws {
        let (home, store) = try opened()
        _ = try store.add(try guarded(.userPresence, accessibility))
        let context = AuthenticationContext()
        prompter.add(.meanwhile({ try? home.keybag.lock() }, "1234"))
        #expect(code { try read(store, PersonPrompt(context)) } == expected)
        #expect(prompter.asked.count == 1)
        try home.keybag.unlock(passcode: try SecretBytes(text: "1234"))
        #expect(code { try read(store, PersonPrompt(context)) } == .userCancelled)
        #expect(prompter.asked.count == 2)
    }

    @Test func `Without a passcode there is nothing to ask for: refused, and lost with the passcode`() throws {
        let (home, store) = try opened(passcode: nil)
        #expect(code { try store.add(try guarded(.userPresence)) } == .notAvailable)
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        _ = try store.add(try guarded(.userPresence))
        try home.keybag.removePasscode(try SecretBytes(text: "1234"))
        #expect(code { try read(store) } == .keyDestroyed)
        #expect(prompter.asked.isEmpty)
        #expect(try store.examine().map(\.kind) == [.keyDestroyed])
        #expect(try store.delete(query) == 1)
    }

    @Test(
        arguments: [
            ([.biometryAny], .authenticationFailed), ([.biometryCurrentSet], .authenticationFailed),
            ([.companion], .authenticationFailed), ([.biometryAny, .devicePasscode], .authenticationFailed),
            ([.biometryAny, .companion, .or], .authenticationFailed), ([.userPresence, .devicePasscode], .parameter),
            ([.or, .and], .parameter), (AccessConstraints(rawValue: 1 << 40), .parameter),
        ] as [(AccessConstraints, KeychainError.Code)])
    func `A constraint that can't be met here is not stored`(
        constraints: AccessConstraints, expected: KeychainError.Code
    ) throws {
        let (_, store) = try opened()
        #expect(code { try store.add(try guarded(constraints)) } == expected)
        #expect(code { try store.items(matching: query, withSecret: false) } == .itemNotFound)
    }

    @Test func `An access control that is none, and one on a synchronizable item`() throws {
        let (_, store) = try opened()
        var item = try guarded([])
        _ = try store.add(item)
        #expect(try store.items(matching: query, withSecret: false).first?.attributes["accc"] == nil)
        #expect(try read(store) == Array("secret".utf8))
        item = try guarded(.userPresence)
        item.attributes["sync"] = .number(1)
        #expect(code { try store.add(item) } == .parameter)
        for bytes: [UInt8] in [[], [1], [2, 0, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 1, 0]] {
            item = try ItemRecord.password("service", "bert", "secret")
            item.attributes["accc"] = .data(bytes)
            #expect(code { try store.add(item) } == .parameter)
        }
    }

    @Test func `An item without a secret does not ask`() throws {
        let (_, store) = try opened()
        var item = try guarded(.userPresence)
        item.secret = nil
        _ = try store.add(item)
        #expect(try store.items(matching: query, withSecret: true).count == 1)
        var changes = ItemChanges()
        changes.secret = try Secret("later")
        try store.update(query, with: changes)
        #expect(prompter.asked.isEmpty)
        prompter.add(.text("1234"))
        #expect(try read(store) == Array("later".utf8))
        #expect(try store.examine().map(\.kind) == [.asksForPerson])
    }
}
