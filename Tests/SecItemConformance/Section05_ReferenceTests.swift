// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("5. References to certificates, keys and identities", .keychain)
struct ReferenceTests {
    private func fill() throws {
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        #expect(add(try privateKey()) == errSecSuccess)
    }

    @Test func `R is the object`() throws {
        try fill()
        let found = find([kSecClass: kSecClassCertificate, kSecReturnRef: true])
        #expect(found.status == errSecSuccess && CFGetTypeID(found.object) == SecCertificateGetTypeID())
        let certificate = try #require(found.object as? SecCertificate)
        #expect(SecCertificateCopyData(certificate) as Data == Material.leaf)
        let key = try #require(find([kSecClass: kSecClassKey, kSecReturnRef: true]).object as? SecKey)
        #expect(representation(key) == Material.leafKey)
        let pair = try #require(find([kSecClass: kSecClassIdentity, kSecReturnRef: true]).object as? SecIdentity)
        var parts: (certificate: SecCertificate?, key: SecKey?)
        #expect(unsafe SecIdentityCopyCertificate(pair, &parts.certificate) == errSecSuccess)
        #expect(unsafe SecIdentityCopyPrivateKey(pair, &parts.key) == errSecSuccess)
        #expect(parts.certificate == certificate && parts.key == key)
    }

    @Test(arguments: names(kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef))
    func `R with anything is a dictionary with the class`(other: String) throws {
        try fill()
        for itemClass in [kSecClassCertificate, kSecClassKey, kSecClassIdentity] {
            let found = find([kSecClass: itemClass, kSecReturnRef: true, other.cf: true])
            #expect(found[kSecClass] as? String == itemClass as String && found[kSecValueRef] != nil)
        }
    }

    @Test func `D of a certificate is its DER, of a key its representation, of an identity its key's`() throws {
        try fill()
        #expect(data([kSecClass: kSecClassCertificate]) == Material.leaf)
        #expect(data([kSecClass: kSecClassKey]) == Material.leafKey)
        #expect(data([kSecClass: kSecClassIdentity]) == Material.leafKey)
        let found = find([kSecClass: kSecClassIdentity, kSecReturnData: true, kSecReturnAttributes: true])
        #expect(found["certdata" as CFString] as? Data == Material.leaf)
    }

    @Test func `an array of R holds what has an object`() throws {
        try fill()
        #expect(add([kSecClass: kSecClassKey, kSecValueData: bytes("0123456789abcdef")]) == errSecSuccess)
        let found = find(all(kSecClassKey) + [kSecReturnRef: true])
        #expect(found.list?.count == 1 && found.list?.first is SecKey)
    }

    @Test func `R of a symmetric key is success with nil`() {
        #expect(add([kSecClass: kSecClassKey, kSecValueData: bytes("0123456789abcdef")]) == errSecSuccess)
        let found = find([kSecClass: kSecClassKey, kSecReturnRef: true])
        #expect(found.status == errSecSuccess && found.object == nil)
    }

    @Test func `R of a key whose bytes are none of its type can't be decoded`() {
        let item: Item = [
            kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            kSecValueData: bytes("no key"),
        ]
        #expect(add(item) == errSecSuccess)
        #expect(find([kSecClass: kSecClassKey, kSecReturnRef: true]).status == errSecDecode)
        #expect(data([kSecClass: kSecClassKey]) == bytes("no key"))
    }

    @Test func `add returns the object too`() throws {
        let added = addReturning(try certificate(Material.leaf) + [kSecReturnRef: true])
        #expect(added.object is SecCertificate)
        let key = addReturning(try privateKey() + [kSecReturnRef: true, kSecReturnAttributes: true])
        #expect(key[kSecValueRef] is SecKey && key[kSecAttrKeyClass] as? Int == 1)
    }

    @Test func `an object represents its attributes in a search`() throws {
        try fill()
        #expect(status(try certificate(Material.leaf)) == errSecSuccess)
        #expect(status(try certificate(Material.rsaLeaf)) == errSecItemNotFound)
        #expect(data(try privateKey()) == Material.leafKey)
        #expect(status(try privateKey() + [kSecClass: kSecClassIdentity]) == errSecSuccess)
        #expect(status(try certificate(Material.rsaLeaf) + [kSecClass: kSecClassIdentity]) == errSecItemNotFound)
        #expect(status([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(status([kSecValueRef: try identity(), kSecAttrLabel: "another"]) == errSecItemNotFound)
    }

    @Test func `another object, and one of another class, is refused`() throws {
        #expect(status([kSecClass: kSecClassKey, kSecValueRef: "key"]) == errSecParam)
        #expect(add([kSecValueRef: NSObject()]) == errSecParam)
        #expect(status(try certificate(Material.leaf) + [kSecClass: kSecClassKey]) == errSecNoSuchAttr)
        #expect(status(try privateKey() + [kSecClass: kSecClassGenericPassword]) == errSecNoSuchAttr)
    }

    @Test func `a change by reference changes the item`() throws {
        try fill()
        #expect(update(try certificate(Material.leaf), [kSecAttrLabel: "new"]) == errSecSuccess)
        #expect(attributes([kSecClass: kSecClassCertificate])["labl"] as? String == "new")
        #expect(update(try privateKey(), [kSecAttrApplicationTag: bytes("tag")]) == errSecSuccess)
        #expect(status([kSecClass: kSecClassKey, kSecAttrApplicationTag: bytes("tag")]) == errSecSuccess)
        #expect(update(try privateKey(), [kSecValueRef: try identity()]) == errSecParam)
        #expect(delete(try certificate(Material.leaf)) == errSecSuccess)
        #expect(count([kSecClass: kSecClassCertificate]) == 0 && count([kSecClass: kSecClassKey]) == 1)
    }
}
