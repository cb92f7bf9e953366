// SPDX-License-Identifier: Apache-2.0

/// A header `Authorization: Basic` of one user and password.
package struct BasicCredentials: Equatable {
    package var user: String
    package var password: String

    /// Nil for anything else.
    package init?(_ value: String) {
        let words = value.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "basic", let bytes = Self.decoded(Array(words[1].utf8)),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        user = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var (bytes, value, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        var padding = 0
        for byte in text {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt32(byte) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt32(byte) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte) + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): digit = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            value = value << 6 | digit
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> bits))
                value &= (1 << bits) - 1
            }
        }
        return padding <= 2 ? bytes : nil
    }
}

/// The parameters of a query.
struct QueryParameters {
    /// `name` is nil for one without an equals sign. `range` is that of the value as it is written.
    struct Parameter {
        let name: String?
        let value: String
        let range: Range<String.Index>
    }

    private(set) var parameters: [Parameter] = []

    init(_ target: String) {
        guard let mark = target.firstIndex(of: "?") else { return }
        let query = target[target.index(after: mark)...]
        for part in query.split(separator: "&") {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let value = part[part.index(after: equals)...]
            parameters.append(
                Parameter(
                    name: Self.decoded(part[..<equals]), value: Self.decoded(value) ?? "",
                    range: value.startIndex..<value.endIndex))
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        let bytes = Array(text.utf8)
        let span = bytes.span
        var (result, position): ([UInt8], Int) = ([], 0)
        var signs = ReadSigns()
        while position < span.count {
            if span[position] == UInt8(ascii: "%") || span[position] == UInt8(ascii: "+"),
                case .one(let value, _, let end) = signs.sign(span, at: position, level: 1),
                let byte = UInt8(exactly: value)
            {
                result.append(byte)
                position = end
            } else {
                result.append(span[position])
                position += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }
}
