// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItem
import TestSupport
import Testing

/// Every algorithm that has a name works, judged by openssl.
@Suite("Algorithms of keys") struct KeyAlgorithmTests {
    private static let message = bytes("the message")
    private static let hashes = ["SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64]
    private static let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]

    /// Apple's names, as they are composed.
    static let names: [String] = {
        var names = ["sign:RSA:raw", "sign:RSA:digest-PKCS1v15", "sign:ECDSA:digest-X962", "sign:ECDSA:RFC4754"]
        names += [
            "sign:ECDSA:digest-RFC4754", "encrypt:RSA:raw", "encrypt:RSA:PKCS1", "keyexchange:ECDH",
            "keyexchange:ECDHC",
        ]
        for (hash, size) in hashes {
            for input in ["digest", "message"] {
                names += ["sign:RSA:\(input)-PKCS1v15:\(hash)", "sign:RSA:\(input)-PSS:\(hash):\(hash):\(size)"]
                names += ["sign:ECDSA:\(input)-X962:\(hash)", "sign:ECDSA:\(input)-RFC4754:\(hash)"]
            }
            names += ["encrypt:RSA:OAEP:\(hash)", "encrypt:RSA:OAEP:\(hash):AESGCM"]
            for exchange in ["ECDH", "ECDHC"] {
                names += [
                    "keyexchange:\(exchange):KDFX963:\(hash)", "encrypt:ECIES:\(exchange):KDFX963:\(hash):AESGCM",
                ]
                if hash != "SHA1" { names.append("encrypt:ECIES:\(exchange):KDFX963:\(hash):AESGCM-KDFIV") }
            }
        }
        return names.sorted()
    }()

    private func algorithm(_ name: String) -> SecKeyAlgorithm { SecKeyAlgorithm(rawValue: "algid:\(name)" as CFString) }

    private func pair(_ name: String) throws -> (SecKey, SecKey) {
        let own = name.contains("RSA") ? try #require(Keys.rsa) : try #require(Keys.curves.first)
        return (own, try #require(SecKeyCopyPublicKey(own)))
    }

    @Test(arguments: names) func `an algorithm works`(name: String) throws {
        let (own, others) = try pair(name)
        let algorithm = algorithm(name)
        let supported = Self.operations.filter {
            SecKeyIsAlgorithmSupported(own, $0, algorithm) || SecKeyIsAlgorithmSupported(others, $0, algorithm)
        }
        let digest = name.contains("digest") || name.hasSuffix("RFC4754")
        let size = Self.hashes.first { name.contains(":\($0.key)") }?.value ?? 32
        // Without padding it is a block of the key's size, and a smaller number than the modulus.
        let block = Data([0]) + Data(repeating: 7, count: 255)
        let input = name.hasSuffix("RSA:raw") ? block : digest ? Data(repeating: 7, count: size) : Self.message
        switch name.prefix(while: { $0 != ":" }) {
        case "sign":
            #expect(supported == [.sign, .verify])
            let signature = try #require(Keys.sign(own, algorithm, input).data)
            #expect(Keys.verify(others, algorithm, input, signature).isValid)
            #expect(
                Keys.verify(others, algorithm, input, signature.dropLast() + [1]).code == errSecVerifyFailed
                    || signature.last == 1)
            #expect(Keys.verify(own, algorithm, input, signature).code == errSecParam)
            if digest, size != 32 || name.contains("SHA256") {
                #expect(Keys.sign(own, algorithm, input + [0]).code == errSecParam)
            }
        case "encrypt":
            #expect(supported == [.encrypt, .decrypt])
            let data = try #require(Keys.encrypt(others, algorithm, input).data)
            #expect(Keys.decrypt(own, algorithm, data).data == input)
            let isHybrid = name.contains("AESGCM")
            if !name.hasSuffix("raw") {
                for count in [0, 1, 16, 65, 256, 300] {
                    #expect(Keys.decrypt(own, algorithm, Data(count: count)).code == errSecParam)
                }
                #expect(Keys.decrypt(own, algorithm, data.dropLast() + [data[data.count - 1] ^ 1]).code == errSecParam)
            }
            let long = Data(count: 300)
            let encrypted = Keys.encrypt(others, algorithm, long)
            #expect(
                isHybrid
                    ? Keys.decrypt(own, algorithm, try #require(encrypted.data)).data == long
                    : encrypted.code == errSecParam)
        default:
            #expect(supported == [.keyExchange])
            let data = try #require(Keys.exchange(own, algorithm, others, size: 40, info: bytes("info")).data)
            #expect(data.count == (name.contains("KDF") ? 40 : 32))
        }
    }

    // Rule: an algorithm is supported where a block of the key has room for it | the size not looked at | PSS with
    //   SHA-512 on 1024 bits
    @Test(arguments: [1024, 1040, 1536]) func `what a short key is said to do, it does`(size: Int) throws {
        let own = try #require(Keys.random(Keys.parameters(kSecAttrKeyTypeRSA, size)).key)
        let others = try #require(SecKeyCopyPublicKey(own))
        var refused = 0
        for name in Self.names where name.contains("RSA") && !name.hasSuffix("raw") {
            let algorithm = algorithm(name)
            let digest = Self.hashes.first { name.contains(":\($0.key)") }?.value ?? 32
            let input = name.contains("digest") ? Data(repeating: 7, count: digest) : Data()
            if name.hasPrefix("sign") {
                let isSupported = SecKeyIsAlgorithmSupported(own, .sign, algorithm)
                #expect((Keys.sign(own, algorithm, input).data != nil) == isSupported, "\(name)")
                #expect(SecKeyIsAlgorithmSupported(others, .verify, algorithm) == isSupported)
                refused += isSupported ? 0 : 1
            } else {
                let isSupported = SecKeyIsAlgorithmSupported(others, .encrypt, algorithm)
                #expect((Keys.encrypt(others, algorithm, input).data != nil) == isSupported, "\(name)")
                #expect(SecKeyIsAlgorithmSupported(own, .decrypt, algorithm) == isSupported)
                refused += isSupported ? 0 : 1
            }
        }
        #expect((refused == 0) == (size == 1536), "\(refused)")
    }

    /// Lines of algorithm, private key, input and result, written by Scripts/hybrid-vectors.
    private static let vectors: [[String]] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/Hybrid.txt")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ", omittingEmptySubsequences: false).map(String.init) }
    }()

    // Rule: what is sealed to RSA is bound to its public key | to nothing | also "an algorithm works", 16 in all
    // Rule: the initialization vector is derived where the name says so | always zero | twelve vectors
    // Rule: the key of a message is bound to its ephemeral point | to nothing | 27 vectors, and "an algorithm works"
    @Test func `messages and signatures that OpenSSL made open and hold`() throws {
        #expect(Self.vectors.count == 47)
        for vector in Self.vectors {
            let type = vector[0].contains("RSA") ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
            let key = try #require(Keys.make(try unhex(vector[1]), type, kSecAttrKeyClassPrivate).key)
            let algorithm = SecKeyAlgorithm(rawValue: vector[0] as CFString)
            let (given, result) = (try unhex(vector[2]), try unhex(vector[3]))
            if vector[0].contains(":encrypt:") {
                #expect(Keys.decrypt(key, algorithm, result).data == given, "\(vector[0])")
            } else {
                let others = try #require(SecKeyCopyPublicKey(key))
                #expect(Keys.verify(others, algorithm, given, result).isValid, "\(vector[0])")
                if vector[0].hasSuffix("raw") { #expect(Keys.sign(key, algorithm, given).data == result) }
            }
        }
    }

    private func unhex(_ text: String) throws -> Data {
        let digits = Array(text)
        return Data(
            try stride(from: 0, to: digits.count, by: 2).map {
                try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
            })
    }

    @Test func `openssl derives the key and opens what we encrypt to its elliptic curve`() throws {
        let openssl = try OpenSSL()
        let own = Keys.curves[2]
        let message = bytes("ours")
        let others = try #require(SecKeyCopyPublicKey(own))
        let data = try #require(
            Keys.encrypt(others, .eciesEncryptionStandardVariableIVX963SHA384AESGCM, message).data)
        // The same by hand: ECDH, X9.63 over the point, and the tag's place.
        let size = 1 + 2 * SecKeyGetBlockSize(own)
        let point = data.prefix(size)
        let ephemeral = try #require(Keys.make(point, kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPublic).key)
        let secret = try #require(Keys.exchange(own, .ecdhKeyExchangeStandard, ephemeral).data)
        let derived = try openssl.run(
            "kdf", "-keylen", "48", "-kdfopt", "digest:SHA384", "-kdfopt", "hexsecret:" + hex(secret), "-kdfopt",
            "hexinfo:" + hex(point), "-binary", "X963KDF")
        let ours = Keys.exchange(own, .ecdhKeyExchangeStandardX963SHA384, ephemeral, size: 48, info: point).data
        #expect(derived == ours)
        #expect(data.count == size + message.count + 16)
    }

    private func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    @Test func `an RSA key of 1024 bits is made and read, one of 1023 is not`() throws {
        let key = try #require(Keys.random(Keys.parameters(kSecAttrKeyTypeRSA, 1024)).key)
        let again = Keys.make(try #require(representation(key)), kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate).key
        #expect(again == key)
        let signature = try #require(Keys.sign(key, .rsaSignatureMessagePKCS1v15SHA256, Self.message).data)
        let others = try #require(SecKeyCopyPublicKey(key))
        #expect(Keys.verify(others, .rsaSignatureMessagePKCS1v15SHA256, Self.message, signature).isValid)
        #expect(Keys.random(Keys.parameters(kSecAttrKeyTypeRSA, 1016)).code == errSecKeySizeNotAllowed)
        #expect(Keys.random(Keys.parameters(kSecAttrKeyTypeRSA, 512)).code == errSecKeySizeNotAllowed)
    }

    @Test func `nothing but the algorithms of a key is supported by it`() throws {
        for name in Self.names {
            let wrong = name.contains("RSA") ? try #require(Keys.curves.first) : try #require(Keys.rsa)
            for operation in Self.operations {
                #expect(!SecKeyIsAlgorithmSupported(wrong, operation, algorithm(name)), "\(name)")
            }
            #expect(Keys.sign(wrong, algorithm(name), Data(count: 32)).data == nil)
        }
        let unknown = algorithm("sign:XMSS:message")
        #expect(try Keys.sign(#require(Keys.rsa), unknown, Data()).data == nil)
        #expect(try Keys.sign(#require(Keys.rsa), SecKeyAlgorithm(rawValue: ""), Data()).code == errSecParam)
    }

    @Test(arguments: [0, 1, 2]) func `openssl verifies ECDSA of ours, and we openssl's`(index: Int) throws {
        let openssl = try OpenSSL()
        let own = Keys.curves[index]
        let others = try #require(SecKeyCopyPublicKey(own))
        let names = ["prime256v1", "secp384r1", "secp521r1"]
        try openssl.run("ecparam", "-name", names[index], "-genkey", "-noout", "-out", "theirs.pem")
        try openssl.write(Self.message, to: "message")

        let size = SecKeyGetBlockSize(own)
        let all = try #require(representation(own))
        #expect(all.count == 1 + 3 * size)
        let template = try openssl.run("pkey", "-in", "theirs.pem", "-pubout", "-outform", "DER")
        let point = try #require(representation(others))
        try openssl.write(template.dropLast(point.count) + point, to: "ours.der")
        let signature = try #require(Keys.sign(own, .ecdsaSignatureMessageX962SHA384, Self.message).data)
        try openssl.write(signature, to: "signature")
        try openssl.run(
            "dgst", "-sha384", "-verify", "ours.der", "-keyform", "DER", "-signature", "signature", "message")

        let theirs = try #require(
            Keys.make(template.suffix(point.count), kSecAttrKeyTypeEC, kSecAttrKeyClassPublic).key)
        try openssl.run("dgst", "-sha384", "-sign", "theirs.pem", "-out", "signature", "message")
        let read = try openssl.read("signature")
        #expect(Keys.verify(theirs, .ecdsaSignatureMessageX962SHA384, Self.message, read).isValid)
        #expect(Keys.verify(others, .ecdsaSignatureMessageX962SHA384, Self.message, read).code == errSecVerifyFailed)
    }

    @Test func `openssl reads RSA keys of ours and we openssl's`() throws {
        let openssl = try OpenSSL()
        let own = try #require(Keys.rsa)
        try openssl.write(try #require(representation(own)), to: "ours.der")
        try openssl.run("rsa", "-in", "ours.der", "-inform", "DER", "-check", "-noout")
        try openssl.run("genrsa", "-traditional", "-out", "theirs.pem", "2048")
        let bytes = try openssl.run("rsa", "-in", "theirs.pem", "-traditional", "-outform", "DER", "-out", "theirs.der")
        _ = bytes
        let key = try #require(
            Keys.make(try openssl.read("theirs.der"), kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate).key)
        let signature = try #require(Keys.sign(key, .rsaSignatureMessagePSSSHA256, Self.message).data)
        try openssl.write(signature, to: "signature")
        try openssl.write(Self.message, to: "message")
        try openssl.run("rsa", "-in", "theirs.pem", "-pubout", "-out", "public.pem")
        try openssl.run(
            "dgst", "-sha256", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest", "-verify",
            "public.pem", "-signature", "signature", "message")
    }

    @Test func `both sides of an exchange get the same bytes, other curves none`() throws {
        let parameters = Keys.parameters(kSecAttrKeyTypeEC, 384)
        let (one, other) = (try #require(Keys.random(parameters).key), try #require(Keys.random(parameters).key))
        let (first, second) = (try #require(SecKeyCopyPublicKey(one)), try #require(SecKeyCopyPublicKey(other)))
        let algorithm = SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA512
        let shared = Keys.exchange(one, algorithm, second, size: 64, info: bytes("info")).data
        #expect(
            shared?.count == 64 && shared == Keys.exchange(other, algorithm, first, size: 64, info: bytes("info")).data)
        #expect(shared != Keys.exchange(one, algorithm, second, size: 64).data)
        #expect(Keys.exchange(one, algorithm, second).code == errSecParam)
        #expect(Keys.exchange(one, algorithm, second, size: -1).code == errSecParam)
        #expect(Keys.exchange(one, algorithm, second, size: .max).code == errSecParam)
        #expect(Keys.exchange(one, .ecdhKeyExchangeStandard, Keys.curves[0], size: 1).code == errSecParam)
    }
}
