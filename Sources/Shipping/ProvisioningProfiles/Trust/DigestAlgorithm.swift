// SPDX-License-Identifier: Apache-2.0

import Crypto
import SwiftASN1

/// A hash function. SHA-1 is included for the one place where Apple still uses it.
enum DigestAlgorithm: String, Sendable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    init?(_ identifier: ASN1ObjectIdentifier) {
        switch identifier {
        case OID.sha1: self = .sha1
        case OID.sha256: self = .sha256
        case OID.sha384: self = .sha384
        case OID.sha512: self = .sha512
        default: return nil
        }
    }

    func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        return switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}
