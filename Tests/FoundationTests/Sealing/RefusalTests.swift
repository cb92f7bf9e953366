// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import Testing

/// What this module refuses though the library below it would go along.
@Suite struct RefusalTests {
    private func key(_ byte: UInt8 = 7) throws -> SecretBytes {
        try SecretBytes(copying: [UInt8](repeating: byte, count: 32))
    }

    @Test func `What was sealed opens under the same key and data only`() throws {
        let plaintext = try SecretBytes(copying: Array("marker".utf8))
        let sealed = try Seal.seal(plaintext, under: try key(), authenticating: [1])
        let opened = try Seal.open(sealed, under: try key(), authenticating: [1])
        #expect(try opened.isEqual(to: plaintext))
        #expect(sealed.count == plaintext.count + Seal.overhead)
        #expect(throws: SealingError.cannotOpen) { _ = try Seal.open(sealed, under: try key(8), authenticating: [1]) }
        #expect(throws: SealingError.cannotOpen) { _ = try Seal.open(sealed, under: try key(), authenticating: [2]) }
        #expect(throws: SealingError.cannotOpen) { _ = try Seal.open(sealed, under: try key(), authenticating: []) }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: SealingError.cannotOpen) {
                _ = try Seal.open(changed, under: try key(), authenticating: [1])
            }
        }
        for count in 0..<sealed.count {
            let cut = Array(sealed.prefix(count))
            #expect(throws: SealingError.cannotOpen) { _ = try Seal.open(cut, under: try key(), authenticating: [1]) }
        }
    }

    @Test func `Sealing twice never gives the same bytes`() throws {
        let plaintext = try SecretBytes(copying: Array("marker".utf8))
        let sealed = try (0..<100).map { _ in try Seal.seal(plaintext, under: try key(), authenticating: []) }
        #expect(Set(sealed).count == 100)
        #expect(Set(sealed.map { Array($0.prefix(12)) }).count == 100)
    }

    @Test func `A key of zeros is neither wrapped, nor wraps, nor comes out`() throws {
        let zero = try key(0)
        #expect(throws: SealingError.zeroKey) { try KeyWrap.wrap(zero, under: try key()) }
        #expect(throws: SealingError.zeroKey) { try KeyWrap.wrap(try key(), under: zero) }
        #expect(throws: SealingError.zeroKey) { _ = try KeyWrap.unwrap([UInt8](repeating: 1, count: 40), under: zero) }
        #expect(throws: SealingError.zeroKey) { _ = try Seal.seal(try key(), under: zero, authenticating: []) }
        #expect(throws: SealingError.zeroKey) {
            _ = try KeyDerivation.expand(from: zero, label: .keybagAuthentication)
        }
    }

    @Test func `A wrapped key that is changed or cut does not open`() throws {
        let wrapped = try KeyWrap.wrap(try key(3), under: try key())
        #expect(throws: SealingError.cannotOpen) { _ = try KeyWrap.unwrap(wrapped, under: try key(8)) }
        for index in wrapped.indices {
            var changed = wrapped
            changed[index] ^= 0x80
            #expect(throws: SealingError.cannotOpen) { _ = try KeyWrap.unwrap(changed, under: try key()) }
        }
        for count in [0, 1, 8, 16, 39] {
            let cut = Array(wrapped.prefix(count))
            #expect(throws: SealingError.cannotOpen) { _ = try KeyWrap.unwrap(cut, under: try key()) }
        }
    }

    /// Points of small order, with which every private key agrees on zero.
    @Test(arguments: [
        String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31),
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func `A public key that makes the shared secret zero is refused`(point: String) throws {
        let pair = try KeyAgreement.generate()
        #expect(throws: (any Error).self) { _ = try KeyAgreement.sharedSecret(of: pair.privateKey, with: bytes(point)) }
    }

    @Test(arguments: [
        (15, 8, 1), (21, 8, 1), (17, 7, 1), (17, 9, 1), (17, 8, 0), (17, 8, 5), (0, 8, 1), (255, 255, 255),
    ])
    func `scrypt parameters outside the limits are refused`(logRounds: UInt8, blockSize: UInt8, parallelism: UInt8) {
        #expect(throws: SealingError.parametersRefused) {
            try ScryptParameters(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
        }
    }

    @Test(arguments: [(16, 1), (20, 4), (17, 2)])
    func `scrypt parameters at the limits are accepted`(logRounds: UInt8, parallelism: UInt8) throws {
        let parameters = try ScryptParameters(logRounds: logRounds, blockSize: 8, parallelism: parallelism)
        #expect(parameters.rounds == 1 << Int(logRounds))
        #expect(throws: SealingError.parametersRefused) {
            try ScryptParameters(logRounds: 4, blockSize: 8, parallelism: 1)
        }
    }

    @Test func `No label is another one with something behind it`() {
        let labels = KeyLabel.allCases.map { Array($0.text.utf8) }
        #expect(Set(labels).count == labels.count)
        // A zero byte ends every label, so it must be in none.
        #expect(labels.allSatisfy { !$0.contains(0) && !$0.isEmpty })
    }
}

@Suite struct ByteTests {
    @Test func `What is written is read back`() throws {
        var writer = ByteWriter()
        writer.integer(UInt8(1))
        writer.integer(UInt16(0x0203))
        writer.integer(UInt64.max)
        writer.integer(Int32(-2))
        writer.prefixed([7, 8, 9])
        #expect(writer.bytes.prefix(3) == [1, 2, 3])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.integer(UInt8.self) == 1)
        #expect(try reader.integer(UInt16.self) == 0x0203)
        #expect(try reader.integer(UInt64.self) == .max)
        #expect(try reader.integer(Int32.self) == -2)
        #expect(try reader.prefixed(limit: 3) == [7, 8, 9])
        try reader.end()
    }

    @Test func `Bytes that end early, go on, or break a limit are refused`() throws {
        var reader = ByteReader([0, 0, 0, 4, 1, 2, 3])
        #expect(throws: SealingError.malformed) { try reader.prefixed(limit: 10) }
        var limited = ByteReader([0, 0, 0, 2, 1, 2])
        #expect(throws: SealingError.malformed) { try limited.prefixed(limit: 1) }
        var huge = ByteReader([0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: SealingError.malformed) { try huge.prefixed(limit: .max) }
        var short = ByteReader([1])
        #expect(throws: SealingError.malformed) { try short.integer(UInt16.self) }
        #expect(throws: SealingError.malformed) { try short.read(-1) }
        #expect(throws: SealingError.malformed) { try ByteReader([1]).end() }
    }

    @Test(arguments: ["", "a", "пароль", "e\u{301}", "\u{1F512}", "\u{FFFD}"])
    func `Text is read as it was written`(_ text: String) throws {
        let bytes = Array(text.utf8)
        var reader = ByteReader(bytes)
        let read = try reader.text(bytes.count)
        #expect(Array(read.utf8) == bytes)
    }

    // Rule: text that is no UTF-8 is refused, not repaired | the guard removed | 6 of 6
    @Test(
        arguments: [
            [0x80], [0x61, 0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBF, 0xBD, 0xFF],
        ] as [[UInt8]])
    func `Bytes that are no UTF-8 are no text, and are not repaired`(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        #expect(throws: SealingError.malformed) { try reader.text(bytes.count) }
    }
}
