// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import KeychainEngine

@Suite("PKCS#12 files made by openssl")
struct PKCS12Tests {
    static func identity(_ openssl: borrowing OpenSSL) throws {
        try openssl.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
            "-out", "certificate.pem", "-subj", "/CN=Zamok Test", "-days", "30")
    }

    static func file(_ options: [String], passphrase: String = "päss wörd") throws -> Data {
        let openssl = try OpenSSL()
        try identity(openssl)
        try openssl.run(
            ["pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.pem", "-name", "Схема", "-out", "file.p12"]
                + ["-passout", "pass:\(passphrase)"] + options)
        return try openssl.read("file.p12")
    }

    @Test(arguments: [
        [], ["-keypbe", "AES-128-CBC", "-certpbe", "AES-192-CBC"], ["-macalg", "sha384"], ["-macalg", "sha512"],
        ["-iter", "1"], ["-keypbe", "NONE"], ["-certpbe", "NONE"],
    ])
    func `key and certificate are read`(options: [String]) throws {
        let read = try PKCS12(file: try Self.file(options), passphrase: "päss wörd")
        #expect(read.keys.count == 1 && read.certificates.count == 1)
        let key = try #require(read.keys.first)
        #expect(key.material.sizeInBits == 256 && key.friendlyName == "Схема")
        #expect(key.localKeyID != nil && key.localKeyID == read.certificates.first?.localKeyID)
    }

    @Test func `an empty passphrase works`() throws {
        #expect(try PKCS12(file: try Self.file([], passphrase: ""), passphrase: "").keys.count == 1)
    }

    @Test func `a wrong passphrase is told as such`() throws {
        let file = try Self.file([])
        #expect(throws: PKCS12Error.wrongPassphrase) { try PKCS12(file: file, passphrase: "another") }
    }

    @Test(arguments: [
        ["-legacy"], ["-legacy", "-keypbe", "PBE-SHA1-RC2-40", "-certpbe", "PBE-SHA1-RC2-40"],
        ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"],
    ])
    func `older encryption is read by the system's libcrypto`(options: [String]) throws {
        let file = try Self.file(options)
        let read = try PKCS12(file: file, passphrase: "päss wörd")
        #expect(read.keys.count == 1 && read.certificates.count == 1)
        #expect(throws: PKCS12Error.wrongPassphrase) { try PKCS12(file: file, passphrase: "another") }
    }

    // Rule: what is not authenticated is an unsupported format | told as damage
    @Test func `what is not authenticated is unsupported, not broken`() throws {
        let withoutMAC = try Self.file(["-nomac"])
        #expect(throws: PKCS12Error.unsupportedEncryption) { try PKCS12(file: withoutMAC, passphrase: "päss wörd") }
    }
}
