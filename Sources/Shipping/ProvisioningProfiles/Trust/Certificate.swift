// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Readers
import SwiftASN1

/// An X.509 certificate, as far as profiles and code signatures need it. Reading one implies no trust.
public struct Certificate: Sendable, Equatable {
    /// The whole certificate in DER.
    public let encoded: [UInt8]
    /// The certificate's SHA-256 fingerprint.
    public let fingerprint: [UInt8]
    /// The start of its validity.
    public let notBefore: Date
    /// The end of its validity.
    public let notAfter: Date
    /// The serial number's bytes, big-endian.
    public let serialNumber: [UInt8]

    let fields: CertificateFields
    /// The parsed values of `fields`.
    let signatureAlgorithm: ASN1ObjectIdentifier
    let issuer: DistinguishedName
    let subject: DistinguishedName
    let key: CertificateFields.PublicKey
    let extensions: [ASN1ObjectIdentifier: CertificateFields.Extension]

    /// Equality of the encoded bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.encoded == right.encoded }
}

extension Certificate {
    /// The subject's common name; for developer certificates it holds a person's or a company's name.
    public var commonName: String? { subject.first(.commonName) }
    /// The subject's organization.
    public var organization: String? { subject.first(.organization) }
    /// The subject's organizational unit: the team identifier in developer certificates.
    public var organizationalUnit: String? { subject.first(.organizationalUnit) }
    /// The issuer's common name.
    public var issuerCommonName: String? { issuer.first(.commonName) }
    /// The purpose for which Apple issued the certificate.
    public var kind: CertificateKind { CertificateKind(markers: Set(extensions.keys)) }

    /// Whether `date` is inside the validity, inclusive of both ends.
    public func isValid(at date: Date) -> Bool { notBefore <= date && date <= notAfter }
}

/// The purpose of a developer's certificate, from Apple's marker extensions.
public enum CertificateKind: String, Sendable {
    /// Running on registered devices while developing.
    case development
    /// Ad hoc, App Store and enterprise builds.
    case distribution
    /// Software for macOS outside the App Store.
    case developerID = "developer-id"
    /// Installer packages; it signs no apps.
    case installer
    /// None of these markers.
    case other

    init(markers: Set<ASN1ObjectIdentifier>) {
        if !markers.isDisjoint(with: [OID.iPhoneDeveloper, OID.macDeveloper]) {
            self = .development
        } else if !markers.isDisjoint(with: [OID.iPhoneDistribution, OID.macDistribution]) {
            self = .distribution
        } else if markers.contains(OID.developerID) {
            self = .developerID
        } else if !markers.isDisjoint(with: [OID.macInstaller, OID.developerIDInstaller]) {
            self = .installer
        } else {
            self = .other
        }
    }
}
