// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecurityTypes
import TestSupport
import Testing

@testable import KeychainEngine

@Suite("Keys, judged by openssl")
struct KeyMaterialTests {
    static let message = Data("the message that is signed".utf8)
    static let ecNames = [256: "P-256", 384: "P-384", 521: "P-521"]

    static func digest(_ name: String) throws -> Data {
        let openssl = try OpenSSL()
        try openssl.write(message, to: "message")
        return try openssl.run("dgst", "-\(name.lowercased())", "-binary", "message")
    }

    @Test(arguments: [256, 384, 521], ["SHA1", "SHA256", "SHA384", "SHA512"])
    func `ECDSA signatures verify with openssl, and openssl's here`(bits: Int, hash: String) throws {
        let openssl = try OpenSSL()
        let key = try KeyMaterial.generate(.ec, sizeInBits: bits)
        let algorithm = try #require(KeyAlgorithm("algid:sign:ECDSA:message-X962:\(hash)"))
        try openssl.write(key.interchangeRepresentation, to: "key.der")
        try openssl.write(try #require(key.publicKey).interchangeRepresentation, to: "public.der")
        try openssl.write(Self.message, to: "message")

        try openssl.write(try key.sign(Self.message, algorithm), to: "ours")
        try openssl.run(
            "dgst", "-\(hash.lowercased())", "-verify", "public.der", "-keyform", "DER", "-signature", "ours", "message"
        )
        try openssl.run(
            "dgst", "-\(hash.lowercased())", "-sign", "key.der", "-keyform", "DER", "-out", "theirs", "message")
        let theirs = try openssl.read("theirs")
        #expect(try key.verify(theirs, of: Self.message, algorithm))
        #expect(try !key.verify(theirs, of: Self.message + [0], algorithm))
        let digest = try #require(KeyAlgorithm("algid:sign:ECDSA:digest-X962:\(hash)"))
        #expect(try key.verify(theirs, of: Self.digest(hash), digest))
    }

    @Test(arguments: ["PKCS1v15", "PSS"], ["SHA1", "SHA256", "SHA384", "SHA512"])
    func `RSA signatures verify with openssl, and openssl's here`(padding: String, hash: String) throws {
        let openssl = try OpenSSL()
        let key = Self.rsa
        let suffix =
            padding == "PSS" ? ":\(hash):\(["SHA1": 20, "SHA256": 32, "SHA384": 48, "SHA512": 64][hash] ?? 0)" : ""
        let algorithm = try #require(KeyAlgorithm("algid:sign:RSA:message-\(padding):\(hash)\(suffix)"))
        let onDigest = try #require(KeyAlgorithm("algid:sign:RSA:digest-\(padding):\(hash)\(suffix)"))
        let options = padding == "PSS" ? ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"] : []
        try openssl.write(key.externalRepresentation, to: "key.der")
        try openssl.write(try #require(key.publicKey).interchangeRepresentation, to: "public.der")
        try openssl.write(Self.message, to: "message")

        for signature in [
            try key.sign(Self.message, algorithm), try key.sign(Self.digest(hash), onDigest),
        ] {
            try openssl.write(signature, to: "ours")
            try openssl.run(
                ["dgst", "-\(hash.lowercased())"] + options
                    + ["-verify", "public.der", "-keyform", "DER", "-signature", "ours", "message"])
        }
        try openssl.run(
            ["dgst", "-\(hash.lowercased())"] + options
                + ["-sign", "key.der", "-keyform", "DER", "-out", "theirs", "message"])
        let theirs = try openssl.read("theirs")
        #expect(try key.verify(theirs, of: Self.message, algorithm))
        #expect(try key.verify(theirs, of: Self.digest(hash), onDigest))
        #expect(try !key.verify(theirs, of: Self.message + [1], algorithm))
    }

    @Test(arguments: ["PKCS1", "OAEP:SHA1", "OAEP:SHA256"])
    func `RSA ciphertexts open with openssl, and openssl's here`(padding: String) throws {
        let openssl = try OpenSSL()
        let key = Self.rsa
        let algorithm = try #require(KeyAlgorithm("algid:encrypt:RSA:\(padding)"))
        let options =
            switch padding {
            case "PKCS1": ["-pkeyopt", "rsa_padding_mode:pkcs1"]
            case "OAEP:SHA1": ["-pkeyopt", "rsa_padding_mode:oaep"]
            default:
                [
                    "-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256", "-pkeyopt",
                    "rsa_mgf1_md:sha256",
                ]
            }
        try openssl.write(key.externalRepresentation, to: "key.der")
        try openssl.write(try key.encrypt(Self.message, algorithm), to: "ours")
        let key64 = ["-inkey", "key.der", "-keyform", "DER"]
        #expect(try openssl.run(["pkeyutl", "-decrypt", "-in", "ours"] + key64 + options) == Self.message)
        try openssl.write(Self.message, to: "message")
        try openssl.run(["pkeyutl", "-encrypt", "-in", "message", "-out", "theirs"] + key64 + options)
        #expect(try key.decrypt(try openssl.read("theirs"), algorithm) == Self.message)
        #expect(throws: KeyMaterialError.failed) { try key.decrypt(Data(repeating: 1, count: 256), algorithm) }
        #expect(throws: KeyMaterialError.input) { try key.encrypt(Data(repeating: 1, count: 300), algorithm) }
    }

    @Test(arguments: [256, 384, 521])
    func `a shared secret is the one openssl derives`(bits: Int) throws {
        let openssl = try OpenSSL()
        let own = try KeyMaterial.generate(.ec, sizeInBits: bits)
        let peer = try KeyMaterial.generate(.ec, sizeInBits: bits)
        try openssl.write(own.interchangeRepresentation, to: "own.der")
        try openssl.write(try #require(peer.publicKey).interchangeRepresentation, to: "peer.der")
        let theirs = try openssl.run(
            "pkeyutl", "-derive", "-inkey", "own.der", "-keyform", "DER", "-peerkey", "peer.der", "-peerform", "DER")
        for name in ["ECDH", "ECDHC"] {
            let algorithm = try #require(KeyAlgorithm("algid:keyexchange:\(name)"))
            #expect(try own.exchange(with: peer, algorithm, count: 0, sharedInfo: Data()) == theirs)
        }
    }

    @Test(arguments: [256, 384, 521])
    func `X9.63 representations come back as they were`(bits: Int) throws {
        let key = try KeyMaterial.generate(.ec, sizeInBits: bits)
        let bytes = key.externalRepresentation
        #expect(bytes.first == 4 && bytes.count == 1 + 3 * ((bits + 7) / 8))
        let again = try KeyMaterial(.ec, .private, externalRepresentation: bytes)
        #expect(again.externalRepresentation == bytes)
        let publicBytes = try #require(key.publicKey).externalRepresentation
        #expect(publicBytes == bytes.prefix(publicBytes.count))
        #expect(throws: KeyMaterialError.malformed) {
            try KeyMaterial(.ec, .private, externalRepresentation: bytes.dropLast())
        }
    }

    @Test func `PKCS#1 is what openssl writes`() throws {
        let openssl = try OpenSSL()
        try openssl.run("genrsa", "-traditional", "-out", "key.pem", "2048")
        try openssl.run("rsa", "-in", "key.pem", "-traditional", "-outform", "DER", "-out", "key.der")
        try openssl.run("rsa", "-in", "key.pem", "-RSAPublicKey_out", "-outform", "DER", "-out", "public.der")
        let bytes = try openssl.read("key.der")
        let key = try KeyMaterial(.rsa, .private, externalRepresentation: bytes)
        #expect(key.externalRepresentation == bytes)
        #expect(try key.publicKey?.externalRepresentation == openssl.read("public.der"))
        #expect(key.blockSize == 256)
    }

    static let rsa: KeyMaterial = {
        do { return try KeyMaterial.generate(.rsa, sizeInBits: 2048) } catch { preconditionFailure("no RSA key") }
    }()
}
