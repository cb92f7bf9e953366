// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// The output of `--json`. Members keep their order, so that outputs can be compared as text.
enum JSON {
    case null
    case bool(Bool)
    case number(Int64)
    /// A value that is not finite becomes text, since JSON has no such number.
    case real(Double)
    case text(String)
    case array([JSON])
    case object([(String, JSON)])

    static func count(_ value: Int) -> JSON { .number(Int64(value)) }
    static func texts(_ values: [String]) -> JSON { .array(values.map { .text($0) }) }
    static func date(_ value: Date) -> JSON { .text(value.formatted(.iso8601)) }
    /// An object without the members that have no value.
    static func known(_ members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
    /// An object sorted by its keys.
    static func sorted<Value>(_ members: [String: Value], _ json: (Value) -> JSON) -> JSON {
        .object(members.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
    }

    /// The value on one line, without spaces.
    var line: String {
        var result = ""
        write(to: &result, nil)
        return result
    }

    /// The value on many lines, for a document that users read too.
    var page: String {
        var result = ""
        write(to: &result, 0)
        return result
    }

    /// `depth` nil: on one line.
    private func write(to result: inout String, _ depth: Int?) {
        switch self {
        case .null: result += "null"
        case .bool(let value): result += value ? "true" : "false"
        case .number(let value): result += String(value)
        case .real(let value) where value.isFinite: result += "\(value)"
        case .real(let value): Self.write("\(value)", to: &result)
        case .text(let text): Self.write(text, to: &result)
        case .array(let elements):
            Self.write(elements, begin: "[", end: "]", depth: depth, to: &result) { $0.write(to: &$1, $2) }
        case .object(let members):
            Self.write(members, begin: "{", end: "}", depth: depth, to: &result) { member, result, depth in
                Self.write(member.0, to: &result)
                result += depth == nil ? ":" : ": "
                member.1.write(to: &result, depth)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], begin: String, end: String, depth: Int?, to result: inout String,
        _ body: (Element, inout String, Int?) -> Void
    ) {
        let inner = depth.map { $0 + 1 }
        func newLine(_ depth: Int?) { if let depth { result += "\n" + String(repeating: "  ", count: depth) } }
        result += begin
        for (index, element) in elements.enumerated() {
            if index > 0 { result += "," }
            newLine(inner)
            body(element, &result, inner)
        }
        if !elements.isEmpty { newLine(depth) }
        result += end
    }

    /// Escapes a string by RFC 8259, section 7, and also characters that a terminal would interpret.
    private static func write(_ text: String, to result: inout String) {
        result += "\""
        defer { result += "\"" }
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard !isPlain else {
            result += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let scalar where !scalar.isPrintable:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
