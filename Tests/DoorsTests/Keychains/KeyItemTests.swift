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
