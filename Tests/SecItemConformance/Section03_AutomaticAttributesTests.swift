// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("3. What the keychain sets by itself", .keychain)
struct AutomaticAttributeTests {
    private func dates(_ query: Item) -> (created: Date?, modified: Date?) {
        let stored = attributes(query)
        return (stored["cdat"] as? Date, stored["mdat"] as? Date)
    }

    @Test func `both dates are now at add, also when the caller gives others`() throws {
        let before = Date()
        let old = Date(timeIntervalSinceReferenceDate: 1000)
        #expect(add(generic + [kSecAttrCreationDate: old, kSecAttrModificationDate: old]) == errSecSuccess)
        let (created, modified) = dates(generic)
        #expect(created == modified)
        #expect(try #require(created) >= before.addingTimeInterval(-1))
        #expect(try #require(created) <= Date().addingTimeInterval(1))
    }

    @Test func `an update moves the modification date forward and leaves the creation date`() throws {
        #expect(add(generic) == errSecSuccess)
        var last = dates(generic)
        for number in 0..<5 {
            #expect(update(generic, [kSecAttrLabel: "\(number)"]) == errSecSuccess)
            let next = dates(generic)
            #expect(next.created == last.created)
            let step = try #require(next.modified).timeIntervalSince(try #require(last.modified))
            #expect(step >= 0.0009)
            last = next
        }
    }

    @Test func `the creation date can be set by an update, the modification date can't`() throws {
        let old = Date(timeIntervalSinceReferenceDate: 1000.5)
        #expect(add(generic) == errSecSuccess)
        #expect(update(generic, [kSecAttrCreationDate: old, kSecAttrModificationDate: old]) == errSecSuccess)
        #expect(dates(generic).created == old)
        #expect(try #require(dates(generic).modified) > old)
        #expect(status(generic + [kSecAttrCreationDate: old]) == errSecSuccess)
        #expect(status(generic + [kSecAttrCreationDate: old.addingTimeInterval(0.001)]) == errSecItemNotFound)
    }

    @Test func `the program's first group and the class for unlocked keychains are the defaults`() {
        #expect(add(generic) == errSecSuccess)
        let stored = attributes(generic)
        #expect(stored["agrp"] as? String == Groups.own)
        #expect(stored["pdmn"] as? String == kSecAttrAccessibleWhenUnlocked as String)
    }

    @Test func `a search returns what was set, the defaults, and nothing that is unset`() {
        #expect(add(generic + [kSecAttrLabel: "label", kSecValueData: bytes("secret")]) == errSecSuccess)
        let names = Set(attributes(generic).keys)
        #expect(
            names == ["acct", "svce", "labl", "agrp", "cdat", "mdat", "pdmn", "sync", "tomb", "accc", "musr"])
    }

    @Test func `an internet password returns its defaulted identity`() {
        #expect(add([kSecClass: kSecClassInternetPassword]) == errSecSuccess)
        let stored = attributes([kSecClass: kSecClassInternetPassword])
        for name in ["acct", "sdmn", "srvr", "atyp", "path"] { #expect(stored[name] as? String == "", "\(name)") }
        for name in ["ptcl", "port", "sync", "tomb"] { #expect(stored[name] as? Int == 0, "\(name)") }
        #expect(stored["musr"] as? Data == Data())
    }

    @Test func `add returns the attributes without what is internal`() throws {
        let added = try #require(addReturning(generic + [kSecReturnAttributes: true]).attributes)
        #expect(Set(added.keys) == ["acct", "svce", "agrp", "cdat", "mdat", "pdmn", "sync", "accc"])
    }

    @Test func `an access control is made for items that were given a class only`() throws {
        #expect(add(generic + [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == errSecSuccess)
        let control = try #require(attributes(generic)["accc"])
        #expect(CFGetTypeID(control as CFTypeRef) == SecAccessControlGetTypeID())
    }

    @Test func `the class of an item is returned with a reference only`() {
        #expect(add(generic) == errSecSuccess)
        #expect(attributes(generic)["class"] == nil)
        let answer = find(generic + [kSecReturnAttributes: true, kSecReturnRef: true])
        #expect(answer[kSecClass] as? String == "genp")
    }

    @Test func `a digest of the item comes with its secret only`() {
        #expect(add(generic + [kSecValueData: bytes("secret")]) == errSecSuccess)
        #expect(attributes(generic)["sha1"] == nil)
        let both = find(generic + [kSecReturnAttributes: true, kSecReturnData: true])
        #expect((both["sha1" as CFString] as? Data)?.count == 20)
    }

    @Test func `the attributes of an item, and its class, find it again`() {
        let first =
            internet + [
                kSecAttrPort: 443, kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrLabel: bytes("label"),
                kSecAttrIsInvisible: true, kSecAttrSynchronizable: true,
            ]
        #expect(add(first) == errSecSuccess)
        #expect(add(internet) == errSecSuccess)
        var query: Item = [kSecClass: kSecClassInternetPassword]
        for (name, value) in attributes(first) { query[name as CFString] = value }
        #expect(attributes(query)["labl"] as? Data == bytes("label"))
        #expect(count(query) == 1)
    }
}
