// SPDX-License-Identifier: Apache-2.0

import CSystemCrypto
package import SecretMemory

/// The encryption of Secret Service sessions, `dh-ietf1024-sha256-aes128-cbc-pkcs7`.
/// It uses the system's libcrypto, because swift-crypto has no finite-field Diffie-Hellman (Decision 0036). It hides
/// secrets on the bus; no stored data depends on it.
package enum SessionCrypto {
    package static var problem: String? { SystemCrypto.problem }

    /// The number of bytes that decryption may write beyond the plaintext.
    private static let block = 16

    /// The agreed key, and the public number to send to the peer. Nil if the peer's number is invalid, or the
    /// library failed.
    package static func agreement(with peer: Secret) throws -> (ownPublic: [UInt8], key: Secret)? {
        var own = [UInt8](repeating: 0, count: Int(zamok_agreement_public))
        var result: Int32 = 0
        let key = try SecretBytes(count: Int(zamok_agreement_key)) { span in
            result = try unsafe span.withUnsafeMutableBytes { key in
                unsafe try peer.lent { peer in
                    unsafe zamok_system_agreement(peer, &own, key.bindMemory(to: UInt8.self).baseAddress)
                }
            }
        }
        return result == 1 ? (own, Secret(key)) : nil
    }

    /// Encrypts or decrypts. Nil if the vector doesn't have 16 bytes, or the ciphertext is invalid.
    package static func cbc(encrypts: Bool, _ input: Secret, key: Secret, vector: Secret) throws -> Secret? {
        guard key.count == Int(zamok_agreement_key), vector.count == block else { return nil }
        var count = -1
        let output = try SecretBytes(count: input.count + block) { span in
            count = try unsafe span.withUnsafeMutableBytes { output in
                unsafe try key.lent { key in
                    unsafe try vector.lent { vector in
                        unsafe try input.lent { input in
                            unsafe zamok_system_cbc(
                                encrypts ? 1 : 0, key.bytes, vector.bytes, input,
                                output.bindMemory(to: UInt8.self).baseAddress)
                        }
                    }
                }
            }
        }
        guard count >= 0, let part = try output.part(0..<count) else { return nil }
        return Secret(part)
    }
}

extension Secret {
    fileprivate func lent<R>(_ body: (zamok_bytes) throws -> R) throws -> R {
        let count = count
        return try withBytes { span in
            try unsafe span.withUnsafeBytes { raw in
                try unsafe body(zamok_bytes(bytes: raw.bindMemory(to: UInt8.self).baseAddress, count: count))
            }
        }
    }
}
