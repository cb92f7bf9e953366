// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// Changes of items whose secret asks for a person, and passwords of their own.
@Suite struct AccessControlChangeTests {
    let temporary = TemporaryHome()
    let prompter = ScriptedPrompter()
    let home: Home
    let store: ItemStore

    init() throws {
        let prompter = prompter
        home = try temporary.open { $0.prompter = prompter }
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        store = try ItemStore.of(home)
    }

    private func add(_ constraints: AccessConstraints, _ prompt: PersonPrompt = PersonPrompt()) throws {
        var item = try ItemRecord.password("service", "anna", "secret")
        item.attributes.constraints = constraints
        _ = try store.add(item, prompt)
    }

    private var query: ItemQuery { .password("service", "anna") }

    private func read(_ prompt: PersonPrompt = PersonPrompt()) throws -> String? {
        try store.items(matching: query, withSecret: true, prompt).first?.secret
            .map { String(decoding: $0.exposedBytes, as: UTF8.self) }
    }

    private func code(_ body: () throws -> Any?) -> KeychainError.Code? { failure(KeychainError.self, body)?.code }

    private func change(_ attributes: Attributes = [:], secret: String? = nil) throws -> ItemChanges {
        var changes = ItemChanges()
        changes.attributes = attributes
        changes.secret = try secret.map { try Secret($0) }
        return changes
    }

    @Test func `Attributes and the secret change only after asking`() throws {
        try add(.userPresence)
        for attributes in [["labl": .text("new")], ["acct": .text("other")], ["agrp": .text("test")], [:]]
            as [Attributes]
        {
            #expect(code { try store.update(query, with: try change(attributes)) } == .userCancelled)
        }
        #expect(prompter.asked.count == 4)
        let subject = PromptRequest.Subject(item: "service", program: "test", home: temporary.path)
        #expect(prompter.asked.allSatisfy { $0.subject == subject })
        prompter.add(.text("1234"))
        try store.update(query, with: try change(["labl": .text("new")]))
        #expect(prompter.asked.count == 5)
        #expect(code { try store.update(query, with: try change(secret: "new")) } == .userCancelled)
        prompter.add(.text("wrong"))
        #expect(code { try store.update(query, with: try change(secret: "new")) } == .authenticationFailed)
        prompter.add(.text("1234"), .text("1234"))
        try store.update(query, with: try change(secret: "new"))
        #expect(try read() == "new")
        #expect(prompter.asked.count == 9)
        #expect(try store.examine().map(\.kind) == [.asksForPerson])
    }

    @Test func `Another class asks, and keeps the access control`() throws {
        try add(.userPresence)
        #expect(code { try store.update(query, with: try change(["pdmn": .text("dk")])) } == .userCancelled)
        prompter.add(.text("1234"), .text("1234"))
        try store.update(query, with: try change(["pdmn": .text("dk")]))
        try home.keybag.lock()
        #expect(try read() == "secret")
        #expect(prompter.asked.count == 3)
        #expect(try store.examine().map(\.kind) == [.asksForPerson])
    }

    @Test func `Access control comes without asking and goes only after asking`() throws {
        try add([])
        let old = try store.columns(of: query)
        try store.update(query, with: try change(["accc": .data(AccessConstraints.devicePasscode.encoded)]))
        #expect(prompter.asked.isEmpty)
        // The old row key, which the class key opens, seals nothing any more and lies in no file.
        #expect(try PlaintextSearch(bytes: old.secret).findings(in: temporary.path) == [])
        #expect(try PlaintextSearch(bytes: old.wrapped).findings(in: temporary.path) == [])
        #expect(code { try read() } == .userCancelled)
        let none = try change(["accc": .data(AccessConstraints().encoded)])
        #expect(code { try store.update(query, with: none) } == .userCancelled)
        prompter.add(.text("1234"))
        try store.update(query, with: none)
        #expect(try read() == "secret")
        #expect(prompter.asked.count == 3)
        #expect(try store.examine() == [])
    }

    @Test func `A deletion does not ask`() throws {
        try add(.userPresence)
        #expect(try store.delete(query) == 1)
        #expect(prompter.asked.isEmpty)
    }

    @Test func `An item that meets no condition is not asked for`() throws {
        try add(.userPresence)
        var other = query
        other.attributes["acct"] = .text("bert")
        #expect(code { try store.update(other, with: try change(secret: "new")) } == .itemNotFound)
        #expect(prompter.asked.isEmpty)
    }

    @Test func `A password of the item's own is asked for, twice by the prompter when it is new`() throws {
        prompter.add(.text("own"))
        try add(.applicationPassword)
        #expect(prompter.asked.map(\.purpose) == [.newApplicationPassword])
        prompter.add(.text("own"))
        #expect(try read() == "secret")
        #expect(prompter.asked.last?.purpose == .applicationPassword)
        prompter.add(.text("another"))
        #expect(code { try read() } == .authenticationFailed)
        #expect(try home.status().failedAttempts == 0)
        #expect(code { try read() } == .userCancelled)
    }

    @Test func `A context that has the password is not asked, and a wrong one is told`() throws {
        let context = AuthenticationContext()
        context.applicationPassword = try Secret("own")
        try add(.applicationPassword, PersonPrompt(context))
        var silent = PersonPrompt(context)
        silent.isAllowed = false
        #expect(try read(silent) == "secret")
        try store.update(query, with: try change(secret: "new"), silent)
        #expect(try read(silent) == "new")
        context.applicationPassword = try Secret("another")
        #expect(code { try read(silent) } == .authenticationFailed)
        #expect(code { try store.update(query, with: try change(secret: "newer"), silent) } == .authenticationFailed)
        context.applicationPassword = nil
        #expect(code { try read(silent) } == .locked)
        context.invalidate()
        #expect(code { try read(silent) } == .authenticationFailed)
        #expect(prompter.asked.isEmpty)
        #expect(try store.examine().map(\.kind) == [.asksForPerson])
    }

    @Test func `Passcode and password are both asked for, the passcode first`() throws {
        let context = AuthenticationContext()
        context.applicationPassword = try Secret("own")
        try add([.userPresence, .applicationPassword], PersonPrompt(context))
        prompter.add(.text("1234"), .text("own"))
        #expect(try read() == "secret")
        #expect(prompter.asked.map(\.purpose) == [.passcode, .applicationPassword])
        prompter.add(.text("1234"), .text("other"))
        #expect(code { try read() } == .authenticationFailed)
        prompter.add(.text("wrong"))
        #expect(code { try read(PersonPrompt(context)) } == .authenticationFailed)
        #expect(try store.examine().map(\.kind) == [.asksForPerson])
    }

    @Test func `Rotation keeps it readable, and the next answer moves it to the new key`() throws {
        try add(.userPresence)
        try home.keybag.changePasscode(
            from: try SecretBytes(text: "1234"), to: try SecretBytes(text: "5678"), rotatingKeys: true)
        #expect(try home.keybag.removeRetiredKeys().needs.map(\.store) == ["keychain"])
        let old = try store.columns(of: query)
        prompter.add(.text("5678"), .text("5678"))
        #expect(try read() == "secret")
        #expect(try store.columns(of: query).wrapped != old.wrapped)
        #expect(try PlaintextSearch(bytes: old.wrapped).findings(in: temporary.path) == [])
        try home.keybag.removeRetiredKeys()
        #expect(try read() == "secret")
        #expect(try store.examine().map(\.kind) == [.asksForPerson])
    }

    @Test func `An export leaves it out and says so, without asking`() throws {
        try add(.userPresence)
        let transfer = try store.export(
            home, passphrase: try SecretBytes(text: "passphrase"), progress: { _, _ in }, to: { _ in })
        #expect(transfer.count == 0 && transfer.leftOut == [.accessControlled: 1])
        #expect(prompter.asked.isEmpty)
    }

    @Test func `No prompt is shown inside a transaction: others write while the user types`() throws {
        try add(.userPresence)
        let store = store
        prompter.add(
            .meanwhile(
                {
                    #expect(throws: Never.self) { try store.add(.password("other", "writer", "x")) }
                }, "1234"))
        try store.update(query, with: try change(secret: "new"))
        #expect(try store.items(matching: .password("other", "writer"), withSecret: true).count == 1)
    }
}
