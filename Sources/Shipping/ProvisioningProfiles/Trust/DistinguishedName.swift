// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// An X.500 name. Two are equal when their attributes have the same types and texts in the same order, whether a text is
/// a PrintableString or a UTF8String: Apple's certificates spell one name in both.
struct DistinguishedName: Sendable, Hashable {
    private struct Attribute: Sendable, Hashable {
        let type: ASN1ObjectIdentifier
        let text: String
    }

    /// The sets of RFC 5280's RDNSequence; each nearly always has one attribute.
    private let parts: [[Attribute]]

    init(_ node: ASN1Node) throws {
        guard node.identifier == .sequence else { throw ProfileError(.certificate, "a name that can't be read") }
        parts = try node.children(failingAs: .certificate).map { set in
            try set.children(failingAs: .certificate).map(Self.attribute)
        }
    }

    private static func attribute(_ node: ASN1Node) throws -> Attribute {
        try BER.sequence(node, identifier: .sequence) { nodes in
            let type = try ASN1ObjectIdentifier(derEncoded: &nodes)
            let value = try nodes.required()
            return Attribute(type: type, text: try text(value))
        }
    }

    /// Texts are compared as UTF-8; an attribute of any other type is compared by its bytes.
    private static func text(_ node: ASN1Node) throws -> String {
        let bytes = try node.primitive(failingAs: .certificate)
        let textTypes: [ASN1Identifier] = [.utf8String, .printableString, .ia5String, .teletexString]
        if textTypes.contains(node.identifier), let text = String(validating: bytes, as: UTF8.self) { return text }
        return "\(node.identifier):" + bytes.map { String($0, radix: 16) }.joined(separator: ",")
    }

    func first(_ type: ASN1ObjectIdentifier) -> String? {
        parts.joined().first { $0.type == type }?.text
    }
}
