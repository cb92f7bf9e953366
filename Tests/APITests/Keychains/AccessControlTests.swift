// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Keychains
import SecretMemory
import TestSupport
import Testing

/// Access control in the typed API.
@Suite struct AccessControlTests {
    let temporary = TemporaryHome()
    let prompter = ScriptedPrompter()
    let keychain: Keychain

    init() throws {
        let prompter = prompter
        let home = try temporary.open { $0.prompter = prompter }
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        keychain = Keychain(service: "bank", home: home)
    }

    private func addGuarded(_ constraints: AccessConstraints = .userPresence) throws {
        var item = GenericPassword(account: "anna", secret: try Secret("secret"))
        item.accessControl = constraints
        try keychain.add(item)
    }

    private let query = KeychainQuery<GenericPassword>.account("anna")

    @Test func `An item that asks for a person is added, listed, found after asking, and deleted`() throws {
        try addGuarded()
        #expect(try keychain.items(matching: query).map(\.accessControl) == [.userPresence])
        #expect(prompter.asked.isEmpty)
        #expect(failure(KeychainError.self) { try keychain.password(for: "anna") }?.code == .userCancelled)
        prompter.add(.text("1234"))
        let found = try keychain.item(matching: query)
        #expect(found.secret?.exposedBytes == Array("secret".utf8))
        try keychain.delete(found)
    }

    @Test func `One context for several calls asks once`() throws {
        try addGuarded()
        let context = AuthenticationContext()
        context.reason = "to pay"
        prompter.add(.text("1234"))
        #expect(try keychain.password(for: "anna", authentication: context) == "secret")
        try keychain.setPassword("new", for: "anna", authentication: context)
        try keychain.update(matching: query, authentication: context) { $0.accessibility = .afterFirstUnlock }
        let found = try keychain.items(matching: query, includingSecrets: true, authentication: context)
        #expect(found.map(\.secret?.exposedBytes) == [Array("new".utf8)])
        #expect(found.map(\.accessControl) == [.userPresence])
        #expect(prompter.asked.map(\.reason) == ["to pay"])
    }

    @Test func `A changed item is stored as it is, its access control too`() throws {
        try addGuarded()
        let context = AuthenticationContext()
        prompter.add(.text("1234"))
        var item = try keychain.item(matching: query, authentication: context)
        item.label = "The bank"
        item.accessControl = []
        try keychain.update(item, authentication: context)
        #expect(try keychain.password(for: "anna") == "secret")
        item.accessControl = [.devicePasscode]
        try keychain.update(item, authentication: context)
        #expect(failure(KeychainError.self) { try keychain.password(for: "anna") }?.code == .userCancelled)
        #expect(prompter.asked.count == 2)
    }

    @Test func `A password of the item's own comes from the context`() throws {
        let context = AuthenticationContext()
        context.applicationPassword = try Secret("own")
        var item = GenericPassword(account: "anna", secret: try Secret("secret"))
        item.accessControl = .applicationPassword
        try keychain.add(item, authentication: context)
        #expect(try keychain.password(for: "anna", authentication: context) == "secret")
        context.applicationPassword = try Secret("other")
        let refused = failure(KeychainError.self) { try keychain.password(for: "anna", authentication: context) }
        #expect(refused?.code == .authenticationFailed)
    }

    @Test(
        arguments: [
            ("passcode", AccessConstraints.devicePasscode), ("password", .applicationPassword),
            ("passcode, password", [.devicePasscode, .applicationPassword]), ("", []),
        ] as [(String, AccessConstraints)])
    func `Constraints have names`(name: String, constraints: AccessConstraints) {
        #expect(constraints.name == name)
        #expect(AccessConstraints.named(name) == constraints)
        #expect(AccessConstraints.userPresence.name == "passcode")
        #expect(AccessConstraints.named("face") == nil)
    }

    @Test func `A listing that names constraints keeps them`() throws {
        let listing = #"{"service":"bank","account":"bert","value":"x","asks-for":"passcode"}"#
        #expect(try ItemRecord(json: Array(listing.utf8)).accessControl == .devicePasscode)
        let unknown = #"{"service":"bank","account":"bert","value":"x","asks-for":"face"}"#
        #expect(failure(KeychainError.self) { try ItemRecord(json: Array(unknown.utf8)) }?.code == .parameter)
    }
}
