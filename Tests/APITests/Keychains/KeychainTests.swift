// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Keychains
import SecretMemory
import TestSupport
import Testing

@Suite struct KeychainTests {
    let temporary = TemporaryHome()

    @Test func `Three lines store a password and read it back`() throws {
        try Home.withCurrent(try temporary.open()) {
            let keychain = Keychain(service: "com.example.notes")
            try keychain.setPassword("correct horse", for: "anna")
            #expect(try keychain.password(for: "anna") == "correct horse")
        }
    }

    @Test func `Setting again updates, removing removes, and what is not there is nil`() throws {
        let keychain = Keychain(service: "service", home: try temporary.open())
        #expect(try keychain.password(for: "anna") == nil)
        try keychain.setPassword("one", for: "anna")
        let before = try keychain.item(matching: KeychainQuery<GenericPassword>.account("anna"))
        try keychain.setPassword("two", for: "anna")
        #expect(try keychain.password(for: "anna") == "two")
        let after = try keychain.item(matching: KeychainQuery<GenericPassword>.account("anna"))
        #expect(before.persistentReference == after.persistentReference)
        #expect(try keychain.removePassword(for: "anna"))
        #expect(try keychain.removePassword(for: "anna") == false)
    }

    @Test func `Keychains of different services and of servers do not see each other's items`() throws {
        let home = try temporary.open()
        try Keychain(service: "a", home: home).setPassword("of a", for: "anna")
        try Keychain(service: "b", home: home).setPassword("of b", for: "anna")
        try Keychain(server: "example.com", home: home).setPassword("of server", for: "anna")
        #expect(try Keychain(service: "a", home: home).password(for: "anna") == "of a")
        #expect(try Keychain(service: "b", home: home).password(for: "anna") == "of b")
        #expect(try Keychain(server: "example.com", home: home).password(for: "anna") == "of server")
        let all: [GenericPassword] = try Keychain(home: home).items()
        #expect(Set(all.map(\.service)) == ["a", "b"])
    }

    @Test func `Update stores what was changed, and nothing over what others changed meanwhile`() throws {
        let keychain = Keychain(service: "service", home: try temporary.open())
        try keychain.add(GenericPassword(account: "anna", secret: try Secret("one")))
        let query = KeychainQuery<GenericPassword>.account("anna")
        var mine = try keychain.item(matching: query)
        var theirs = try keychain.item(matching: query)
        theirs.comment = "comment"
        theirs.secret = try Secret("two")
        try keychain.update(theirs)
        mine.label = "label"
        try keychain.update(mine)
        let found = try keychain.item(matching: query)
        #expect(found.label == "label" && found.comment == "comment")
        #expect(found.secret?.exposedBytes == Array("two".utf8))
        try keychain.delete(mine)
        #expect(failure(KeychainError.self) { try keychain.update(mine) }?.code == .itemNotFound)
    }

    @Test func `While locked a fetched item can be deleted, not renamed or given another secret`() throws {
        let home = try temporary.open()
        let keychain = Keychain(service: "service", home: home)
        try home.keybag.setPasscode(try SecretBytes(copying: Array("1234".utf8)))
        try keychain.add(GenericPassword(account: "anna", secret: try Secret("one")))
        var item = try keychain.item(matching: KeychainQuery<GenericPassword>.account("anna"))
        try home.keybag.lock()
        item.label = "label"
        #expect(failure(KeychainError.self) { try keychain.update(item) }?.code == .locked)
        item.secret = try Secret("two")
        #expect(failure(KeychainError.self) { try keychain.update(item) }?.code == .locked)
        try keychain.delete(item)
    }

    @Test func `An item that was changed is stored by update, its secret stays`() throws {
        let keychain = Keychain(service: "service", home: try temporary.open())
        var item = try keychain.add(GenericPassword(account: "anna", secret: try Secret("secret")))
        item.label = "Label"
        item.account = "berta"
        try keychain.update(item)
        let found = try keychain.item(matching: KeychainQuery<GenericPassword>.account("berta"))
        #expect(found.label == "Label")
        #expect(found.secret?.exposedBytes == Array("secret".utf8))
        #expect(failure(KeychainError.self) { try keychain.update(GenericPassword(account: "x")) }?.code == .parameter)
    }
}
