// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
import SecretMemory
import TestSupport
import Testing

/// The vectors of the RFCs whose functions this module offers.
@Suite struct VectorTests {
    @Test(arguments: [
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
    ])
    func `HMAC-SHA-256 as in RFC 4231`(key: String, message: String, code: String) throws {
        let key = try SecretBytes(copying: bytes(key))
        #expect(try KeyDerivation.authenticationCode(for: bytes(message), under: key) == bytes(code))
        #expect(try KeyDerivation.isValid(bytes(code), for: bytes(message), under: key))
        #expect(try !KeyDerivation.isValid(bytes(code).dropLast() + [0], for: bytes(message), under: key))
        #expect(try !KeyDerivation.isValid([], for: bytes(message), under: key))
    }

    @Test(arguments: [
        (
            String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            range(0x00, 0x50), range(0x60, 0xB0), range(0xB0, 0x100),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8"
                + "367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
        ),
    ])
    func `HKDF as written in RFC 5869 gives its vectors`(
        material: String, salt: String, info: String, key: String
    ) throws {
        let key = bytes(key)
        #expect(try expanded(extracted(bytes(material), bytes(salt)), bytes(info), key.count) == key)
    }

    @Test func `Derived keys are HKDF of label, zero byte and context`() throws {
        let material = try SecretBytes(copying: Array(0..<64))
        let salt = Array("salt".utf8)
        let context: [UInt8] = [9, 8, 7]
        for label in KeyLabel.allCases {
            let info = Array(label.text.utf8) + [0] + context
            let derived = try KeyDerivation.derive(from: material, salt: salt, label: label, context: context)
            let key = try extracted(Array(0..<64), salt)
            #expect(try exposed(derived) == expanded(key, info, 32))
            let secret = try SecretBytes(copying: key)
            for count in [31, 32, 33, 48] {
                let subkey = try KeyDerivation.expand(from: secret, label: label, context: context, count: count)
                #expect(try exposed(subkey) == expanded(key, info, count))
            }
        }
    }

    @Test(arguments: [1, 32, 64, 65, 300, 2000])
    func `A fingerprint tells every change of a secret, and says nothing to another object`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 5 &+ 1) }
        let fingerprints = Fingerprints()
        let first = try fingerprints.of(try SecretBytes(copying: bytes))
        #expect(first.count == 32)
        #expect(try fingerprints.of(try SecretBytes(copying: bytes)) == first)
        #expect(try Fingerprints().of(try SecretBytes(copying: bytes)) != first)
        #expect(try fingerprints.of(try SecretBytes(copying: bytes + [0])) != first)
        for index in [0, count / 2, count - 1] {
            var other = bytes
            other[index] ^= 1
            #expect(try fingerprints.of(try SecretBytes(copying: other)) != first)
        }
    }

    @Test(arguments: [1, 31, 32, 33, 63, 64, 65, 200], [0, 1, 55, 56, 63, 64, 65, 1000])
    func `Our HMAC is the library's, for keys and messages round its block size`(key: Int, message: Int) throws {
        let key = (0..<key).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        let message = (0..<message).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        let expected = Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        let secret = try SecretBytes(copying: key)
        #expect(try KeyDerivation.authenticationCode(for: message, under: secret) == expected)
        // In one go with others: no message leaves anything in the next one's code.
        let codes = try KeyDerivation.authenticationCodes(for: [message, [1, 2, 3], message], under: secret)
        #expect(codes[0] == expected && codes[2] == expected && codes[1] != expected)
        #expect(try KeyDerivation.isValid(expected, for: message, under: secret))
        for index in expected.indices {
            var other = expected
            other[index] ^= 1
            #expect(try !KeyDerivation.isValid(other, for: message, under: secret))
        }
    }

    @Test(arguments: [1, 32, 64, 65, 200], [0, 1, 32, 64, 65, 200])
    func `Our HKDF is the library's, for materials and salts round its block size`(material: Int, salt: Int) throws {
        let material = (0..<material).map { UInt8(truncatingIfNeeded: $0 &* 11 &+ 1) }
        let salt = (0..<salt).map { UInt8(truncatingIfNeeded: $0 &* 5) }
        let info = KeyLabel.blindIndex.info([9, 8, 7])
        let secret = try SecretBytes(copying: material)
        for count in [1, 31, 32, 33, 64, 65, 255 * 32] {
            let derived = try KeyDerivation.derive(
                from: secret, salt: salt, label: .blindIndex, context: [9, 8, 7], count: count)
            let expanded = try KeyDerivation.expand(
                from: secret, label: .blindIndex, context: [9, 8, 7], count: count)
            let key = SymmetricKey(data: material)
            #expect(
                try exposed(derived)
                    == content(
                        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: info, outputByteCount: count)))
            #expect(
                try exposed(expanded)
                    == content(HKDF<SHA256>.expand(pseudoRandomKey: key, info: info, outputByteCount: count)))
        }
        for count in [0, 255 * 32 + 1] {
            #expect(throws: SealingError.malformed) {
                _ = try KeyDerivation.expand(from: secret, label: .blindIndex, context: [], count: count)
            }
        }
    }

    @Test func `Key wrap as in RFC 3394, section 4_6`() throws {
        let wrapping = try SecretBytes(copying: Array(0..<32))
        let key = try SecretBytes(copying: bytes("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f"))
        let wrapped = bytes("28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21")
        #expect(try KeyWrap.wrap(key, under: wrapping) == wrapped)
        let unwrapped = try KeyWrap.unwrap(wrapped, under: wrapping)
        #expect(try unwrapped.isEqual(to: key))
    }

    @Test func `scrypt as in RFC 7914, section 12`() throws {
        let password = try SecretBytes(copying: Array("pleaseletmein".utf8))
        // Below what a keybag may have, but the nearest of the RFC's examples; of its 64 bytes the first 32.
        let parameters = try ScryptParameters(logRounds: 14, blockSize: 8, parallelism: 1, allowingInsecure: true)
        let key = try KeyDerivation.scrypt(password, salt: Array("SodiumChloride".utf8), parameters: parameters)
        #expect(try exposed(key) == bytes("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"))
    }

    @Test func `X25519 as in RFC 7748, section 6_1`() throws {
        let mine = try SecretBytes(copying: bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
        let theirs = try SecretBytes(copying: bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
        let public1 = bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        let public2 = bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        #expect(try KeyAgreement.publicKey(of: mine) == public1)
        #expect(try KeyAgreement.publicKey(of: theirs) == public2)
        let shared = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
        let one = try KeyAgreement.sharedSecret(of: mine, with: public2)
        let other = try KeyAgreement.sharedSecret(of: theirs, with: public1)
        #expect(try exposed(one) == shared)
        #expect(try exposed(other) == shared)
    }

    private func content(_ key: SymmetricKey) -> [UInt8] { unsafe key.withUnsafeBytes { unsafe Array($0) } }

    // HKDF out of HMAC, as RFC 5869 writes it.
    private func extracted(_ material: [UInt8], _ salt: [UInt8]) throws -> [UInt8] {
        try KeyDerivation.authenticationCode(for: material, under: try SecretBytes(copying: salt))
    }

    private func expanded(_ key: [UInt8], _ info: [UInt8], _ count: Int) throws -> [UInt8] {
        let key = try SecretBytes(copying: key)
        var block: [UInt8] = []
        var output: [UInt8] = []
        for number in UInt8(1)...255 {
            block = try KeyDerivation.authenticationCode(for: block + info + [number], under: key)
            output += block
            if output.count >= count { break }
        }
        return Array(output.prefix(count))
    }
}

/// Consecutive bytes in hexadecimal digits.
private func range(_ from: Int, _ to: Int) -> String {
    (from..<to).map { UInt8($0) }.hexadecimal
}

/// The bytes of hexadecimal digits, which may stand in groups.
func bytes(_ hexadecimal: String) -> [UInt8] { [UInt8](hexadecimal: hexadecimal.filter(\.isHexDigit)) ?? [] }

func exposed(_ secret: borrowing SecretBytes) throws -> [UInt8] { try secret.exposingBytes(0..<secret.count) ?? [] }
