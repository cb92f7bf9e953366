// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecurityTypes

/// One of the NIST curves, with what signatures and key exchange need of it.
protocol EllipticCurve {
    associatedtype SigningKey: Sendable
    associatedtype VerifyingKey: Sendable

    static var bitCount: Int { get }
    static func sign(
        _ digest: some Digest, with key: SigningKey, _ form: KeyAlgorithm.SignatureForm
    ) throws -> Data
    static func verify(
        _ signature: Data, _ form: KeyAlgorithm.SignatureForm, of digest: some Digest, with key: VerifyingKey
    ) -> Bool
    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret
}

extension EllipticCurve {
    /// Bytes of a coordinate.
    static var fieldSize: Int { (bitCount + 7) / 8 }
}
