// SPDX-License-Identifier: Apache-2.0
//
// With CryptoBridge.swift, the only file that passes secrets to swift-crypto.

import Crypto
import CryptoExtras
package import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension KeyDerivation {
    /// PBKDF2 with HMAC-SHA-256 (RFC 8018), for formats that prescribe it: `count` bytes. Any number of rounds is
    /// accepted, so the caller has to bound it.
    package static func pbkdf2(
        _ password: borrowing SecretBytes, salt: borrowing SecretBytes, rounds: Int, count: Int
    ) throws -> SecretBytes {
        try ClearedScope.run {
            let key = try password.withBytes { password in
                try salt.withBytes { salt in
                    try unsafe password.withUnsafeBytes { password in
                        try unsafe salt.withUnsafeBytes { salt in
                            unsafe try KDF.Insecure.PBKDF2.deriveKey(
                                from: password, salt: salt, using: .sha256, outputByteCount: count,
                                unsafeUncheckedRounds: rounds)
                        }
                    }
                }
            }
            return try key.secretBytes()
        }
    }

    /// The HMAC-SHA-256 of a message that is a secret, too.
    package static func authenticationCode(
        ofSecret message: borrowing SecretBytes, under key: borrowing SecretBytes
    ) throws -> SecretBytes {
        try ClearedScope.run {
            let code = try key.withBytes { key in
                try message.withBytes { message in
                    unsafe key.withUnsafeBytes { key in
                        unsafe message.withUnsafeBytes { message in
                            unsafe HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
                        }
                    }
                }
            }
            return try code.secretBytes()
        }
    }
}
