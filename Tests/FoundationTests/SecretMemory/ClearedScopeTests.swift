// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import SecretMemory
import TestSupport
import Testing

/// A kind of work that the helper program can do with a key, and what must not be left of it.
private struct Work: CustomTestStringConvertible {
    let name: String
    /// What the work yields that is as secret as the key.
    var yields: @Sendable (SymmetricKey) throws -> [[UInt8]] = { _ in [] }

    var testDescription: String { name }

    private static let text = [UInt8](repeating: 7, count: 100)
    private static let label = Array("zamok/1 blind index".utf8)

    static let all = [
        Work(name: "careless"),
        Work(name: "seal") { key in AESKeySchedule.last(of: bytes(key)) },
        Work(name: "open") { key in AESKeySchedule.last(of: bytes(key)) },
        Work(name: "opened"),
        Work(name: "wrappingKey") { key in AESKeySchedule.last(of: bytes(key)) },
        Work(name: "wrappedKey"),
        Work(name: "unwrappedKey"),
        Work(name: "hkdf") { key in
            [
                bytes(HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: text, info: text, outputByteCount: 32)),
                bytes(HKDF<SHA256>.extract(inputKeyMaterial: key, salt: text)),
            ]
        },
        Work(name: "hmac") { key in [Array(HMAC<SHA256>.authenticationCode(for: text, using: key))] },
        Work(name: "expand") { key in
            [bytes(HKDF<SHA256>.expand(pseudoRandomKey: key, info: label + [0] + text, outputByteCount: 32))]
        },
        Work(name: "code"),
        Work(name: "fingerprint"),
        Work(name: "scrypt") { key in
            [
                bytes(
                    try KDF.Scrypt.deriveKey(
                        from: bytes(key), salt: text, outputByteCount: 32, rounds: 16384, blockSize: 8, parallelism: 1
                    )
                )
            ]
        },
        Work(name: "x25519") { key in
            let peer = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 9, count: 32))
            let mine = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes(key))
            return [bytes(try mine.sharedSecretFromKeyAgreement(with: peer.publicKey))]
        },
    ]

    private static func bytes(_ value: some ContiguousBytes) -> [UInt8] {
        unsafe value.withUnsafeBytes { unsafe Array($0) }
    }

    /// Both halves of every secret, and its middle: a copy may have lost its ends.
    func needles(_ key: SymmetricKey) throws -> [[UInt8]] {
        let secrets = [Work.bytes(key)] + (try yields(key))
        return secrets.flatMap { secret in
            secret.count < 32 ? [secret] : [0..<16, 8..<24, 16..<32].map { Array(secret[$0]) }
        }
    }

    /// Where the secrets of this work lie afterwards, outside the arena, in a process with three more threads.
    func leftovers(isClearing: Bool) throws -> [MemorySearch.Hit] {
        let key = SymmetricKey(size: .bits256)
        let victim = try Child(
            "test-worker", ["secret-memory", "work", name, isClearing ? "clearing" : "keeping", "3"])
        try victim.send(Work.bytes(key))
        try victim.await("done")
        let hits = try MemorySearch.search(process: victim.id, for: needles(key))
        // Without this the search might look into nothing at all.
        let inArena = try MemorySearch.search(process: victim.id, for: [Work.bytes(key)], inArena: true)
        #expect(inArena.contains { $0.place == .arena })
        try victim.proceed()
        #expect(try victim.finish() == 0)
        return hits
    }
}

struct `Cleared scope` {
    @Test(.disabled(if: isSanitized, "the sanitizer's allocator keeps freed blocks to itself"), arguments: Work.all)
    fileprivate func `no key, and nothing derived of it, is left on heap or stacks`(work: Work) throws {
        #expect(try work.leftovers(isClearing: true) == [])
    }

    // The same search, so that the one above shows something.
    // Rule: stack, registers and freed blocks are cleared after work with keys | clearing switched off, in the tests
    //   themselves | the same searches find the keys; so do those of `MemoryTests` of the keychain
    @Test(.disabled(if: isSanitized, "the sanitizer's allocator keeps freed blocks to itself"))
    func `without clearing, careless code leaves the key on the heap and on every stack`() throws {
        let places = try Work(name: "careless").leftovers(isClearing: false).map(\.place)
        #expect(places.contains(.heap))
        #expect(Set(places.filter { if case .stack = $0 { true } else { false } }).count == 4)
    }

    @Test(
        .disabled(if: isSanitized, "the sanitizer's allocator keeps freed blocks to itself"),
        arguments: ["seal", "open"])
    func `without clearing, AES-GCM leaves the key on the heap of each thread`(name: String) throws {
        let hits = try Work(name: name).leftovers(isClearing: false)
        let heaps = hits.filter { $0.place == .heap }
        #expect(heaps.count >= 4 * 3)
    }

    @Test func `what the body returns or throws comes out`() throws {
        struct Refused: Error {}
        #expect(try ClearedScope.run { 42 } == 42)
        #expect(throws: Refused.self) { try ClearedScope.run { throw Refused() } }
        #expect(try ClearedScope.run { try ClearedScope.run { [UInt8](repeating: 1, count: 600) } }.count == 600)
    }
}
