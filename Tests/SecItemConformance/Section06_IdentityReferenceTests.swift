// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("3, 6, 7, 9. Identities added, referred to and deleted", .keychain)
struct IdentityItemTests {
    private let all: Item = [kSecClass: kSecClassIdentity]

    @Test func `an identity is added as its certificate and its key`() throws {
        let added = addReturning([kSecValueRef: try identity(), kSecReturnPersistentRef: true])
        #expect(added.status == errSecSuccess && added.data?.count == 20)
        #expect(added.data?.prefix(4) == bytes("idnt"))
        #expect(count([kSecClass: kSecClassCertificate]) == 1 && count([kSecClass: kSecClassKey]) == 1)
        #expect(attributes([kSecClass: kSecClassCertificate])["labl"] as? String == "Anna")
        #expect(add([kSecValueRef: try identity()]) == errSecDuplicateItem)
    }

    @Test func `what is given beside an identity holds for both parts`() throws {
        let item: Item = [
            kSecValueRef: try identity(), kSecAttrLabel: "mine", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        #expect(add(item) == errSecSuccess)
        for itemClass in [kSecClassCertificate, kSecClassKey] {
            let found = attributes([kSecClass: itemClass])
            #expect(found["labl"] as? String == "mine" && found["pdmn"] as? String == "ck")
        }
    }

    @Test func `one part of an identity may be there already`() throws {
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        let reference = reference([kSecClass: kSecClassCertificate])
        let added = addReturning([kSecValueRef: try identity(), kSecReturnPersistentRef: true])
        #expect(added.status == errSecSuccess && added.data?.dropFirst(4) == reference.dropFirst(4))
        #expect(delete([kSecClass: kSecClassCertificate]) == errSecSuccess)
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(count(all) == 1)
    }

    @Test func `of an identity given as an object a persistent reference alone is returned`() throws {
        let own = try identity()
        let asked: [Item] = [[kSecReturnRef: true], [kSecReturnAttributes: true], [kSecReturnData: true]]
        for one in asked {
            let added = addReturning([kSecValueRef: own] + one)
            #expect(added.status == errSecSuccess && added.object == nil)
            let found = find([kSecValueRef: own] + one)
            #expect(found.status == errSecSuccess && found.object == nil)
            #expect(delete([kSecValueRef: own]) == errSecSuccess)
        }
        #expect(add([kSecValueRef: own]) == errSecSuccess)
        #expect(reference([kSecValueRef: own]) == reference(all))
    }

    @Test func `an identity can't be added by its attributes`() {
        #expect(add(all + [kSecValueData: bytes("x")]) == errSecUnimplemented)
    }

    @Test func `the reference of an identity is its certificate's, of its own class`() throws {
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        let own = reference(all)
        let certificates = reference([kSecClass: kSecClassCertificate])
        #expect(own == bytes("idnt") + certificates.dropFirst(4))
        #expect(find([kSecValuePersistentRef: own, kSecReturnRef: true]).object is SecIdentity)
        #expect(find([kSecValuePersistentRef: certificates, kSecReturnRef: true]).object is SecCertificate)
        #expect(delete([kSecClass: kSecClassKey]) == errSecSuccess)
        #expect(status([kSecValuePersistentRef: own]) == errSecItemNotFound)
    }

    @Test func `the reference of an identity outlives a change of its label`() throws {
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        let own = reference(all)
        #expect(update([kSecClass: kSecClassCertificate], [kSecAttrLabel: "new"]) == errSecSuccess)
        #expect(attributes([kSecValuePersistentRef: own])["labl"] as? String == "new")
    }

    @Test func `certificates are readable always, keys while unlocked`() throws {
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(attributes([kSecClass: kSecClassCertificate])["pdmn"] as? String == "dk")
        #expect(attributes([kSecClass: kSecClassKey])["pdmn"] as? String == "ak")
    }

    @Test func `only objects get a label of their own`() throws {
        #expect(add([kSecClass: kSecClassCertificate, kSecValueData: Material.leaf]) == errSecSuccess)
        #expect(attributes([kSecClass: kSecClassCertificate])["labl"] == nil)
        #expect(add(try privateKey()) == errSecSuccess)
        #expect(attributes([kSecClass: kSecClassKey])["labl"] == nil)
    }

    // Rule: the bytes of a certificate are one | anything taken | 5 cases
    @Test func `a certificate's bytes must be one, in DER`() {
        for garbage in [Data(), bytes("certificate"), Material.leaf.dropLast(), Material.leafKey] {
            #expect(add([kSecClass: kSecClassCertificate, kSecValueData: garbage]) == errSecDecode)
        }
        #expect(status([kSecClass: kSecClassCertificate]) == errSecItemNotFound)
    }

    @Test func `deleting an identity deletes certificate and key`() throws {
        #expect(delete(all) == errSecItemNotFound)
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(delete(all) == errSecSuccess)
        #expect(status([kSecClass: kSecClassCertificate]) == errSecItemNotFound)
        #expect(status([kSecClass: kSecClassKey]) == errSecItemNotFound)
    }

    // Rule: a key that another certificate needs stays when an identity is deleted | not looked for
    @Test func `a key that another certificate uses stays`() throws {
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(add(try certificate(Material.leaf) + [kSecAttrAccessGroup: Groups.shared]) == errSecSuccess)
        #expect(delete([kSecValueRef: try identity(), kSecAttrAccessGroup: Groups.own]) == errSecSuccess)
        #expect(count([kSecClass: kSecClassKey]) == 1 && count([kSecClass: kSecClassCertificate]) == 1)
        #expect(delete([kSecClass: kSecClassCertificate]) == errSecSuccess)
        #expect(count([kSecClass: kSecClassKey]) == 1)
    }

    @Test func `other identities and keys stay when one is deleted`() throws {
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(add(try certificate(Material.rsaLeaf)) == errSecSuccess)
        #expect(add([kSecValueRef: try object(Material.rsaKey, kSecAttrKeyTypeRSA)]) == errSecSuccess)
        #expect(count(all) == 2)
        #expect(delete([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(count(all) == 1 && count([kSecClass: kSecClassKey]) == 1)
    }

    @Test func `an identity itself is not changed, its parts are`() throws {
        #expect(add([kSecValueRef: try identity()]) == errSecSuccess)
        #expect(update(all, [kSecAttrLabel: "new"]) == errSecUnimplemented)
    }
}

@Suite("4. Match keys of certificates", .keychain)
struct CertificateMatchTests {
    private let certificates: Item = [kSecClass: kSecClassCertificate]

    private func fill() throws {
        for der in [Material.authority, Material.leaf, Material.rsaLeaf] {
            #expect(add(try certificate(der)) == errSecSuccess)
        }
        #expect(add(try privateKey()) == errSecSuccess)
    }

    private func name(_ der: Data) throws -> Data {
        let object = try #require(SecCertificateCreateWithData(nil, der as CFData))
        return try #require(SecCertificateCopyNormalizedSubjectSequence(object) as Data?)
    }

    @Test func `an issuer of the chain matches, by its name`() throws {
        try fill()
        let authority = try name(Material.authority)
        #expect(count(certificates + [kSecMatchIssuers: [authority]]) == 3)
        #expect(count([kSecClass: kSecClassIdentity, kSecMatchIssuers: [authority]]) == 1)
        #expect(status(certificates + [kSecMatchIssuers: [try name(Material.leaf)]]) == errSecItemNotFound)
        #expect(count(certificates + [kSecMatchIssuers: [Data]()]) == 3)
    }

    @Test func `a Name in DER as the issuer finds its normalized content`() throws {
        try fill()
        #expect(count(certificates + [kSecAttrIssuer: try name(Material.authority)]) == 3)
        #expect(count(certificates + [kSecAttrIssuer: try name(Material.authority).dropFirst(2)]) == 3)
    }

    @Test func `a date outside the validity matches nothing`() throws {
        try fill()
        #expect(count(certificates + [kSecMatchValidOnDate: Date()]) == 3)
        #expect(count(certificates + [kSecMatchValidOnDate: NSNull()]) == 3)
        #expect(status(certificates + [kSecMatchValidOnDate: Date.distantPast]) == errSecItemNotFound)
    }

    @Test func `a mail address excludes certificates of other addresses`() throws {
        try fill()
        #expect(count(certificates + [kSecMatchEmailAddressIfPresent: "anna@example.org"]) == 3)
        #expect(count(certificates + [kSecMatchEmailAddressIfPresent: "ben@example.org"]) == 2)
    }

    @Test func `subject and case conditions have no effect`() throws {
        try fill()
        #expect(count(certificates + [kSecMatchSubjectContains: "nobody", kSecMatchCaseInsensitive: true]) == 3)
    }

    @Test func `passwords and keys have no issuer`() {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey] {
            #expect(status([kSecClass: itemClass, kSecMatchIssuers: [bytes("name")]]) == errSecUnimplemented)
        }
    }

    @Test func `a limit holds for what matches`() throws {
        try fill()
        let wanted = certificates + [kSecMatchEmailAddressIfPresent: "ben@example.org", kSecReturnRef: true]
        #expect(find(wanted).object is SecCertificate)
        #expect(find(wanted + [kSecMatchLimit: 5]).list?.count == 2)
        #expect(status(wanted + [kSecMatchLimit: 0]) == errSecItemNotFound)
    }
}
