// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// How a signature was made: scheme and, except for CMS's plain `rsaEncryption`, digest.
struct SignatureAlgorithm: Sendable, Equatable {
    enum Scheme: Sendable {
        /// RSASSA-PKCS1-v1_5. Apple signs nothing here with PSS.
        case rsa
        case ecdsa
    }

    let scheme: Scheme
    /// The digest; nil: that of the CMS signer's digest algorithm.
    let digest: DigestAlgorithm?

    init(_ identifier: ASN1ObjectIdentifier) throws(ProfileError) {
        switch identifier {
        case OID.rsaEncryption: (scheme, digest) = (.rsa, nil)
        case OID.sha1WithRSA: (scheme, digest) = (.rsa, .sha1)
        case OID.sha256WithRSA: (scheme, digest) = (.rsa, .sha256)
        case OID.sha384WithRSA: (scheme, digest) = (.rsa, .sha384)
        case OID.sha512WithRSA: (scheme, digest) = (.rsa, .sha512)
        case OID.ecdsaWithSHA256: (scheme, digest) = (.ecdsa, .sha256)
        case OID.ecdsaWithSHA384: (scheme, digest) = (.ecdsa, .sha384)
        case OID.ecdsaWithSHA512: (scheme, digest) = (.ecdsa, .sha512)
        default: throw ProfileError(.algorithm, "the signature algorithm \(identifier) is not accepted")
        }
    }
}
