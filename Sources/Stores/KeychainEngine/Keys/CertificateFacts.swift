// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import Readers

/// What tools show of a certificate in DER.
package final class CertificateFacts: Sendable {
    private let fields: CertificateFields

    /// Nil: it can't be read.
    package init?(_ der: [UInt8]) {
        guard let fields = CertificateFields(der: der) else { return nil }
        self.fields = fields
    }

    /// The subject in a few words.
    package var summary: String? { fields.summary }
    /// The issuer in a few words: its last common name, else the last of its parts.
    package var issuer: String? {
        let texts = CertificateFields.texts(ofName: fields.issuer)
        return (texts.last { $0.identifier == "2.5.4.3" } ?? texts.last)?.text
    }
    /// The last common name of the subject.
    package var commonName: String? { fields.commonName }
    /// Of the alternative name and of the subject.
    package var mailAddresses: [String] { fields.emailAddresses }
    /// From when to when it holds.
    package var validity: ClosedRange<Date>? {
        fields.validity.map {
            Date(timeIntervalSinceReferenceDate: $0.lowerBound)...Date(timeIntervalSinceReferenceDate: $0.upperBound)
        }
    }

    /// The fingerprint by which macOS names certificates.
    package static func sha1(_ der: [UInt8]) -> [UInt8] { Array(Insecure.SHA1.hash(data: der)) }
    /// The newer fingerprint.
    package static func sha256(_ der: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: der)) }
    /// One block of PEM.
    package static func pem(_ der: [UInt8]) -> String { PEMBlock("CERTIFICATE", Data(der)).text }
}
