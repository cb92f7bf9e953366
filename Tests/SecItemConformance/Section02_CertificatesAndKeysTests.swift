// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A key of which only attributes and bytes matter.
private var key: Item {
    [kSecClass: kSecClassKey, kSecAttrApplicationTag: bytes("tag"), kSecValueData: bytes("0123456789abcdef")]
}

@Suite("2. Certificates, keys and identities", .keychain)
struct CertificatesAndKeysTests {
    @Test func `type, issuer and serial number make another certificate`() {
        let certificate: Item = [
            kSecClass: kSecClassCertificate, kSecAttrIssuer: bytes("a"), kSecAttrSerialNumber: bytes("1"),
        ]
        #expect(add(certificate) == errSecSuccess)
        #expect(add(certificate + [kSecAttrLabel: "another", kSecAttrSubject: bytes("s")]) == errSecDuplicateItem)
        for other: Item in [
            [kSecAttrCertificateType: 3], [kSecAttrIssuer: bytes("b")], [kSecAttrSerialNumber: bytes("2")],
        ] {
            #expect(add(certificate + other) == errSecSuccess)
            #expect(add(certificate + other) == errSecDuplicateItem)
        }
        #expect(count([kSecClass: kSecClassCertificate]) == 4)
    }

    @Test func `class, label, tag, creator, type and sizes make another key`() {
        #expect(add(key) == errSecSuccess)
        #expect(add(key + [kSecAttrLabel: "another", kSecAttrIsPermanent: false]) == errSecDuplicateItem)
        let others: [Item] = [
            [kSecAttrKeyClass: kSecAttrKeyClassSymmetric], [kSecAttrApplicationLabel: bytes("label")],
            [kSecAttrApplicationTag: bytes("another")], [kSecAttrKeyType: kSecAttrKeyTypeRC4],
            [kSecAttrKeySizeInBits: 128], [kSecAttrEffectiveKeySize: 128], [kSecAttrCreator: 7],
        ]
        for other in others {
            #expect(add(key + other) == errSecSuccess)
            #expect(add(key + other) == errSecDuplicateItem)
        }
        #expect(count([kSecClass: kSecClassKey]) == 8)
    }

    @Test func `the dates of a key belong to its identity`() {
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        #expect(add(key) == errSecSuccess)
        #expect(add(key + ["sdat".cf: Date(timeIntervalSinceReferenceDate: 0)]) == errSecDuplicateItem)
        for other: Item in [["sdat".cf: day], ["edat".cf: day]] {
            #expect(add(key + other) == errSecSuccess)
            #expect(add(key + other) == errSecDuplicateItem)
            #expect(count([kSecClass: kSecClassKey] + other) == 1)
        }
        #expect(
            attributes([kSecClass: kSecClassKey, "edat".cf: day])["sdat"] as? Date
                == Date(timeIntervalSinceReferenceDate: 0))
    }

    @Test func `every attribute of a key comes back`() {
        let flags = [
            kSecAttrIsPermanent, "priv".cf, "modi".cf, kSecAttrIsSensitive, "asen".cf, kSecAttrIsExtractable, "next".cf,
            kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive, kSecAttrCanSign, kSecAttrCanVerify, "snrc".cf,
            "vyrc".cf, kSecAttrCanWrap, kSecAttrCanUnwrap,
        ]
        var item = key + [kSecAttrLabel: "label", "alis".cf: "alias"]
        for (number, flag) in flags.enumerated() { item[flag] = number.isMultiple(of: 2) }
        #expect(add(item) == errSecSuccess)
        let found = attributes([kSecClass: kSecClassKey])
        for (number, flag) in flags.enumerated() {
            #expect(found[flag as String] as? Int == (number.isMultiple(of: 2) ? 1 : 0), "\(flag)")
        }
        #expect(found["labl"] as? String == "label" && found["alis"] as? String == "alias")
        #expect(found["atag"] as? Data == bytes("tag"))
        for name in ["kcls", "type", "crtr", "bsiz", "esiz"] { #expect(found[name] as? Int == 0, "\(name)") }
        #expect(found["klbl"] as? Data == Data())
    }

    @Test func `every attribute of a certificate comes back`() {
        let item: Item = [
            kSecClass: kSecClassCertificate, kSecAttrCertificateType: 1, kSecAttrCertificateEncoding: 3,
            kSecAttrIssuer: bytes("issuer"), kSecAttrSerialNumber: bytes("1"), kSecAttrSubject: bytes("subject"),
            kSecAttrSubjectKeyID: bytes("identifier"), kSecAttrPublicKeyHash: bytes("hash"), kSecAttrLabel: "label",
            "alis".cf: "alias",
        ]
        #expect(add(item) == errSecSuccess)
        let found = attributes([kSecClass: kSecClassCertificate])
        for (name, value) in item where name != kSecClass {
            #expect((found[name as String] as? NSObject)?.isEqual(value) == true, "\(name)")
        }
    }

    @Test func `type and class of a key are texts on the way in and numbers on the way out`() {
        #expect(
            add(key + [kSecAttrKeyClass: kSecAttrKeyClassSymmetric, kSecAttrKeyType: kSecAttrKeyTypeRC4])
                == errSecSuccess)
        let found = attributes([kSecClass: kSecClassKey])
        #expect(found["kcls"] as? Int == 2 && found["type"] as? Int == 25)
        #expect(status([kSecClass: kSecClassKey, kSecAttrKeyClass: 2]) == errSecSuccess)
        #expect(status([kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate]) == errSecItemNotFound)
    }

    @Test func `the type of AES keys exceeds 32 bits and stays text`() {
        #expect(add(key + [kSecAttrKeyType: kSecAttrKeyTypeAES]) == errSecSuccess)
        #expect(attributes([kSecClass: kSecClassKey])["type"] as? String == kSecAttrKeyTypeAES as String)
        #expect(data([kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeAES]) == bytes("0123456789abcdef"))
    }

    // Rule: an object that is added gets its subject as its label | no label | also "an identity is added as its
    //   certificate and its key", "label, issuer and serial number of an identity are its certificate's"
    @Test func `a certificate tells its attributes from its bytes`() throws {
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        let found = attributes([kSecClass: kSecClassCertificate])
        #expect(found["ctyp"] as? Int == 3 && found["cenc"] as? Int == 3)
        #expect(found["slnr"] as? Data == Data([0x00, 0xF0, 0xA1, 0xB2, 0xC3]))
        #expect((found["skid"] as? Data)?.count == 20 && (found["pkhh"] as? Data)?.count == 20)
        let object = try #require(SecCertificateCreateWithData(nil, Material.leaf as CFData))
        let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(object) as Data?)
        #expect(found["issr"] as? Data == issuer.dropFirst(2))
        #expect(found["labl"] as? String == "Anna")
    }

    // Rule: attributes that are given win over those of the object | the object's win
    @Test func `attributes that are given win over those of the object`() throws {
        #expect(
            add(try certificate(Material.leaf) + [kSecAttrLabel: "mine", kSecAttrSubject: bytes("s")]) == errSecSuccess)
        let found = attributes([kSecClass: kSecClassCertificate])
        #expect(found["labl"] as? String == "mine" && found["subj"] as? Data == bytes("s"))
    }

    // Rule: a certificate's attributes are those of its bytes, by reference or not | none inferred from data
    @Test func `the same certificate twice is a duplicate, with any label`() throws {
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        #expect(add(try certificate(Material.leaf) + [kSecAttrLabel: "another"]) == errSecDuplicateItem)
        #expect(add([kSecClass: kSecClassCertificate, kSecValueData: Material.leaf]) == errSecDuplicateItem)
    }

    @Test func `a key tells its attributes from its bytes`() throws {
        #expect(add(try privateKey()) == errSecSuccess)
        let found = attributes([kSecClass: kSecClassKey])
        #expect(found["kcls"] as? Int == 1 && found["type"] as? Int == 73)
        #expect(found["bsiz"] as? Int == 256 && found["esiz"] as? Int == 256)
        #expect(found["priv"] as? Int == 1 && found["sign"] as? Int == 1 && found["vrfy"] as? Int == 0)
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        let hash = attributes([kSecClass: kSecClassCertificate])["pkhh"] as? Data
        #expect(hash != nil && found["klbl"] as? Data == hash)
    }

    // Rule: certificate and key of an identity belong together | any private key taken | also "other identities and
    //   keys stay when one is deleted", "an issuer of the chain matches, by its name"
    @Test func `an identity is a certificate and its private key, wherever both are`() throws {
        #expect(status(all(kSecClassIdentity)) == errSecItemNotFound)
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        #expect(status(all(kSecClassIdentity)) == errSecItemNotFound)
        #expect(add(try privateKey() + [kSecAttrAccessGroup: Groups.shared]) == errSecSuccess)
        #expect(count([kSecClass: kSecClassIdentity]) == 1)
        #expect(add(try certificate(Material.rsaLeaf)) == errSecSuccess)
        #expect(count([kSecClass: kSecClassIdentity]) == 1)
        #expect(delete([kSecClass: kSecClassKey]) == errSecSuccess)
        #expect(status(all(kSecClassIdentity)) == errSecItemNotFound)
    }

    @Test func `a public key makes no identity`() throws {
        let privateKey = try object(Material.leafKey, kSecAttrKeyTypeECSECPrimeRandom)
        let publicKey = try #require(SecKeyCopyPublicKey(privateKey))
        #expect(add([kSecValueRef: publicKey]) == errSecSuccess)
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        #expect(status([kSecClass: kSecClassIdentity]) == errSecItemNotFound)
    }

    @Test func `an identity is found by attributes of either part`() throws {
        #expect(add(try privateKey() + [kSecAttrApplicationTag: bytes("tag"), kSecAttrLabel: "key"]) == errSecSuccess)
        #expect(add(try certificate(Material.leaf) + [kSecAttrLabel: "certificate"]) == errSecSuccess)
        let identity: Item = [kSecClass: kSecClassIdentity]
        for condition: Item in [
            [kSecAttrLabel: "certificate"], [kSecAttrApplicationTag: bytes("tag")],
            [kSecAttrSerialNumber: Data([0x00, 0xF0, 0xA1, 0xB2, 0xC3])], [kSecAttrKeySizeInBits: 256],
            [kSecAttrLabel: "certificate", kSecAttrApplicationTag: bytes("tag")],
        ] { #expect(count(identity + condition) == 1) }
        for condition: Item in [
            [kSecAttrLabel: "key"], [kSecAttrApplicationTag: bytes("other")], [kSecAttrKeySizeInBits: 384],
            [kSecAttrLabel: "certificate", kSecAttrApplicationTag: bytes("other")],
        ] { #expect(status(identity + condition) == errSecItemNotFound) }
        #expect(status(identity + [kSecAttrAccount: "a"]) == errSecNoSuchAttr)
    }

    @Test func `label, issuer and serial number of an identity are its certificate's`() throws {
        #expect(add(try privateKey() + [kSecAttrLabel: "key"]) == errSecSuccess)
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        let found = attributes([kSecClass: kSecClassIdentity])
        #expect(found["labl"] as? String == "Anna" && found["slnr"] != nil && found["issr"] != nil)
        #expect(found["kcls"] as? Int == 1 && found["pkhh"] as? Data == found["klbl"] as? Data)
    }

    @Test func `two certificates of one key are two identities`() throws {
        #expect(add(try privateKey()) == errSecSuccess)
        #expect(add(try certificate(Material.leaf)) == errSecSuccess)
        #expect(add(try certificate(Material.leaf) + [kSecAttrAccessGroup: Groups.shared]) == errSecSuccess)
        #expect(count([kSecClass: kSecClassIdentity]) == 2)
        #expect(count([kSecClass: kSecClassIdentity, kSecAttrAccessGroup: Groups.own]) == 1)
    }
}
