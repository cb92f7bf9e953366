// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Crypto
import CryptoExtras
import Foundation
import Sealing
import SecretMemory

/// What Zamok does with keys through swift-crypto.
enum KeyWork: String, CaseIterable {
    /// Leaves the key on the stack and in freed blocks, as a careless library would.
    case careless
    case seal, open, opened, wrappingKey, wrappedKey, unwrappedKey, hkdf, hmac, scrypt, x25519
    /// Through the module that the stores call.
    case expand, code, fingerprint

    /// Does it with `key`, cleared afterwards.
    func run(with key: borrowing SecretBytes) throws {
        let text = [UInt8](repeating: 7, count: 100)
        let other = SymmetricKey(size: .bits256)
        switch self {
        case .careless: try runCareless(key)
        case .seal: try cleared(key) { _ = try AES.GCM.seal(text, using: $0) }
        case .open:
            let box = try AES.GCM.seal(text, using: other)
            try cleared(key) { _ = try? AES.GCM.open(box, using: $0) }
        case .opened:
            var box: AES.GCM.SealedBox?
            try cleared(key) { key in unsafe try key.withUnsafeBytes { unsafe box = try AES.GCM.seal($0, using: other) }
            }
            guard let box else { return }
            try ClearedScope.run {
                var plain = try AES.GCM.open(box, using: other)
                plain.resetBytes(in: plain.startIndex..<plain.endIndex)
            }
        case .wrappingKey: try cleared(key) { _ = try AES.KeyWrap.wrap(other, using: $0) }
        case .wrappedKey: try cleared(key) { _ = try AES.KeyWrap.wrap($0, using: other) }
        case .unwrappedKey:
            var wrapped: [UInt8] = []
            try cleared(key) { wrapped = Array(try AES.KeyWrap.wrap($0, using: other)) }
            try ClearedScope.run { _ = try AES.KeyWrap.unwrap(wrapped, using: other) }
        case .hkdf:
            try cleared(key) {
                _ = HKDF<SHA256>.deriveKey(inputKeyMaterial: $0, salt: text, info: text, outputByteCount: 32)
            }
        case .hmac: try cleared(key) { _ = Array(HMAC<SHA256>.authenticationCode(for: text, using: $0)) }
        case .scrypt: try runScrypt(key, salt: text)
        case .x25519: try runKeyAgreement(key)
        case .expand: _ = try KeyDerivation.expand(from: key, label: .blindIndex, context: text)
        case .code: _ = try KeyDerivation.authenticationCode(for: text, under: key)
        case .fingerprint: _ = try Fingerprints().of(key)
        }
    }

    private func cleared(_ key: borrowing SecretBytes, _ body: (SymmetricKey) throws -> Void) throws {
        try ClearedScope.run { unsafe try key.withBuffer { unsafe try body(SymmetricKey(data: $0)) } }
    }

    private func runCareless(_ key: borrowing SecretBytes) throws {
        try ClearedScope.run {
            unsafe try key.withBuffer { key in
                for depth in [256, 4096, 12288] { unsafe tools_leave_on_stack(key.baseAddress, key.count, depth) }
                for size in [56, 72, 136, 600] { unsafe tools_leave_in_freed_block(key.baseAddress, key.count, size) }
            }
        }
    }

    private func runScrypt(_ key: borrowing SecretBytes, salt: [UInt8]) throws {
        try ClearedScope.run {
            unsafe try key.withBuffer {
                _ = unsafe try KDF.Scrypt.deriveKey(
                    from: $0, salt: salt, outputByteCount: 32, rounds: 16384, blockSize: 8, parallelism: 1
                )
            }
        }
    }

    private func runKeyAgreement(_ key: borrowing SecretBytes) throws {
        let peer = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 9, count: 32)).publicKey
        try ClearedScope.run {
            unsafe try key.withBuffer {
                let mine = unsafe try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0)
                _ = try mine.sharedSecretFromKeyAgreement(with: peer)
            }
        }
    }
}
