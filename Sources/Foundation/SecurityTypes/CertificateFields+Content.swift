// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

extension CertificateFields {
    /// The public key's bits: PKCS#1 of an RSA key, the point of an elliptic-curve key. nil when they can't be found.
    package var publicKeyBits: [UInt8]? {
        guard let node = try? DER.parse(subjectPublicKeyInfo), case .constructed(let parts) = node.content,
            let last = Array(parts).last, let bits = try? ASN1BitString(derEncoded: last), bits.paddingBits == 0
        else { return nil }
        return Array(bits.bytes)
    }

    /// The subject's name in the form that is compared.
    package var normalizedSubject: [UInt8] { Self.normalized(subject) }

    /// The issuer's name in the form that is compared.
    package var normalizedIssuer: [UInt8] { Self.normalized(issuer) }

    /// A name that is none stays as it is.
    private static func normalized(_ name: [UInt8]) -> [UInt8] {
        DistinguishedName.normalizedContent(of: name) ?? name
    }

    /// The extension subjectKeyIdentifier (RFC 5280, 4.2.1.2).
    package var subjectKeyIdentifier: [UInt8]? {
        guard let value = value(ofExtension: [2, 5, 29, 14]), let node = try? DER.parse(value),
            let octets = try? ASN1OctetString(derEncoded: node)
        else { return nil }
        return Array(octets.bytes)
    }

    /// The last common name of the subject.
    package var commonName: String? { subjectName?.last(.commonName) }

    /// Mail addresses of the subject alternative name, then those of the subject.
    package var emailAddresses: [String] {
        alternativeNames(1) + (subjectName?.all(.emailAddress) ?? [])
    }

    /// The subject in a few words: common name (with the description, where there is one), else the unit, the
    /// organization, the description, a mail address, a host. nil when there is nothing of these.
    package var summary: String? {
        guard let name = subjectName else { return emailAddresses.first ?? alternativeNames(2).first }
        let description = name.last(.nameDescription)
        if let common = name.last(.commonName) { return description.map { "\(common) (\($0))" } ?? common }
        return name.last(.organizationalUnit) ?? name.last(.organization) ?? description ?? emailAddresses.first
            ?? alternativeNames(2).first
    }

    private var subjectName: DistinguishedName? { try? DistinguishedName(derEncoded: subject) }

    /// Names of one kind in subjectAltName (RFC 5280, 4.2.1.6): 1 mail addresses, 2 hosts.
    private func alternativeNames(_ number: UInt) -> [String] {
        guard let value = value(ofExtension: [2, 5, 29, 17]), let node = try? DER.parse(value),
            node.identifier == .sequence, case .constructed(let names) = node.content
        else { return [] }
        let wanted = ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
        return names.compactMap { name in
            guard name.identifier == wanted, case .primitive(let bytes) = name.content else { return nil }
            return String(validating: bytes, as: UTF8.self)
        }
    }

    /// The octets of the first extension of this kind.
    private func value(ofExtension type: ASN1ObjectIdentifier) -> [UInt8]? {
        for one in extensions {
            guard let node = try? DER.parse(one), case .constructed(let parts) = node.content else { continue }
            let nodes = Array(parts)
            guard let first = nodes.first, let last = nodes.last, nodes.count > 1,
                (try? ASN1ObjectIdentifier(derEncoded: first)) == type
            else { continue }
            return (try? ASN1OctetString(derEncoded: last)).map { Array($0.bytes) }
        }
        return nil
    }
}
