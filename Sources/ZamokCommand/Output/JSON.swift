// SPDX-License-Identifier: Apache-2.0

/// What `--json` prints. Members keep their order, so that the output can be compared as text.
enum JSON {
    case null
    case bool(Bool)
    case number(Int64)
    /// Text where it is not finite: JSON has no such number.
    case real(Double)
    case text(String)
    case array([JSON])
    case object([(String, JSON)])

    /// On one line, without spaces.
    var line: String {
        var result = ""
        write(to: &result)
        return result
    }

    private func write(to result: inout String) {
        switch self {
        case .null: result += "null"
        case .bool(let value): result += value ? "true" : "false"
        case .number(let value): result += String(value)
        case .real(let value) where value.isFinite: result += "\(value)"
        case .real(let value): Self.write("\(value)", to: &result)
        case .text(let text): Self.write(text, to: &result)
        case .array(let elements):
            result += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { result += "," }
                element.write(to: &result)
            }
            result += "]"
        case .object(let members):
            result += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { result += "," }
                Self.write(member.0, to: &result)
                result += ":"
                member.1.write(to: &result)
            }
            result += "}"
        }
    }

    /// RFC 8259, section 7. DEL, C1 and what only steers the output are escaped too, for terminals.
    private static func write(_ text: String, to result: inout String) {
        result += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let scalar where [.control, .format].contains(scalar.properties.generalCategory):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        result += "\""
    }
}
