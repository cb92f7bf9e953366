// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import KeychainEngine

@Suite("Files of one certificate or key") struct KeyFileTests {
    private func files() throws -> (certificate: Data, keys: [Data]) {
        let openssl = try OpenSSL()
        try PKCS12Tests.identity(openssl)
        try openssl.run("genrsa", "-traditional", "-out", "rsa.pem", "2048")
        try openssl.run(
            "pkcs8", "-topk8", "-in", "key.pem", "-passout", "pass:word", "-iter", "1", "-out", "sealed.pem")
        try openssl.run("ec", "-in", "key.pem", "-out", "sec1.pem")
        try openssl.run("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem")
        var keys: [Data] = []
        for name in ["key", "rsa", "sealed", "sec1", "public"] { keys.append(try openssl.read("\(name).pem")) }
        return (try openssl.read("certificate.pem"), keys)
    }

    @Test func `every form that openssl writes is read`() throws {
        let (certificate, keys) = try files()
        let der = try KeyFile.certificate(certificate)
        #expect(try KeyFile.certificate(Data(der)) == der)
        for file in keys {
            let key = try KeyFile.key(file, passphrase: "word")
            #expect(try KeyFile.key(key.interchangeRepresentation, passphrase: nil).publicKeyHash == key.publicKeyHash)
            let pem = try #require(key.pem)
            #expect(try KeyFile.key(Data(pem.utf8), passphrase: nil).publicKeyHash == key.publicKeyHash)
        }
    }

    // Rule: an EC key whose two halves don't fit is refused | the halves not compared | 54 files
    @Test(arguments: ["P-256", "P-384", "P-521"], ["uncompressed", "compressed", "hybrid"])
    func `an EC key of two halves that don't fit is damaged`(curve: String, form: String) throws {
        let openssl = try OpenSSL()
        try openssl.run(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)", "-outform", "DER", "-out",
            "key.der")
        try openssl.run(
            "ec", "-inform", "DER", "-in", "key.der", "-conv_form", form, "-outform", "DER", "-out", "sec1.der")
        try openssl.run("ec", "-in", "key.der", "-no_public", "-outform", "DER", "-out", "alone.der")
        for name in ["key.der", "sec1.der"] {
            let good = try openssl.read(name)
            let key = try KeyFile.key(good, passphrase: nil)
            #expect(key.role == .private && key.family == .ec)
            let number = key.externalRepresentation.suffix(key.blockSize)
            let place = try #require(good.firstRange(of: number))
            for offset in [place.lowerBound + 20, place.upperBound - 1, good.count - 1] {
                var bad = good
                bad[offset] ^= 4
                let error = failure(KeychainError.self) { try KeyFile.key(bad, passphrase: nil) }
                #expect(error?.code == .damaged, "\(name) \(offset)")
            }
        }
        // The public half may be left out.
        #expect(try KeyFile.key(openssl.read("alone.der"), passphrase: nil).role == .private)
    }

    @Test func `text around a block and other blocks count for nothing`() throws {
        let (certificate, keys) = try files()
        let file = Data("subject: x\r\n".utf8) + keys[1] + Data("\n".utf8) + certificate + Data("end".utf8)
        #expect(try KeyFile.certificate(file) == KeyFile.certificate(certificate))
        #expect(try KeyFile.key(file, passphrase: nil).family == .rsa)
    }

    @Test(arguments: [
        "", "text", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nAAAA\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END KEY-----\n",
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----",
        "-----BEGIN A-----\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN -----\n-----END -----",
    ])
    func `a broken file is told as such`(text: String) {
        let certificate = failure(KeychainError.self) { try KeyFile.certificate(Data(text.utf8)) }
        let key = failure(KeychainError.self) { try KeyFile.key(Data(text.utf8), passphrase: nil) }
        #expect(certificate?.code == .damaged && key?.code == .damaged)
    }

    // Rule: a key that openssl 1 encrypted is told, with the way to convert it | its headers passed over
    @Test(arguments: [
        ["rsa", "-traditional", "-aes256", "-in", "key.pem", "-passout", "pass:word"],
        ["pkcs8", "-topk8", "-in", "key.pem", "-v1", "PBE-SHA1-3DES", "-passout", "pass:word"],
    ])
    func `older encryption is told, with the way to convert it`(arguments: [String]) throws {
        let openssl = try OpenSSL()
        try openssl.run("genrsa", "-out", "key.pem", "2048")
        try openssl.run(arguments + ["-out", "old.pem"])
        let old = try openssl.read("old.pem")
        for passphrase in ["word", "another", nil] {
            let error = failure(KeychainError.self) { try KeyFile.key(old, passphrase: passphrase) }
            #expect(error?.code == .unsupportedFormat && error?.message.contains("openssl pkcs8 -topk8") == true)
        }
        try openssl.run(
            "pkcs8", "-topk8", "-in", "old.pem", "-passin", "pass:word", "-passout", "pass:new", "-out", "new.pem")
        #expect(try KeyFile.key(try openssl.read("new.pem"), passphrase: "new").family == .rsa)
    }

    @Test func `an encrypted key needs its passphrase, and the right one`() throws {
        let sealed = try files().keys[2]
        #expect(failure(KeychainError.self) { try KeyFile.key(sealed, passphrase: nil) }?.code == .passphraseRequired)
        #expect(
            failure(KeychainError.self) { try KeyFile.key(sealed, passphrase: "another") }?.code == .pkcs12VerifyFailure
        )
    }
}
