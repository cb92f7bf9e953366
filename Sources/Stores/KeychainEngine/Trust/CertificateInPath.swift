// SPDX-License-Identifier: Apache-2.0

import Readers
import SwiftASN1

/// A certificate of a path, with the extensions that the rules need.
struct CertificateInPath {
    let fields: CertificateFields
    private let extensions: [ASN1ObjectIdentifier: CertificateFields.Extension]

    init(_ fields: CertificateFields) {
        self.fields = fields
        extensions = Dictionary(fields.parsedExtensions.map { ($0.type, $0) }) { first, _ in first }
    }

    /// Whether the extension is critical; nil if it is absent.
    func criticality(of type: ASN1ObjectIdentifier) -> Bool? { extensions[type]?.isCritical }

    func has(_ type: ASN1ObjectIdentifier) -> Bool { extensions[type] != nil }

    /// The structure in an extension; nil if it is absent or can't be read.
    func structure(_ type: ASN1ObjectIdentifier) -> ASN1Node? {
        extensions[type].flatMap {
            try? ASN1Reading.value(in: $0.value, .der, limit: CertificateFields.valueLimit)
        }
    }

    /// Whether subject and issuer are equal.
    var isSelfIssued: Bool { fields.normalizedSubject == fields.normalizedIssuer }

    var hasNegativeNumber: Bool { fields.serialNumber.first.map { $0 >= 0x80 } ?? true }

    /// An empty name is a sequence of two bytes.
    var hasSubject: Bool { fields.subject.count > 2 }

    var isAuthority: Bool {
        guard let first = try? structure(.basicConstraints)?.parts().first else { return false }
        return (try? Bool(derEncoded: first)) == true
    }

    /// `keyCertSign` (RFC 5280, 4.2.1.3).
    var mayIssue: Bool {
        extensions[.keyUsage].flatMap { CertificateFields.bits(ofKeyUsage: $0.value) }.map { $0 & 1 << 5 != 0 } ?? false
    }

    /// `extendedKeyUsage`; nil if it is absent.
    var purposes: Set<ASN1ObjectIdentifier>? {
        guard has(.extendedKeyUsage) else { return nil }
        let nodes = (try? structure(.extendedKeyUsage)?.parts()) ?? []
        return Set(nodes.compactMap { try? $0.objectIdentifier() })
    }

    /// The names of subjectAltName: 1 mail addresses, 2 hosts, 7 IP addresses.
    var names: [(kind: UInt, bytes: [UInt8])] {
        guard let value = extensions[.subjectAlternativeName]?.value,
            ASN1Values.areFew(in: value, limit: CertificateFields.valueLimit)
        else { return [] }
        return CertificateFields.names(inAlternativeName: value)
    }

    /// The hosts among the names, in lower case.
    var hosts: [String] { names.filter { $0.kind == 2 }.map { String(decoding: $0.bytes, as: UTF8.self).lowercased() } }

    /// `keyIdentifier` of `authorityKeyIdentifier`.
    var issuersKey: [UInt8]? {
        let parts = try? structure(.authorityKeyIdentifier)?.parts()
        return parts?.first { $0.isContext(0) }.flatMap { try? Array($0.bytes()) }
    }

    /// The common names of the subject.
    var commonNames: [String] { (try? DistinguishedName(derEncoded: fields.subject))?.all(.commonName) ?? [] }
}

/// `nameConstraints` (RFC 5280, 4.2.1.10).
struct NameConstraints {
    /// The permitted and excluded hosts by tag, in lower case, otherwise as written.
    private(set) var hosts: [UInt: [String]] = [:]

    /// Nil if it is no nameConstraints: it has neither list, or an empty one.
    init?(_ node: ASN1Node?) {
        guard let lists = try? node?.parts(1...2) else { return nil }
        for list in lists {
            guard list.isContext(0) || list.isContext(1), let subtrees = try? list.parts(), !subtrees.isEmpty else {
                return nil
            }
            for subtree in subtrees {
                guard let base = try? subtree.parts(1...3)[0] else { return nil }
                guard base.isContext(2) else { continue }
                guard let bytes = try? base.bytes() else { return nil }
                hosts[list.identifier.tagNumber, default: []].append(
                    String(decoding: bytes, as: UTF8.self).lowercased())
            }
        }
    }

    var excludedHosts: [String] { hosts[1] ?? [] }
}

extension ASN1ObjectIdentifier {
    static let keyUsage: Self = [2, 5, 29, 15]
    static let subjectAlternativeName: Self = [2, 5, 29, 17]
    static let basicConstraints: Self = [2, 5, 29, 19]
    static let nameConstraints: Self = [2, 5, 29, 30]
    static let authorityKeyIdentifier: Self = [2, 5, 29, 35]
    static let policyConstraints: Self = [2, 5, 29, 36]
    static let extendedKeyUsage: Self = [2, 5, 29, 37]
    static let inhibitAnyPolicy: Self = [2, 5, 29, 54]
    static let authorityInformationAccess: Self = [1, 3, 6, 1, 5, 5, 7, 1, 1]
    static let serverPurpose: Self = [1, 3, 6, 1, 5, 5, 7, 3, 1]
    static let anyPurpose: Self = [2, 5, 29, 37, 0]
}
