// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

/// Writes DER by tag and length, so that tests can write wrong DER too.
enum DERWriter {
    static func value(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let content = contents.flatMap(\.self)
        return [tag] + length(content.count) + content
    }

    static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    static func sequence(_ values: [UInt8]...) -> [UInt8] { value(0x30, values.flatMap(\.self)) }
    static func set(_ values: [[UInt8]]) -> [UInt8] {
        value(0x31, values.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
    }
    static func integer(_ number: Int64) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        while bytes.count > 1, bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80 {
            bytes.removeFirst()
        }
        return value(0x02, bytes)
    }
    static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }
    static func time(_ date: Date) -> [UInt8] {
        let digits = date.ISO8601Format().filter(\.isNumber).dropFirst(2) + "Z"
        return value(0x17, Array(digits.utf8))
    }

    static func identifier(_ parts: [UInt]) -> [UInt8] {
        var content: [UInt8] = []
        for part in [parts[0] * 40 + parts[1]] + parts[2...] {
            var groups = [UInt8(part & 0x7F)]
            var rest = part >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            content += groups
        }
        return value(0x06, content)
    }

    static func algorithm(_ parts: [UInt]) -> [UInt8] { sequence(identifier(parts), value(0x05)) }

    /// A property list in the coding of DER copies and signed entitlements.
    static func propertyList(_ list: PropertyList) -> [UInt8] {
        switch list {
        case .string(let text): Self.text(text)
        case .integer(let number): integer(number)
        case .boolean(let value): Self.value(0x01, [value ? 0xFF : 0])
        case .data(let bytes): octets(bytes)
        case .date(let date): time(date)
        case .real: value(0x05)
        case .array(let values): value(0x30, values.flatMap(propertyList))
        case .dictionary(let values): value(0xB0, entries(values))
        }
    }

    static func entitlements(_ values: [String: PropertyList]) -> [UInt8] {
        value(0x70, integer(1), propertyList(.dictionary(values)))
    }

    private static func entries(_ values: [String: PropertyList]) -> [UInt8] {
        values.sorted { $0.key < $1.key }.flatMap { sequence(text($0.key), propertyList($0.value)) }
    }
}

extension PropertyList {
    /// This value as an XML property list.
    var xml: [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(element)</plist>\n".utf8)
    }

    private var element: String {
        switch self {
        case .string(let text): "<string>\(Self.escaped(text))</string>"
        case .integer(let number): "<integer>\(number)</integer>"
        case .real(let number): "<real>\(number)</real>"
        case .boolean(let value): value ? "<true/>" : "<false/>"
        case .date(let date): "<date>\(date.ISO8601Format())</date>"
        case .data(let bytes): "<data>\(Data(bytes).base64EncodedString())</data>"
        case .array(let values): "<array>" + values.map(\.element).joined() + "</array>"
        case .dictionary(let values):
            "<dict>"
                + values.sorted { $0.key < $1.key }.map { "<key>\(Self.escaped($0.key))</key>\($0.value.element)" }
                .joined()
                + "</dict>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
