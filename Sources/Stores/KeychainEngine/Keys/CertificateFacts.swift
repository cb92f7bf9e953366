// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import Readers

/// The details of a DER certificate that tools show.
package final class CertificateFacts: Sendable {
    private let fields: CertificateFields

    /// Nil if the certificate can't be read.
    package init?(_ der: [UInt8]) {
        guard let fields = CertificateFields(der: der) else { return nil }
        self.fields = fields
    }

    /// A short form of the subject.
    package var summary: String? { fields.summary }
    /// A short form of the issuer: its last common name, else the last of its parts.
    package var issuer: String? {
        let texts = CertificateFields.texts(ofName: fields.issuer)
        return (texts.last { $0.identifier == "2.5.4.3" } ?? texts.last)?.text
    }
    /// The last common name of the subject.
    package var commonName: String? { fields.commonName }
    /// The addresses in the alternative name and the subject.
    package var mailAddresses: [String] { fields.emailAddresses }
    /// The period of validity.
    package var validity: ClosedRange<Date>? {
        fields.validity.map {
            Date(timeIntervalSinceReferenceDate: $0.lowerBound)...Date(timeIntervalSinceReferenceDate: $0.upperBound)
        }
    }

    /// The SHA-1 fingerprint, by which macOS names certificates.
    package static func sha1(_ der: [UInt8]) -> [UInt8] { Array(Insecure.SHA1.hash(data: der)) }
    /// The SHA-256 fingerprint.
    package static func sha256(_ der: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: der)) }
    /// One PEM block.
    package static func pem(_ der: [UInt8]) -> String { PEMBlock("CERTIFICATE", Data(der)).text }
}
