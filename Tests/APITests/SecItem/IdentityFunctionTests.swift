// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecItem
import SecretMemory
import TestSupport
import Testing

/// Certificates and identities made by openssl, through the public functions and back to openssl.
@Suite("Certificates and identities, judged by openssl") struct IdentityFunctionTests {
    private let functions: Functions
    private let temporary = TemporaryHome()

    init() throws { functions = Functions(home: try temporary.open()) }

    /// Makes key.pem, certificate.pem and file.p12.
    private func make(_ openssl: borrowing OpenSSL, _ key: [String]) throws {
        try openssl.run(
            ["req", "-x509", "-newkey"] + key + [
                "-nodes", "-keyout", "key.pem", "-out", "certificate.pem", "-subj", "/O=Zamok/CN=Identity", "-days",
                "30",
            ])
        try openssl.run(
            "pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.pem", "-name", "identity", "-passout",
            "pass:pässwörd", "-out", "file.p12")
    }

    private func identities(_ file: Data) -> [SecIdentity] {
        var items: CFArray?
        let options = [kSecImportExportPassphrase: "pässwörd"] as CFDictionary
        guard unsafe SecPKCS12Import(file as CFData, options, &items) == errSecSuccess else { return [] }
        return (items as? [[String: Any]] ?? []).compactMap { $0["identity"] as? SecIdentity }
    }

    @Test(arguments: [
        ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
        ["ec", "-pkeyopt", "ec_paramgen_curve:P-521"], ["rsa:2048"],
    ])
    func `an identity goes from a PKCS#12 file into the keychain and back to openssl`(kind: [String]) throws {
        let openssl = try OpenSSL()
        try make(openssl, kind)
        let imported = try #require(identities(try openssl.read("file.p12")).first)
        #expect(functions.add([kSecValueRef: imported]) == errSecSuccess)
        let found = try #require(
            functions.find([kSecClass: kSecClassIdentity, kSecReturnRef: true]).object as? SecIdentity)
        #expect(found == imported)

        var certificate: SecCertificate?
        var key: SecKey?
        #expect(unsafe SecIdentityCopyCertificate(found, &certificate) == errSecSuccess)
        #expect(unsafe SecIdentityCopyPrivateKey(found, &key) == errSecSuccess)
        let signer = try #require(key)
        let algorithm: SecKeyAlgorithm =
            kind == ["rsa:2048"] ? .rsaSignatureMessagePKCS1v15SHA256 : .ecdsaSignatureMessageX962SHA256
        try openssl.write(try #require(Keys.sign(signer, algorithm, bytes("message")).data), to: "signature")
        try openssl.write(bytes("message"), to: "message")
        try openssl.write(SecCertificateCopyData(try #require(certificate)) as Data, to: "found.der")
        try openssl.write(
            try openssl.run("x509", "-in", "found.der", "-inform", "DER", "-pubkey", "-noout"), to: "public.pem")
        try openssl.run("dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message")
    }

    // Rule: what a file holds twice is one thing | taken as often as it is there | two identities
    @Test func `an identity that a file holds twice is imported once`() throws {
        let openssl = try OpenSSL()
        try make(openssl, ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
        let certificate = try openssl.read("certificate.pem")
        try openssl.write(certificate + certificate, to: "twice.pem")
        try openssl.run(
            "pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.pem", "-certfile", "twice.pem", "-passout",
            "pass:pässwörd", "-out", "twice.p12")
        #expect(identities(try openssl.read("twice.p12")).count == 1)
    }

    @Test func `summary, serial and key of a certificate are those that openssl prints`() throws {
        let openssl = try OpenSSL()
        try make(openssl, ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"])
        let der = try openssl.run("x509", "-in", "certificate.pem", "-outform", "DER")
        let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Identity")
        let number = SecCertificateCopySerialNumberData(certificate, nil)
        let serial = try #require(number as Data?)
        let printed = String(
            decoding: try openssl.run("x509", "-in", "certificate.pem", "-serial", "-noout"), as: UTF8.self)
        let hex = (serial.first == 0 ? serial.dropFirst() : serial[...]).map { String(format: "%02X", $0) }.joined()
        #expect(printed.contains(hex))
        let key = try #require(SecCertificateCopyKey(certificate))
        let bytes = try #require(representation(key))
        #expect(try openssl.run("ec", "-in", "key.pem", "-pubout", "-outform", "DER").suffix(bytes.count) == bytes)
    }

    @Test func `a certificate that openssl makes of our public key is an identity with it`() throws {
        let openssl = try OpenSSL()
        let key = try #require(Keys.random(Keys.parameters(kSecAttrKeyTypeRSA, 2048)).key)
        try openssl.write(try #require(representation(key)), to: "key.der")
        try openssl.run(
            "req", "-x509", "-key", "key.der", "-keyform", "DER", "-subj", "/CN=Ours", "-days", "30", "-outform", "DER",
            "-out", "certificate.der")
        let der = try openssl.read("certificate.der")
        let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
        let identity = try #require(SecIdentityCreate(nil, certificate, key))
        #expect(functions.add([kSecValueRef: identity]) == errSecSuccess)
        #expect(functions.find([kSecClass: kSecClassIdentity, kSecReturnRef: true]).object as? SecIdentity == identity)
        #expect(SecIdentityCreate(nil, certificate, try #require(Keys.rsa)) == nil)
    }

    @Test func `a locked key is locked, its certificate is not`() throws {
        let openssl = try OpenSSL()
        try make(openssl, ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
        try functions.home.keybag.setPasscode(try secret("passcode"))
        let imported = try #require(identities(try openssl.read("file.p12")).first)
        #expect(functions.add([kSecValueRef: imported]) == errSecSuccess)
        try functions.home.keybag.lock()
        #expect(functions.find([kSecClass: kSecClassCertificate, kSecReturnRef: true]).status == errSecSuccess)
        for itemClass in [kSecClassKey, kSecClassIdentity] {
            #expect(functions.status([kSecClass: itemClass]) == errSecSuccess)
            #expect(functions.find([kSecClass: itemClass, kSecReturnRef: true]).status == errSecInteractionNotAllowed)
            #expect(functions.find([kSecClass: itemClass, kSecReturnData: true]).status == errSecInteractionNotAllowed)
        }
        try functions.home.keybag.unlock(passcode: try secret("passcode"))
        #expect(functions.find([kSecClass: kSecClassIdentity, kSecReturnRef: true]).status == errSecSuccess)
    }
}
