// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import Testing

@testable import Keychains

/// Items by the names of their fields.
@Suite struct ItemRecordTests {
    private func record(_ json: String) throws -> ItemRecord { try ItemRecord(json: Array(json.utf8)) }

    @Test(arguments: [
        ("service", "service"), ("svce", "service"), ("kSecAttrService", "service"), ("srvr", "server"),
        ("kSecAttrAccessGroup", "group"), ("agrp", "group"), ("kSecAttrSecurityDomain", "security-domain"),
        ("protocol", "protocol"), ("kSecAttrProtocol", "protocol"), ("synchronizable", "synchronizable"),
        ("sync", "synchronizable"),
    ]) func `fields have three names`(_ name: String, _ field: String) {
        #expect(ItemField(name: name)?.name == field)
    }

    @Test(arguments: ["", "class", "Service", "kSecAttr", "kSecAttrNothing", "musr", "cdat"])
    func `other names are not fields`(_ name: String) {
        #expect(ItemField(name: name) == nil)
    }

    @Test func `accessibilities and classes are read by word, code and constant`() {
        for accessibility in Accessibility.allCases {
            #expect(Accessibility.named(accessibility.name) == accessibility)
            #expect(Accessibility.named(accessibility.rawValue) == accessibility)
        }
        #expect(
            Accessibility.named("kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly") == .afterFirstUnlockThisDeviceOnly)
        #expect(Accessibility.named("when-passcode-set") == .whenPasscodeSetThisDeviceOnly)
        for itemClass in ItemClass.allCases {
            #expect(ItemClass.named(itemClass.name) == itemClass)
            #expect(ItemClass.named(itemClass.rawValue) == itemClass)
        }
        #expect(ItemClass.named("kSecClassInternetPassword") == .internetPassword)
        for word in ["", "password", "when-locked", "kSecClass", "AK"] {
            #expect(ItemClass.named(word) == nil)
            #expect(Accessibility.named(word) == nil)
        }
    }

    @Test func `a JSON object becomes a record`() throws {
        let found = try record(
            #"{"service":"s","acct":"a\u0000b","accessible":"ck","synchronizable":true,"value":"v","created":"2020-01-31T12:00:00Z"}"#
        )
        #expect(found.itemClass == .genericPassword)
        #expect(found[.service] == "s")
        #expect(found[.account] == "a\u{0}b")
        #expect(found[.accessible] == "after-first-unlock")
        #expect(found[.synchronizable] == "true")
        #expect(try found.secret.map { try [UInt8](exposing: $0) } == Array("v".utf8))
        #expect(found.creationDate == Date(timeIntervalSince1970: 1_580_472_000))
        #expect(found.modificationDate == nil)
    }

    @Test func `the server tells the class, and numbers are taken as they are`() throws {
        let found = try record(#"{"server":"h","port":443,"protocol":"https","value":"AP8=","encoding":"base64"}"#)
        #expect(found.itemClass == .internetPassword)
        #expect(found[.port] == "443")
        #expect(found[.transport] == "htps")
        #expect(try found.secret.map { try [UInt8](exposing: $0) } == [0, 255])
    }

    @Test(arguments: [
        "", "{", "[]", "null", "\"text\"", "{\"service\":null}", "{\"service\":[\"a\"]}", "{\"service\":1.5}",
        "{\"service\":{}}",
        "{\"port\":1}", "{\"server\":\"h\",\"port\":65536}", "{\"server\":\"h\",\"port\":\"+1\"}",
        "{\"server\":\"h\",\"protocol\":\"gopher\"}",
        "{\"class\":\"cert\"}", "{\"class\":\"x\"}", "{\"service\":\"a\",\"server\":\"b\"}",
        "{\"value\":\"!\",\"encoding\":\"base64\"}",
        "{\"value\":\"a\",\"encoding\":\"rot13\"}", "{\"created\":\"yesterday\"}", "{\"accessible\":\"never\"}",
        "{\"synchronizable\":\"maybe\"}", "{\"colour\":\"red\"}", "{\"service\":\"a\"} {\"service\":\"b\"}",
    ]) func `what is no item is refused, and nothing is dropped in silence`(_ json: String) {
        #expect(throws: KeychainError.self) { try record(json) }
    }

    @Test func `a text that is neither JSON nor of secret-tool is not known`() throws {
        for text in ["", "\n\n", "service=a", "label = x"] {
            #expect(throws: KeychainError.self) { try WholeListing(Array(text.utf8)) }
        }
    }
}
