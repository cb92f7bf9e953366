// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// What the popular keychain wrappers take for granted, in their own way of writing it.
@Suite("What wrappers rely on", .keychain)
struct WrapperFactsTests {
    private func query(_ more: [String: Any] = [:]) -> CFDictionary {
        var result: [String: Any] = platformKeys
        result[String(kSecClass)] = kSecClassGenericPassword
        for (key, value) in more { result[key] = value }
        return result as CFDictionary
    }

    @Test func `replacing is deleting, then adding`() {
        let key: [String: Any] = [String(kSecAttrAccount): "prefix_key"]
        #expect(SecItemDelete(query(key)) == errSecItemNotFound)
        for text in ["first", "second"] {
            SecItemDelete(query(key))
            let added = key.merging([
                String(kSecValueData): bytes(text), String(kSecAttrAccessible): kSecAttrAccessibleWhenUnlocked,
            ]) { $1 }
            #expect(SecItemAdd(query(added), nil) == noErr)
        }
        #expect(data([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "prefix_key"]) == bytes("second"))
    }

    @Test func `a result is taken through a pointer to AnyObject`() {
        #expect(add(generic + [kSecValueData: bytes("value")]) == errSecSuccess)
        var result: AnyObject?
        let code = unsafe withUnsafeMutablePointer(to: &result) {
            unsafe SecItemCopyMatching(
                query([String(kSecReturnData): kCFBooleanTrue as Any, String(kSecMatchLimit): kSecMatchLimitOne]),
                UnsafeMutablePointer($0))
        }
        #expect(code == noErr)
        #expect(result as? Data == bytes("value"))
    }

    @Test func `flags may be written as Core Foundation's Booleans`() {
        #expect(add(generic + [kSecAttrSynchronizable: kCFBooleanTrue as Any]) == errSecSuccess)
        #expect(status(generic + [kSecAttrSynchronizable: kCFBooleanTrue!]) == errSecSuccess)
        #expect(status(generic + [kSecAttrSynchronizable: kCFBooleanFalse!]) == errSecItemNotFound)
        #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(NSNumber(value: 1)) == CFNumberGetTypeID())
    }

    @Test func `secret, attributes and reference of all items at once`() {
        for name in ["one", "two"] {
            #expect(add(generic + [kSecAttrAccount: name, kSecValueData: bytes(name)]) == errSecSuccess)
        }
        let every =
            all(kSecClassGenericPassword) + [
                kSecReturnData: true, kSecReturnAttributes: true, kSecReturnPersistentRef: true,
            ]
        let items = find(every).object as? [[String: Any]]
        #expect(Set(items?.compactMap { $0[String(kSecAttrAccount)] as? String } ?? []) == ["one", "two"])
    }

    @Test func `a reference is not the secret`() {
        #expect(add(generic + [kSecValueData: bytes("value")]) == errSecSuccess)
        #expect(reference(generic) != bytes("value"))
    }

    @Test func `whether an item exists is asked without a result and without a prompt`() {
        let question = generic + [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
        #expect(status(question) == errSecItemNotFound)
        #expect(add(generic) == errSecSuccess)
        #expect(status(question) == errSecSuccess)
    }

    @Test func `an existing item is updated with all of its attributes`() {
        #expect(add(generic + [kSecValueData: bytes("old")]) == errSecSuccess)
        let changes: Item = [
            kSecValueData: bytes("new"), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecAttrLabel: "label",
            kSecAttrComment: "comment", kSecAttrSynchronizable: false, kSecAttrAccount: "account",
            kSecAttrService: "service",
        ]
        #expect(update(generic, changes) == errSecSuccess)
        #expect(data(generic) == bytes("new"))
        #expect(attributes(generic)["pdmn"] as? String == "ck")
    }

    @Test func `a server with its port and one without are two places`() {
        let plain = internet + [kSecAttrProtocol: kSecAttrProtocolHTTPS]
        #expect(add(plain + [kSecAttrPort: NSNumber(value: 443), kSecValueData: bytes("443")]) == errSecSuccess)
        #expect(add(plain + [kSecValueData: bytes("none")]) == errSecSuccess)
        #expect(data(plain + [kSecAttrPort: NSNumber(value: 443)]) == bytes("443"))
        #expect(count(plain) == 2)
    }

    @Test func `everything of a service is removed with a limit of all`() {
        for name in ["a", "b"] { #expect(add(generic + [kSecAttrAccount: name]) == errSecSuccess) }
        #expect(add(generic + [kSecAttrService: "another"]) == errSecSuccess)
        let service: Item = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecMatchLimit: kSecMatchLimitAll,
            kSecAttrSynchronizable: kSecAttrSynchronizableAny,
        ]
        #expect(delete(service) == errSecSuccess)
        #expect(count([kSecClass: kSecClassGenericPassword]) == 1)
    }

    @Test func `attributes are read as Swift types`() throws {
        #expect(
            add(generic + [kSecAttrIsInvisible: true, kSecAttrType: 7, kSecAttrGeneric: bytes("g")]) == errSecSuccess)
        let stored = attributes(generic)
        #expect(stored[String(kSecAttrSynchronizable)] as? Bool == false)
        #expect(stored[String(kSecAttrIsInvisible)] as? Bool == true)
        #expect(stored[String(kSecAttrCreationDate)] as? Date != nil)
        #expect(stored[String(kSecAttrGeneric)] as? Data == bytes("g"))
        #expect(stored[String(kSecAttrAccessible)] as? String == String(kSecAttrAccessibleWhenUnlocked))
        #expect(stored[String(kSecAttrAccessControl)] is SecAccessControl)
    }

    @Test func `account and generic attribute may be the bytes of a key`() throws {
        let key = bytes("key")
        let item: Item = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrGeneric: key, kSecAttrAccount: key,
        ]
        #expect(add(item + [kSecValueData: bytes("v")]) == errSecSuccess)
        #expect(add(item + [kSecValueData: bytes("w")]) == errSecDuplicateItem)
        #expect(update(item, [kSecValueData: bytes("w")]) == errSecSuccess)
        let list = find(all(kSecClassGenericPassword) + [kSecReturnAttributes: true]).object as? [[AnyHashable: Any]]
        #expect(list?.first?[kSecAttrAccount] as? Data == key)
        let one = find(item + [kSecReturnAttributes: true]).object as? [AnyHashable: Any]
        #expect(one?[kSecAttrAccessible] as? String == "ak")
    }

    @Test func `emptying every class begins with nothing in most of them`() {
        #expect(add(generic) == errSecSuccess)
        #expect(add(internet) == errSecSuccess)
        let codes = [
            kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey, kSecClassIdentity,
        ].map { delete([kSecClass: $0]) }
        #expect(codes == [errSecSuccess, errSecSuccess] + Array(repeating: errSecItemNotFound, count: 3))
    }

    @Test func `a dictionary of constants reads back as strings`() {
        let query = self.query() as? [String: Any]
        #expect(query?[kSecClass as String] as? String == kSecClassGenericPassword as String)
        #expect((query?[String(kSecClass)] as? String) == "genp")
        #expect(String(kSecMatchLimitAll) == "m_LimitAll")
        #expect(AnyHashable(kSecAttrLabel) == AnyHashable("labl"))
        #expect(AnyHashable(kSecAttrLabel).hashValue == AnyHashable("labl").hashValue)
    }

    @Test func `an error is a code in the domain of status codes`() {
        let error = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam), userInfo: ["key": "value"])
        #expect(CFErrorGetCode(error) == -50)
        #expect(CFErrorGetDomain(error) as String? == NSOSStatusErrorDomain)
        #expect((CFErrorCopyUserInfo(error) as? [String: Any])?["key"] as? String == "value")
        #expect(CFErrorCopyDescription(error) as String? != nil)
    }

    @Test func `calls from many threads keep each other's items whole`() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let item = generic + [kSecAttrAccount: "account\(number)"]
                    #expect(add(item + [kSecValueData: bytes("\(number)")]) == errSecSuccess)
                    #expect(data(item) == bytes("\(number)"))
                    #expect(update(item, [kSecValueData: bytes("new \(number)")]) == errSecSuccess)
                    #expect(data(item) == bytes("new \(number)"))
                }
            }
        }
        #expect(count([kSecClass: kSecClassGenericPassword]) == 24)
    }

    @Test func `random bytes fill exactly what is asked`() {
        var buffer = [UInt8](repeating: 0, count: 64)
        #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, 61, &buffer) == errSecSuccess)
        #expect(buffer[61...] == [0, 0, 0])
        #expect(Set(buffer[..<61]).count > 20)
        #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, 0, &buffer) == errSecSuccess)
    }
}
