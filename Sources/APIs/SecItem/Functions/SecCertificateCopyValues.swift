// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
import Readers
import SecurityTypes

/// Parts of a certificate by their identifiers (`kSecOID...`), each a dictionary of `kSecPropertyKeyType`,
/// `kSecPropertyKeyLabel`, `kSecPropertyKeyLocalizedLabel` and `kSecPropertyKeyValue`.
///
/// Names are sections of such dictionaries. Dates are numbers (seconds since 2001-01-01 00:00 UTC), and serial numbers
/// are texts. `kSecOIDCommonName`, `kSecOIDOrganizationName` and `kSecOIDOrganizationalUnitName` are arrays of the
/// subject's texts. Of the extensions, subjectAltName and keyUsage are parsed; others are data in a section.
///
/// - Parameters:
///   - certificate: The certificate.
///   - keys: The parts to return; nil: all.
///   - error: Never set.
public func SecCertificateCopyValues(
    _ certificate: SecCertificate, _ keys: CFArray?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    let wanted = keys.map { Set(Mirror(reflecting: $0).children.compactMap { ($0.value as? NSString) as String? }) }
    let all = CertificateValues(certificate.fields).values
    return all.filter { wanted?.contains($0.key) != false } as NSDictionary
}

private struct CertificateValues {
    private(set) var values: [String: [String: Any]] = [:]

    init(_ fields: CertificateFields) {
        set(kSecOIDX509V1Version, "Version", "string", String(fields.version))
        set(kSecOIDX509V1SerialNumber, "Serial Number", "string", Self.hex(fields.serialNumber))
        set(kSecOIDX509V1SubjectName, "Subject Name", "section", Self.section(fields.subject))
        set(kSecOIDX509V1IssuerName, "Issuer Name", "section", Self.section(fields.issuer))
        if let key = try? fields.publicKey {
            let name = Self.part("Algorithm", "string", key.name)
            set(kSecOIDX509V1SubjectPublicKeyAlgorithm, "Public Key Algorithm", "section", [name])
        }
        if let validity = fields.validity {
            set(kSecOIDX509V1ValidityNotBefore, "Not Valid Before", "number", validity.lowerBound)
            set(kSecOIDX509V1ValidityNotAfter, "Not Valid After", "number", validity.upperBound)
        }
        let subject = CertificateFields.texts(ofName: fields.subject)
        for (key, label) in [
            (kSecOIDCommonName, "CN"), (kSecOIDOrganizationName, "O"), (kSecOIDOrganizationalUnitName, "OU"),
        ] {
            let texts = subject.filter { $0.identifier == key as String }.map(\.text)
            if !texts.isEmpty { set(key, label, "array", texts) }
        }
        for one in fields.parsedExtensions { add(one) }
    }

    private mutating func add(_ one: CertificateFields.Extension) {
        let critical = Self.part("Critical", "string", one.isCritical ? "Yes" : "No")
        let (key, value) = (one.identifier, one.value)
        if key == kSecOIDSubjectAltName as String {
            let names = CertificateFields.names(inAlternativeName: value).map { Self.name($0.kind, $0.bytes) }
            set(kSecOIDSubjectAltName, "Subject Alternative Name", "section", [critical] + names)
        } else if key == kSecOIDKeyUsage as String {
            set(kSecOIDKeyUsage, "Key Usage", "number", CertificateFields.bits(ofKeyUsage: value) ?? 0)
        } else {
            let data = Self.part("Unparsed Data", "data", Data(value))
            set(key as NSString, key, "section", [critical, data])
        }
    }

    private mutating func set(_ key: CFString, _ label: String, _ type: String, _ value: Any) {
        values[key as String] = Self.part(label, type, value)
    }

    private static func part(_ label: String, _ type: String, _ value: Any) -> [String: Any] {
        [
            kSecPropertyKeyLabel as String: label, kSecPropertyKeyLocalizedLabel as String: label,
            kSecPropertyKeyType as String: type, kSecPropertyKeyValue as String: value,
        ]
    }

    private static func section(_ name: [UInt8]) -> [[String: Any]] {
        CertificateFields.texts(ofName: name).map { part($0.identifier, "string", $0.text) }
    }

    private static func name(_ kind: UInt, _ bytes: [UInt8]) -> [String: Any] {
        let text = String(decoding: bytes, as: UTF8.self)
        return switch kind {
        case 1: part("Email Address", "string", text)
        case 2: part("DNS Name", "string", text)
        case 6: part("URI", "string", text)
        case 7 where bytes.count == 4: part("IP Address", "string", bytes.map(String.init).joined(separator: "."))
        default: part(kind == 7 ? "IP Address" : "Other Name", "data", Data(bytes))
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16, uppercase: true) + String($0 & 15, radix: 16, uppercase: true) }
            .joined(separator: " ")
    }
}

/// The kind of a part: `string`, `number`, `data`, `array` or `section`.
@safe nonisolated(unsafe) public let kSecPropertyKeyType: CFString = "type"
/// The name of a part.
@safe nonisolated(unsafe) public let kSecPropertyKeyLabel: CFString = "label"
/// The display name of a part, in English.
@safe nonisolated(unsafe) public let kSecPropertyKeyLocalizedLabel: CFString = "localized label"
/// The value of a part.
@safe nonisolated(unsafe) public let kSecPropertyKeyValue: CFString = "value"

/// The version of a certificate.
@safe nonisolated(unsafe) public let kSecOIDX509V1Version: CFString = "2.16.840.1.113741.2.1.1.1.2"
/// The serial number.
@safe nonisolated(unsafe) public let kSecOIDX509V1SerialNumber: CFString = "2.16.840.1.113741.2.1.1.1.3"
/// The issuer's name.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerName: CFString = "2.16.840.1.113741.2.1.1.1.5"
/// The start of its validity.
@safe nonisolated(unsafe) public let kSecOIDX509V1ValidityNotBefore: CFString = "2.16.840.1.113741.2.1.1.1.6"
/// The end of its validity.
@safe nonisolated(unsafe) public let kSecOIDX509V1ValidityNotAfter: CFString = "2.16.840.1.113741.2.1.1.1.7"
/// The kind of its key: a section with the name of the algorithm or curve, for example `Ed25519`.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKeyAlgorithm: CFString = "2.16.840.1.113741.2.1.1.1.9"
/// The subject's name.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectName: CFString = "2.16.840.1.113741.2.1.1.1.8"
/// A common name.
@safe nonisolated(unsafe) public let kSecOIDCommonName: CFString = "2.5.4.3"
/// A country.
@safe nonisolated(unsafe) public let kSecOIDCountryName: CFString = "2.5.4.6"
/// A locality.
@safe nonisolated(unsafe) public let kSecOIDLocalityName: CFString = "2.5.4.7"
/// A state or province.
@safe nonisolated(unsafe) public let kSecOIDStateProvinceName: CFString = "2.5.4.8"
/// An organization.
@safe nonisolated(unsafe) public let kSecOIDOrganizationName: CFString = "2.5.4.10"
/// An organizational unit.
@safe nonisolated(unsafe) public let kSecOIDOrganizationalUnitName: CFString = "2.5.4.11"
/// A mail address.
@safe nonisolated(unsafe) public let kSecOIDEmailAddress: CFString = "1.2.840.113549.1.9.1"
/// An identifier of the certificate's key.
@safe nonisolated(unsafe) public let kSecOIDSubjectKeyIdentifier: CFString = "2.5.29.14"
/// The permitted uses of the key.
@safe nonisolated(unsafe) public let kSecOIDKeyUsage: CFString = "2.5.29.15"
/// Other names of the subject: hosts, addresses.
@safe nonisolated(unsafe) public let kSecOIDSubjectAltName: CFString = "2.5.29.17"
/// Whether it is a certificate authority.
@safe nonisolated(unsafe) public let kSecOIDBasicConstraints: CFString = "2.5.29.19"
/// An identifier of the key that signed it.
@safe nonisolated(unsafe) public let kSecOIDAuthorityKeyIdentifier: CFString = "2.5.29.35"
/// The permitted purposes of the certificate.
@safe nonisolated(unsafe) public let kSecOIDExtendedKeyUsage: CFString = "2.5.29.37"
#endif
