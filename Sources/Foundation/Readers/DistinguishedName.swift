// SPDX-License-Identifier: Apache-2.0

#if Keychain
package import SwiftASN1

/// A parsed Name (RFC 5280, 4.1.2.4). Two are equal if their attributes have the same types and texts in the same
/// order. UTF8String, PrintableString, IA5String and TeletexString count as the same string type, since Apple's
/// certificates encode one name in several.
package struct DistinguishedName: Sendable, Equatable {
    /// One attribute.
    package struct Part: Sendable, Equatable {
        package let type: ASN1ObjectIdentifier
        fileprivate let value: ASN1Node
        /// Nil if it is not text.
        package var text: String? { DistinguishedName.text(value) }

        package static func == (left: Part, right: Part) -> Bool {
            left.type == right.type && left.value.content == right.value.content
                && (left.value.identifier == right.value.identifier || left.isPlainText && right.isPlainText)
        }

        private var isPlainText: Bool {
            [.utf8String, .printableString, .ia5String, .teletexString].contains(value.identifier)
        }
    }

    /// In the order of the name; nearly every set has one attribute.
    private let sets: [[Part]]

    package var parts: [Part] { Array(sets.joined()) }

    /// Reads the sequence; throws for anything else.
    package init(derEncoded bytes: [UInt8]) throws { try self.init(DER.parse(bytes)) }

    package init(_ node: ASN1Node) throws {
        sets = try Self.relativeNames(of: node).map { relative in
            try relative.map { Part(type: try $0.type.objectIdentifier(), value: $0.value) }
        }
    }

    /// The first text of this type.
    package func first(_ type: ASN1ObjectIdentifier) -> String? { all(type).first }

    /// The last text of this type.
    package func last(_ type: ASN1ObjectIdentifier) -> String? { all(type).last }

    /// All texts of this type.
    package func all(_ type: ASN1ObjectIdentifier) -> [String] { parts.filter { $0.type == type }.compactMap(\.text) }

    /// The content of the sequence in the form used for comparison; nil if the bytes are not a Name.
    ///
    /// RFC 2459, 4.1.2.4 (c) and (d): a PrintableString is compared without case. Each run of white space counts as one
    /// space, and none at the ends. Values of other types are unchanged.
    package static func normalizedContent(of bytes: [UInt8]) -> [UInt8]? {
        var serializer = DER.Serializer()
        do {
            for relative in try relativeNames(of: try DER.parse(bytes)) {
                try serializer.appendConstructedNode(identifier: .set) { set in
                    for attribute in relative { try append(attribute, to: &set) }
                }
            }
        } catch { return nil }
        return serializer.serializedBytes
    }

    private typealias Attribute = (type: ASN1Node, value: ASN1Node)

    private static func relativeNames(of node: ASN1Node) throws -> [[Attribute]] {
        guard node.identifier == .sequence else { throw malformed }
        return try node.parts().map { set in
            guard set.identifier == .set else { throw malformed }
            let pairs = try set.parts().map { try pair($0) }
            guard !pairs.isEmpty else { throw malformed }
            return pairs
        }
    }

    private static func pair(_ node: ASN1Node) throws -> Attribute {
        guard node.identifier == .sequence else { throw malformed }
        let nodes = try node.parts(2...2)
        return (nodes[0], nodes[1])
    }

    private static func append(_ attribute: Attribute, to serializer: inout DER.Serializer) throws {
        serializer.appendConstructedNode(identifier: .sequence) { sequence in
            sequence.serialize(attribute.type)
            if attribute.value.identifier == .printableString, let bytes = try? attribute.value.bytes() {
                sequence.appendPrimitiveNode(identifier: .printableString) { $0.append(contentsOf: folded(bytes)) }
            } else {
                sequence.serialize(attribute.value)
            }
        }
    }

    private static func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let words = bytes.split { $0 == 0x20 || $0 == 0x09 }
        let upper = words.map { word in word.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 } }
        return Array(upper.joined(separator: [0x20]))
    }

    private static func text(_ node: ASN1Node) -> String? {
        guard let bytes = try? node.bytes() else { return nil }
        switch node.identifier {
        case .utf8String, .printableString, .ia5String: return String(validUTF8: bytes)
        case .teletexString: return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case .bmpString: return utf16(Array(bytes))
        default: return nil
        }
    }

    private static func utf16(_ bytes: [UInt8]) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return String(validUTF16: units)
    }

    private static var malformed: ReadingError { .malformed("a name that can't be read") }
}

extension ASN1ObjectIdentifier {
    package static let commonName: Self = [2, 5, 4, 3]
    package static let organization: Self = [2, 5, 4, 10]
    package static let organizationalUnit: Self = [2, 5, 4, 11]
    static let nameDescription: Self = [2, 5, 4, 13]
    static let emailAddress: Self = [1, 2, 840, 113549, 1, 9, 1]
}

extension DistinguishedName {
    /// The sequence with this content, in DER.
    package static func sequence(of content: [UInt8]) -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .sequence) { $0.serializeRawBytes(content) }
        return serializer.serializedBytes
    }
}
#endif
