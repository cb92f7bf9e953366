// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SwiftASN1

/// The DER coding of property list values that Apple uses in DER copies of profiles and in signed entitlements:
/// BOOLEAN, INTEGER, UTF8String, UTCTime, OCTET STRING; SEQUENCE for arrays; `[16]` or SET for dictionaries, with
/// SEQUENCE { UTF8String, value } for each entry; `[APPLICATION 16] { INTEGER 1, dictionary }` for entitlements.
enum DERValue {
    static func read(_ bytes: [UInt8], failingAs code: ProfileError.Code) throws(ProfileError) -> PropertyList {
        guard bytes.count <= PropertyListLimits.profile.bytes else {
            throw ProfileError(.tooLarge, "\(bytes.count) bytes of DER")
        }
        return try value(BoundedASN1.parse(bytes[...], .der, failingAs: code), code, depth: 0)
    }

    private static func value(
        _ node: ASN1Node, _ code: ProfileError.Code, depth: Int
    ) throws(ProfileError) -> PropertyList {
        guard depth <= PropertyListLimits.profile.depth else { throw ProfileError(.tooLarge, "DER of too many levels") }
        switch (node.identifier, node.identifier.tagClass, node.identifier.tagNumber) {
        case (.boolean, _, _): return .boolean(try scalar(node, code: code, Bool.init(derEncoded:)))
        case (.integer, _, _): return .integer(try scalar(node, code: code, Int64.init(derEncoded:)))
        case (.utf8String, _, _): return .string(try text(node, code))
        case (.octetString, _, _): return .data(Array(try node.primitive(failingAs: code)))
        case (.utcTime, _, _), (.generalizedTime, _, _): return .date(try scalar(node, code: code) { try $0.date() })
        case (.sequence, _, _):
            var values: [PropertyList] = []
            for child in try node.children(failingAs: code) { values.append(try value(child, code, depth: depth + 1)) }
            return .array(values)
        case (.set, _, _), (_, .contextSpecific, 16): return .dictionary(try dictionary(node, code: code, depth: depth))
        case (_, .application, 16): return try entitlements(node, code: code, depth: depth)
        default: throw ProfileError(code, "a DER value of a type that is not expected")
        }
    }

    private static func scalar<Value>(
        _ node: ASN1Node, code: ProfileError.Code, _ read: (ASN1Node) throws -> Value
    ) throws(ProfileError) -> Value {
        try BoundedASN1.reading(code, what: "a DER value") { try read(node) }
    }

    private static func text(_ node: ASN1Node, _ code: ProfileError.Code) throws(ProfileError) -> String {
        guard let text = String(validUTF8: try node.primitive(failingAs: code)) else {
            throw ProfileError(code, "a DER text that is not UTF-8")
        }
        return text
    }

    private static func dictionary(
        _ node: ASN1Node, code: ProfileError.Code, depth: Int
    ) throws(ProfileError) -> [String: PropertyList] {
        var values: [String: PropertyList] = [:]
        for entry in try node.children(failingAs: code) {
            let pair = entry.identifier == .sequence ? try entry.children(failingAs: code) : []
            guard pair.count == 2, pair[0].identifier == .utf8String else {
                throw ProfileError(code, "a DER dictionary entry that is not a pair")
            }
            let value = try value(pair[1], code, depth: depth + 1)
            guard values.updateValue(value, forKey: try text(pair[0], code)) == nil else {
                throw ProfileError(code, "a duplicate DER key")
            }
        }
        return values
    }

    private static func entitlements(
        _ node: ASN1Node, code: ProfileError.Code, depth: Int
    ) throws(ProfileError) -> PropertyList {
        let fields = try node.children(failingAs: code)
        guard fields.count == 2, try scalar(fields[0], code: code, Int64.init(derEncoded:)) == 1,
            fields[1].isContext(16)
        else {
            throw ProfileError(code, "DER entitlements of another version than 1")
        }
        return .dictionary(try dictionary(fields[1], code: code, depth: depth + 1))
    }
}
