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

    // Rule: parameters of a curve give no key | what swift-crypto reads of a public key taken | SecCertificateCopyKey
    //   gives a key of P-256
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

    /// Extensions as their standards have them, and each broken in one place.
    private static let contents: [(type: String, right: [String], wrong: [String])] = [
        ("2.5.29.14", ["04020102"], ["0402010200", "03020102", "0403"]),
        (
            "2.5.29.15", ["03020106", "030205AF", "0303070680"],
            ["030106", "030207A080", "03020806", "04020106", "0301"]
        ),
        ("2.5.29.17", ["3003820161", "3003860161"], ["3000", "3003890161", "30030C0161", "3004820161", "820161"]),
        (
            "2.5.29.19", ["3000", "30030101FF", "30060101FF020102", "3003010100", "3003020102"],
            ["30030101FE", "30070102FFFF020102", "3006020102010100", "3003040102", "30060101FF0201FF", "310300"]
        ),
        (
            "2.5.29.30", ["3007A0053003820161", "300AA1083006820161800100"],
            [
                "3002A000", "3007A2053003820161", "300AA0083006820161800101", "300AA0083006820161810101",
                "30048002A000", "300EA1053003820161A1053003820161",
            ]
        ),
        (
            "2.5.29.31", ["30093007A005A003860161"],
            ["3000", "30023000", "300430028100", "3006300481020780", "3007A005A003860161"]
        ),
        ("2.5.29.32", ["300730050603550103", "3005300306012A"], ["3000", "30023000", "30053003040155", "3003300104"]),
        ("2.5.29.33", ["3008300606012A06012B"], ["3000", "3005300306012A", "30083006040100040100"]),
        ("2.5.29.35", ["3000", "300480020102"], ["3003820101", "300404020102", "30048102A000"]),
        ("2.5.29.36", ["3003800100", "3003810102"], ["3003820100", "30038001FF", "3003020100"]),
        ("2.5.29.37", ["300A06082B06010505070302"], ["3000", "300A04082B06010505070302", "310A06082B06010505070302"]),
        ("2.5.29.54", ["020100"], ["0201FF", "040100", "02010000"]),
        ("1.3.6.1.5.5.7.1.1", ["3008300606012A860161"], ["3000", "3005300306012A", "30063004860161"]),
        (
            "1.3.6.1.5.5.7.1.3", ["3005300306012A", "3007300506012A0500"],
            ["3000", "3005310306012A", "3005300304012A", "3103300100"]
        ),
    ]

    // Rule: what is critical and known has to be readable | no extension checked, only those that are asked for | all
    //   the wrong ones are taken
    @Test(arguments: contents.indices)
    func `a critical extension has the form of its standard, another one may hold anything`(index: Int) throws {
        let (type, right, wrong) = Self.contents[index]
        let openssl = try OpenSSL()
        try openssl.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "own.key")
        // An unknown type is written first and replaced afterwards, since openssl handles the types that it knows in
        // its own way.
        func certificate(_ content: String, isCritical: Bool) throws -> SecCertificate? {
            let placeholder = "1.2.3.4" + (type.hasPrefix("1.3.6") ? ".5.6.7.8.9" : "")
            try openssl.run(
                "req", "-x509", "-key", "own.key", "-subj", "/CN=odd", "-out", "own.pem", "-addext",
                "\(placeholder)=\(isCritical ? "critical," : "")DER:\(content)")
            var der = try openssl.run("x509", "-in", "own.pem", "-outform", "DER")
            let (from, to) = (try Self.encoded(placeholder), try Self.encoded(type))
            let place = try #require(der.range(of: from))
            der.replaceSubrange(place, with: to)
            return SecCertificateCreateWithData(nil, der as CFData)
        }
        for content in right { #expect(try certificate(content, isCritical: true) != nil, "\(type) \(content)") }
        for content in wrong {
            #expect(try certificate(content, isCritical: true) == nil, "\(type) \(content)")
            #expect(try certificate(content, isCritical: false) != nil, "\(type) \(content)")
        }
    }

    /// An object identifier of numbers below 128, in DER.
    private static func encoded(_ identifier: String) throws -> Data {
        let numbers = try identifier.split(separator: ".").map { try #require(UInt8($0)) }
        return Data([6, UInt8(numbers.count - 1), numbers[0] * 40 + numbers[1]] + numbers[2...])
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
