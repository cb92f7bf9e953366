// SPDX-License-Identifier: Apache-2.0

import SecurityTypes
import SwiftASN1

/// A node of parsed DER or BER, read by position; throws instead of trapping.
struct ASN1Reader {
    let node: ASN1Node

    init(_ node: ASN1Node) { self.node = node }

    /// Values of one structure: enough for 10,000 certificates with their attributes, and some 40 MiB of nodes.
    private static let valueLimit = 300_000

    /// The structure that these bytes are. Throws for what is none, and for one of more values than anybody needs.
    static func ber(_ bytes: [UInt8]) throws -> ASN1Reader {
        guard ASN1Values.areFew(in: bytes[...], limit: valueLimit) else { throw PKCS12Error.tooLarge }
        return ASN1Reader(try BER.parse(bytes))
    }

    /// The same by the stricter rules.
    static func der(_ bytes: [UInt8]) throws -> ASN1Reader {
        guard ASN1Values.areFew(in: bytes[...], limit: valueLimit) else { throw PKCS12Error.tooLarge }
        return ASN1Reader(try DER.parse(bytes))
    }

    /// The parts of a constructed node.
    func children() throws -> [ASN1Reader] {
        guard case .constructed(let nodes) = node.content else { throw PKCS12Error.malformed }
        return nodes.map(ASN1Reader.init)
    }

    /// Between `least` and `most` parts; more or fewer is malformed.
    func children(_ most: Int, orMore least: Int) throws -> [ASN1Reader] {
        let all = try children()
        guard (least...most).contains(all.count) else { throw PKCS12Error.malformed }
        return all
    }

    /// The one node inside an explicit context tag.
    func explicit(_ number: UInt) throws -> ASN1Reader {
        guard node.identifier == ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific) else {
            throw PKCS12Error.malformed
        }
        return try children(1, orMore: 1)[0]
    }

    /// The octets of an OCTET STRING, in one piece or, in BER, in several.
    func octets() throws -> [UInt8] { Array(try ASN1OctetString(berEncoded: node).bytes) }

    /// The octets of an implicitly tagged OCTET STRING.
    func implicitOctets(_ number: UInt) throws -> [UInt8] {
        let identifier = ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
        return Array(try ASN1OctetString(berEncoded: node, withIdentifier: identifier).bytes)
    }

    func primitive() throws -> ArraySlice<UInt8> {
        guard case .primitive(let bytes) = node.content else { throw PKCS12Error.malformed }
        return bytes
    }

    func objectIdentifier() throws -> ASN1ObjectIdentifier { try ASN1ObjectIdentifier(berEncoded: node) }

    /// A small INTEGER.
    func integer() throws -> Int { try Int(berEncoded: node) }

    /// The DER of the node.
    func serialized() -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.serialize(node)
        return serializer.serializedBytes
    }
}
