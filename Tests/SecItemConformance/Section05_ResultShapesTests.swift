// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("5. What comes back", .keychain)
struct ResultShapeTests {
    private let secret = bytes("secret")

    private func addOne() { #expect(add(generic + [kSecValueData: secret]) == errSecSuccess) }

    private func found(_ keys: CFString...) -> Answer {
        find(keys.reduce(generic) { $0 + [$1: true] })
    }

    @Test func `nothing asked: success and nil`() {
        addOne()
        #expect(found().status == errSecSuccess)
        #expect(found().object == nil)
        #expect(find(generic + [kSecReturnData: false, kSecReturnAttributes: false]).object == nil)
    }

    @Test func `the secret alone is data`() {
        addOne()
        #expect(found(kSecReturnData).data == secret)
    }

    @Test func `the persistent reference alone is data`() {
        addOne()
        #expect(found(kSecReturnPersistentRef).data?.count == 20)
    }

    @Test func `a password has no object: success and nil`() {
        addOne()
        #expect(found(kSecReturnRef).status == errSecSuccess)
        #expect(found(kSecReturnRef).object == nil)
    }

    @Test func `attributes alone are a dictionary without the secret`() {
        addOne()
        let answer = found(kSecReturnAttributes)
        #expect(answer[kSecAttrAccount] as? String == "account")
        #expect(answer[kSecValueData] == nil)
        #expect(answer[kSecValuePersistentRef] == nil)
    }

    @Test func `combinations are a dictionary with what was asked`() {
        addOne()
        let data = found(kSecReturnAttributes, kSecReturnData)
        #expect(data[kSecValueData] as? Data == secret)
        #expect(data[kSecAttrService] as? String == "service")
        #expect(data[kSecValuePersistentRef] == nil)
        let reference = found(kSecReturnAttributes, kSecReturnPersistentRef)
        #expect((reference[kSecValuePersistentRef] as? Data)?.count == 20)
        #expect(reference[kSecAttrService] as? String == "service")
        #expect(reference[kSecValueData] == nil)
        let three = found(kSecReturnAttributes, kSecReturnData, kSecReturnPersistentRef)
        #expect(three[kSecValueData] as? Data == secret)
        #expect((three[kSecValuePersistentRef] as? Data)?.count == 20)
    }

    @Test func `a search for secret and reference brings the attributes, too`() {
        addOne()
        let answer = found(kSecReturnData, kSecReturnPersistentRef)
        #expect(answer[kSecValueData] as? Data == secret)
        #expect((answer[kSecValuePersistentRef] as? Data)?.count == 20)
        #expect(answer[kSecAttrAccount] as? String == "account")
    }

    @Test func `add returns the secret and the reference alone`() throws {
        let item = generic + [kSecValueData: secret, kSecReturnData: true, kSecReturnPersistentRef: true]
        let answer = try #require(addReturning(item).attributes)
        #expect(Set(answer.keys) == [kSecValueData as String, kSecValuePersistentRef as String])
        #expect(answer[kSecValueData as String] as? Data == secret)
    }

    @Test func `add returns single things as they are`() {
        #expect(addReturning(generic + [kSecValueData: secret, kSecReturnData: true]).data == secret)
        let second = addReturning(generic + [kSecAttrAccount: "b", kSecReturnPersistentRef: true])
        #expect(second.data == reference(generic + [kSecAttrAccount: "b"]))
        let third = addReturning(generic + [kSecAttrAccount: "c", kSecReturnAttributes: true])
        #expect(third[kSecAttrAccount] as? String == "c")
        let fourth = addReturning(generic + [kSecAttrAccount: "d"])
        #expect(fourth.status == errSecSuccess)
        #expect(fourth.object == nil)
    }

    @Test func `an object with anything else is a dictionary that names the class`() {
        addOne()
        let answer = found(kSecReturnRef, kSecReturnData)
        #expect(answer[kSecClass] as? String == "genp")
        #expect(answer[kSecValueData] as? Data == secret)
        #expect(answer[kSecValueRef] == nil)
    }

    @Test func `a list holds the same things`() {
        addOne()
        let every = all(kSecClassGenericPassword)
        #expect(find(every + [kSecReturnData: true]).object as? [Data] == [secret])
        #expect(find(every + [kSecReturnPersistentRef: true]).object as? [Data] == [reference(generic)])
        let dictionaries = find(every + [kSecReturnAttributes: true, kSecReturnData: true]).object as? [[String: Any]]
        #expect(dictionaries?.first?[kSecValueData as String] as? Data == secret)
    }

    @Test func `an item without a secret: success and nil`() {
        #expect(add(generic) == errSecSuccess)
        #expect(found(kSecReturnData).status == errSecSuccess)
        #expect(found(kSecReturnData).object == nil)
        let answer = found(kSecReturnData, kSecReturnAttributes)
        #expect(answer[kSecAttrAccount] as? String == "account")
        #expect(answer.attributes?.keys.contains(kSecValueData as String) == false)
    }

    @Test func `items without a secret are left out of a list of secrets`() {
        #expect(add(generic) == errSecSuccess)
        #expect(add(generic + [kSecAttrAccount: "b", kSecValueData: secret]) == errSecSuccess)
        let answer = find(all(kSecClassGenericPassword) + [kSecReturnData: true])
        #expect(answer.object as? [Data] == [secret])
    }

    @Test func `an empty secret is data without bytes`() {
        #expect(add(generic + [kSecValueData: Data()]) == errSecSuccess)
        #expect(found(kSecReturnData).data == Data())
    }

    @Test(arguments: [1, 15, 16, 31, 32, 33, 4096, 70_000])
    func `every byte of a secret comes back`(length: Int) {
        let long = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        #expect(add(generic + [kSecValueData: long]) == errSecSuccess)
        #expect(found(kSecReturnData).data == long)
    }

    @Test func `no variable is needed for a result`() {
        #expect(add(generic + [kSecReturnAttributes: true, kSecReturnData: true]) == errSecSuccess)
        #expect(status(generic + [kSecReturnData: true]) == errSecSuccess)
    }
}

@Suite("5. How results are cast", .keychain)
struct ResultCastTests {
    @Test func `a dictionary answers to every way in which code asks it`() throws {
        #expect(add(generic + [kSecAttrLabel: "label", kSecValueData: bytes("x")]) == errSecSuccess)
        let object = find(generic + [kSecReturnAttributes: true, kSecReturnData: true]).object
        #expect((object as? [String: Any])?["labl"] as? String == "label")
        #expect((object as? [AnyHashable: Any])?[kSecAttrLabel] as? String == "label")
        #expect((object as? NSDictionary)?[kSecAttrLabel] as? String == "label")
        #expect((object as? NSDictionary)?[kSecAttrLabel as String] as? String == "label")
        #expect((object as? [CFString: Any])?[kSecAttrLabel] as? String == "label")
        #expect((object as? NSDictionary)?[kSecValueData] as? Data == bytes("x"))
        #expect((object as? NSDictionary)?[kSecAttrCreationDate] as? Date != nil)
        #expect((object as? [String: Any])?["sync"] as? Bool == false)
        #expect((object as? [String: Any])?["sync"] as? Int == 0)
        #expect((object as? [String: Any])?["sync"] as? NSNumber == 0)
    }

    @Test func `a list answers to every way in which code asks it`() {
        #expect(add(generic) == errSecSuccess)
        let object = find(all(kSecClassGenericPassword) + [kSecReturnAttributes: true]).object
        #expect((object as? [[String: Any]])?.count == 1)
        #expect((object as? [NSDictionary])?.count == 1)
        #expect((object as? NSArray)?.count == 1)
        #expect((object as? [Any])?.count == 1)
        #expect((object as? [[AnyHashable: Any]])?.first?[kSecAttrAccount] as? String == "account")
    }

    @Test func `data is data in both worlds`() {
        #expect(add(generic + [kSecValueData: bytes("x")]) == errSecSuccess)
        let object = find(generic + [kSecReturnData: true]).object
        #expect(object as? Data == bytes("x"))
        #expect((object as? NSData)?.length == 1)
    }
}
