// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecItem
import TestSupport
import Testing

/// Certificates that are read though no usual tool makes them today, and keys that are not supported.
@Suite("Unusual certificates") struct UnusualCertificateTests {
    private func certificate(_ openssl: borrowing OpenSSL, _ arguments: String...) throws -> SecCertificate {
        try openssl.run(
            ["req", "-x509", "-key", "own.key", "-subj", "/CN=odd", "-days", "10", "-out", "own.pem"] + arguments)
        let der = try openssl.run("x509", "-in", "own.pem", "-outform", "DER")
        return try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    private func algorithm(_ certificate: SecCertificate) -> String? {
        let keys = [kSecOIDX509V1SubjectPublicKeyAlgorithm] as CFArray
        let values = SecCertificateCopyValues(certificate, keys, nil) as? [String: [String: Any]]
        let section = values?.values.first?[kSecPropertyKeyValue as String] as? [[String: Any]]
        return section?.first?[kSecPropertyKeyValue as String] as? String
    }

    // Rule: certificates with negative serial numbers are read | longer ones refused | the case of -129
    @Test(
        arguments: [("-5", [0xFB]), ("-128", [0x80]), ("-129", [0xFF, 0x7F]), ("5", [5]), ("128", [0, 0x80])]
            as [(String, [UInt8])])
    func `a serial number may be negative`(number: String, bytes: [UInt8]) throws {
        let openssl = try OpenSSL()
        try openssl.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "own.key")
        let read = try certificate(openssl, "-set_serial", number)
        #expect(SecCertificateCopySerialNumberData(read, nil) as Data? == Data(bytes))
        #expect(SecCertificateCopyKey(read) != nil)
        #expect(algorithm(read) == "P-256")
    }

    // Rule: parameters of a curve give no key | what swift-crypto reads of a public key taken | SecCertificateCopyKey gives a key of P-256
    @Test func `a key whose curve is given by its parameters is none`() throws {
        let openssl = try OpenSSL()
        try openssl.run(
            "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-param_enc", "explicit", "-out", "own.key")
        let read = try certificate(openssl)
        #expect(SecCertificateCopyKey(read) == nil)
        #expect(algorithm(read) == "on an elliptic curve given by its parameters")
        let sec1 = try openssl.run("ec", "-in", "own.key", "-param_enc", "explicit", "-outform", "DER")
        let pkcs8 = try openssl.run("pkcs8", "-topk8", "-nocrypt", "-in", "own.key", "-outform", "DER")
        for file in [sec1, pkcs8] {
            #expect(throws: (any Error).self) { try KeyMaterial(privateKeyDER: file) }
            #expect(throws: (any Error).self) { try KeyFile.key(file, passphrase: nil) }
        }
    }

    @Test(arguments: [
        (["-algorithm", "ED25519"], "Ed25519"), (["-algorithm", "ED448"], "Ed448"),
        (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime192v1"], "P-192"),
        (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"], "secp256k1"),
    ])
    func `a key that is not supported is named`(kind: [String], name: String) throws {
        let openssl = try OpenSSL()
        try openssl.run(["genpkey"] + kind + ["-out", "own.key"])
        let read = try certificate(openssl)
        #expect(SecCertificateCopyKey(read) == nil)
        #expect(algorithm(read) == name)
        let key = try openssl.run("pkey", "-in", "own.key", "-outform", "DER")
        // A file of it is read all the same: OpenSSHKeyTests.
        guard name != "Ed25519" else { return }
        let error = #expect(throws: KeychainError.self) { try KeyFile.key(key, passphrase: nil) }
        #expect(error?.message.hasSuffix("its key is \(name)") == true)
    }
}
