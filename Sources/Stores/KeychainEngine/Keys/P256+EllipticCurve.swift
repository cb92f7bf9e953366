// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecurityTypes

extension P256: EllipticCurve {
    typealias SigningKey = P256.Signing.PrivateKey
    typealias VerifyingKey = P256.Signing.PublicKey

    static var bitCount: Int { 256 }

    static func sign(
        _ digest: some Digest, with key: SigningKey, _ form: KeyAlgorithm.SignatureForm
    ) throws -> Data {
        let signature = try key.signature(for: digest)
        return form == .x962 ? signature.derRepresentation : signature.rawRepresentation
    }

    static func verify(
        _ signature: Data, _ form: KeyAlgorithm.SignatureForm, of digest: some Digest, with key: VerifyingKey
    ) -> Bool {
        let parsed: Signing.ECDSASignature? =
            form == .x962
            ? try? .init(derRepresentation: signature) : try? .init(rawRepresentation: signature)
        guard let parsed else { return false }
        return key.isValidSignature(parsed, for: digest)
    }

    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret {
        let own = try KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation)
        return try own.sharedSecretFromKeyAgreement(with: .init(x963Representation: peer.x963Representation))
    }
}
