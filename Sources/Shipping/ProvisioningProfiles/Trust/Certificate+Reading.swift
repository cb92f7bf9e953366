// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SwiftASN1

extension Certificate {
    /// Larger certificates are refused; Apple's have less than 2 KiB.
    static let maximumSize = 64 << 10

    /// Reads a certificate of version 3 in DER (RFC 5280).
    ///
    /// - Throws: ``ProfileError`` with code `certificate` or `tooLarge`.
    public init(encoded: [UInt8]) throws(ProfileError) {
        guard encoded.count <= Self.maximumSize else {
            throw ProfileError(.tooLarge, "a certificate of \(encoded.count) bytes")
        }
        let node = try BoundedASN1.parse(encoded[...], .der, failingAs: .certificate)
        self = try BoundedASN1.reading(.certificate, what: "a certificate") {
            try Self(CertificateFields(derEncoded: node), encoded)
        }
    }

    private init(_ fields: CertificateFields, _ encoded: [UInt8]) throws {
        guard fields.version == 3 else {
            throw ProfileError(.certificate, "a certificate of another version than 3")
        }
        guard fields.signature.paddingBits == 0 else { throw ProfileError(.certificate, "a broken signature field") }
        signatureAlgorithm = try CertificateFields.algorithm(fields.signatureAlgorithm)
        // RFC 5280, 4.1.2.3: the algorithm inside the signed part must be the one outside.
        guard try CertificateFields.algorithm(fields.signedAlgorithm) == signatureAlgorithm else {
            throw ProfileError(.certificate, "a certificate that names two signature algorithms")
        }
        guard let validity = fields.validity else {
            throw ProfileError(.certificate, "a certificate without a time of validity")
        }
        (self.fields, self.encoded) = (fields, encoded)
        fingerprint = DigestAlgorithm.sha256.digest(of: encoded)
        notBefore = Date(timeIntervalSinceReferenceDate: validity.lowerBound)
        notAfter = Date(timeIntervalSinceReferenceDate: validity.upperBound)
        // A number begins with a zero if it would otherwise be negative.
        serialNumber = Array(
            fields.serialNumber.first == 0 ? fields.serialNumber.dropFirst() : fields.serialNumber[...])
        issuer = try DistinguishedName(derEncoded: fields.issuer)
        subject = try DistinguishedName(derEncoded: fields.subject)
        key = try fields.publicKey
        extensions = try Dictionary(
            fields.extensions.map { try CertificateFields.Extension(derEncoded: $0) }.map { ($0.type, $0) }
        ) {
            _, _ in throw ProfileError(.certificate, "a certificate with a duplicate extension")
        }
    }
}
