// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import SecretMemory
import TestSupport
import Testing

@Suite("Certificates, keys and identities as items") struct KeyItemTests {
    private let temporary = TemporaryHome()
    private let keychain: Keychain

    init() throws { keychain = Keychain(home: try temporary.open()) }

    private func make(_ openssl: borrowing OpenSSL) throws {
        try openssl.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-nodes", "-keyout", "key.pem",
            "-out", "certificate.pem", "-subj", "/O=Zamok/CN=Anna", "-days", "30")
        try openssl.run(
            "pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.pem", "-passout", "pass:word", "-out",
            "file.p12")
    }

    @Test func `a certificate is read from PEM or DER, stored, and found by its names`() throws {
        let openssl = try OpenSSL()
        try make(openssl)
        let item = try CertificateItem(try openssl.read("certificate.pem"))
        let stored = try keychain.add(item)
        #expect(stored.label == "Anna" && stored.accessibility == .always)
        #expect(failure(KeychainError.self) { try keychain.add(item) }?.code == .duplicateItem)
        let found = try keychain.item(
            matching: KeychainQuery<CertificateItem>().with(\.serialNumber, item.serialNumber))
        let der = try openssl.run("x509", "-in", "certificate.pem", "-outform", "DER")
        #expect(try found.der() == der)
        #expect(try found.pem() == String(decoding: openssl.read("certificate.pem"), as: UTF8.self))
        #expect(try CertificateItem(der).publicKeyHash == found.publicKeyHash)
    }

    @Test func `an identity is found once both its items are there`() throws {
        let openssl = try OpenSSL()
        try make(openssl)
        let certificate = try CertificateItem(try openssl.read("certificate.pem"))
        var key = try KeyItem(try openssl.read("key.pem"))
        key.applicationTag = Array("tag".utf8)
        try keychain.add(certificate)
        #expect(try keychain.items(matching: KeychainQuery<IdentityItem>()).isEmpty)
        try keychain.add(key)
        let found = try keychain.item(matching: KeychainQuery<IdentityItem>().with(\.label, "Anna"))
        #expect(try found.certificate.der() == certificate.der())
        #expect(found.key.applicationTag == key.applicationTag && found.key.sizeInBits == 384)
        try openssl.write(Data(try #require(try found.key.pem()).utf8), to: "found.pem")
        let theirs = try openssl.run("pkey", "-in", "key.pem", "-pubout")
        #expect(try openssl.run("pkey", "-in", "found.pem", "-pubout") == theirs)
        try keychain.delete(found)
        #expect(try keychain.items(matching: KeychainQuery<KeyItem>()).isEmpty)
    }

    @Test func `an identity is added in one call, from PKCS#12 or from its parts`() throws {
        let openssl = try OpenSSL()
        try make(openssl)
        let read = try IdentityItem.identities(pkcs12: try openssl.read("file.p12"), passphrase: "word")
        let identity = try #require(read.first)
        let stored = try keychain.add(identity)
        #expect(stored.label == "Anna" && stored.persistentReference != nil)
        #expect(failure(KeychainError.self) { try keychain.add(identity) }?.code == .duplicateItem)
        #expect(failure(KeychainError.self) { try keychain.update(stored) }?.code == .unimplemented)
        let parts = try IdentityItem(certificate: identity.certificate, key: identity.key)
        #expect(failure(KeychainError.self) { try keychain.add(parts) }?.code == .duplicateItem)
        let other = try KeyItem(generating: .ellipticCurve, sizeInBits: 256)
        #expect(
            failure(KeychainError.self) { try IdentityItem(certificate: identity.certificate, key: other) }?.code
                == .parameter)
        let wrong = failure(KeychainError.self) {
            try IdentityItem.identities(pkcs12: try openssl.read("file.p12"), passphrase: "no")
        }
        #expect(wrong?.code == .pkcs12VerifyFailure)
    }

    private typealias Way = KeyItem.SignatureAlgorithm

    @Test func `what a key signs openssl verifies`() throws {
        let openssl = try OpenSSL()
        try openssl.write(Data("message".utf8), to: "message")
        let curve: [(Way, [String])] = [
            (.ecdsaSHA256, ["-sha256"]), (.ecdsaSHA384, ["-sha384"]), (.ecdsaSHA512, ["-sha512"]),
        ]
        func pss(_ name: String, _ salt: Int) -> [String] {
            [name, "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:\(salt)"]
        }
        let rsa: [(Way, [String])] = [
            (.rsaPKCS1SHA256, ["-sha256"]), (.rsaPKCS1SHA384, ["-sha384"]), (.rsaPKCS1SHA512, ["-sha512"]),
            (.rsaPSSSHA256, pss("-sha256", 32)), (.rsaPSSSHA384, pss("-sha384", 48)),
            (.rsaPSSSHA512, pss("-sha512", 64)),
        ]
        for (type, bits, ways) in [
            (.ellipticCurve, 256, curve), (.ellipticCurve, 384, curve), (.ellipticCurve, 521, curve), (.rsa, 2048, rsa),
        ] as [(KeyItem.KeyType, Int, [(Way, [String])])] {
            let key = try KeyItem(generating: type, sizeInBits: bits)
            try openssl.write(Data(try #require(try key.publicKey()?.pem()).utf8), to: "public.pem")
            for (way, words) in ways {
                try openssl.write(try key.signature(for: Data("message".utf8), way), to: "signature")
                let answer = try openssl.run(
                    ["dgst"] + words + ["-verify", "public.pem", "-signature", "signature", "message"])
                #expect(String(decoding: answer, as: UTF8.self) == "Verified OK\n")
            }
        }
        let key = try KeyItem(generating: .ed25519, sizeInBits: 256)
        try openssl.write(Data(try #require(try key.publicKey()?.pem()).utf8), to: "public.pem")
        try openssl.write(try key.signature(for: Data("message".utf8), .ed25519), to: "signature")
        try openssl.run(
            "pkeyutl", "-verify", "-pubin", "-inkey", "public.pem", "-rawin", "-in", "message", "-sigfile", "signature")
    }

    @Test func `what a key doesn't sign is an argument's error`() throws {
        let curve = try KeyItem(generating: .ellipticCurve, sizeInBits: 256)
        var found = try keychain.add(curve)
        let ed = try KeyItem(generating: .ed25519, sizeInBits: 256)
        let exchange = try KeyItem(generating: .x25519, sizeInBits: 256)
        let shown = try #require(try curve.publicKey())
        let bytes = KeyItem(symmetric: try Secret("0123456789abcdef"), tag: "files")
        // Without its secret, as `add` returns it, too.
        for (key, way) in [
            (curve, .rsaPSSSHA256), (curve, .ed25519), (ed, .ecdsaSHA256), (exchange, .ed25519), (shown, .ecdsaSHA256),
            (bytes, .ecdsaSHA256), (found, .ecdsaSHA256),
        ] as [(KeyItem, Way)] {
            #expect(failure(KeychainError.self) { try key.signature(for: Data(), way) }?.code == .parameter)
        }
        found.secret = try Secret("no key")
        #expect(failure(KeychainError.self) { try found.signature(for: Data(), .ecdsaSHA256) }?.code == .damaged)
    }

    @Test func `a symmetric key is its bytes`() throws {
        try keychain.add(KeyItem(symmetric: try Secret("0123456789abcdef"), tag: "files"))
        let found = try keychain.item(matching: KeychainQuery<KeyItem>().with(\.applicationTag, Array("files".utf8)))
        #expect(found.secret?.exposedBytes == Array("0123456789abcdef".utf8) && found.sizeInBits == 128)
        #expect(found.keyClass == .symmetric)
        #expect(try found.pem() == nil)
    }

    @Test func `an encrypted key asks for its passphrase`() throws {
        let openssl = try OpenSSL()
        try make(openssl)
        try openssl.run("pkcs8", "-topk8", "-in", "key.pem", "-passout", "pass:word", "-out", "sealed.pem")
        try openssl.run("ec", "-in", "key.pem", "-aes128", "-passout", "pass:word", "-out", "old.pem")
        let sealed = try openssl.read("sealed.pem")
        let plain = try KeyItem(try openssl.read("key.pem"))
        #expect(try KeyItem(sealed, passphrase: "word").applicationLabel == plain.applicationLabel)
        #expect(failure(KeychainError.self) { try KeyItem(sealed) }?.code == .passphraseRequired)
        #expect(failure(KeychainError.self) { try KeyItem(sealed, passphrase: "no") }?.code == .pkcs12VerifyFailure)
        #expect(failure(KeychainError.self) { try KeyItem(try openssl.read("old.pem")) }?.code == .unsupportedFormat)
    }
}
