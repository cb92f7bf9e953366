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
        attributes["cenc"] = .number(Self.derEncoding)
        attributes["subj"] = .data(normalizedSubject)
        attributes["skid"] = subjectKeyIdentifier.map { .data($0) }
        attributes["pkhh"] = publicKeyHash.map { .data($0) }
        return attributes
    }

    /// The attributes that tell this certificate from others.
    package var identifyingAttributes: Attributes {
        ["ctyp": .number(Int64(version)), "issr": .data(normalizedIssuer), "slnr": .data(serialNumber)]
    }

    /// Apple's number for DER.
    private static let derEncoding: Int64 = 3
}
