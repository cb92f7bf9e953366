// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Readers

extension CertificateFields {
    /// SHA-1 of the public key's bits: the `klbl` of its private key.
    package var publicKeyHash: [UInt8]? {
        publicKeyBits.map { Array(Insecure.SHA1.hash(data: $0)) }
    }

    /// What the keychain says of a certificate.
    package var itemAttributes: Attributes {
        var attributes = identifyingAttributes
        attributes[.certificateEncoding] = .number(Self.derEncoding)
        attributes[.subject] = .data(normalizedSubject)
        attributes[.subjectKeyID] = subjectKeyIdentifier.map { .data($0) }
        attributes[.publicKeyHash] = publicKeyHash.map { .data($0) }
        return attributes
    }

    /// The attributes that tell this certificate from others.
    package var identifyingAttributes: Attributes {
        [
            .certificateType: .number(Int64(version)), .issuer: .data(normalizedIssuer),
            .serialNumber: .data(serialNumber),
        ]
    }

    /// Apple's number for DER.
    private static let derEncoding: Int64 = 3
}
