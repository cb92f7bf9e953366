// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecItem
import TestSupport
import Testing

/// What Apple's functions accept or leave out though their documentation reads otherwise.
@Suite struct AppleAcceptsTests {
    private let temporary = TemporaryHome()

    private func functions(_ flavour: SecItemFlavour = .macOS) throws -> Functions {
        Functions(home: try temporary.open { $0.flavour = flavour })
    }

    @Test func `a text as secret is its UTF-8, where macOS' file keychain would be asked`() throws {
        let functions = try functions()
        #expect(functions.add(generic + [kSecValueData: "pässwörd"]) == errSecSuccess)
        #expect(functions.data(generic) == bytes("pässwörd"))
        #expect(functions.update(generic, [kSecValueData: "" as CFString]) == errSecSuccess)
        #expect(functions.data(generic) == Data())
        #expect(functions.update(generic, [kSecValueData: "other"]) == errSecSuccess)
        #expect(functions.data(generic) == bytes("other"))
    }

    @Test func `a text as secret is -50 in the data-protection keychain and on iOS`() throws {
        let chosen: Item = [kSecUseDataProtectionKeychain: true]
        let mac = try functions()
        #expect(mac.add(generic + chosen + [kSecValueData: "text"]) == errSecParam)
        #expect(mac.add(generic + [kSecValueData: bytes("data")]) == errSecSuccess)
        #expect(mac.update(generic + chosen, [kSecValueData: "text"]) == errSecParam)
        let phone = try functions(.iOS)
        #expect(phone.add(generic + [kSecAttrAccount: "other", kSecValueData: "text"]) == errSecParam)
        #expect(phone.update(generic, [kSecValueData: "text"]) == errSecParam)
        #expect(mac.data(generic) == bytes("data"))
    }

    @Test(arguments: ["aku", "cku", "dku"])
    func `a synchronizable item may be bound to this device`(accessibility: String) throws {
        let functions = try functions()
        let item = generic + [kSecAttrSynchronizable: true, kSecValueData: bytes("secret")]
        #expect(functions.add(item + [kSecAttrAccessible: accessibility]) == errSecSuccess)
        let query = generic + [kSecAttrSynchronizable: true]
        #expect(functions.data(query) == bytes("secret"))
        #expect(functions.status(generic) == errSecItemNotFound)
        let found = functions.find(query + [kSecReturnAttributes: true]).object as? [String: Any]
        #expect(found?["pdmn"] as? String == accessibility)
        #expect(functions.update(query, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == errSecSuccess)
        #expect(functions.update(query, [kSecAttrAccessible: accessibility]) == errSecSuccess)
        #expect(functions.delete(query) == errSecSuccess)
    }
}
