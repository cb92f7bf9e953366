// SPDX-License-Identifier: Apache-2.0

import Readers

/// The attributes by which programs look up their secrets, as one text: `name=value` joined by `&`.
/// They are ordered by the bytes of their names, so equal attributes have equal texts.
/// The keychain's blind index of services therefore finds them (Documentation/Formats/SecretService.md).
enum LookupAttributes {
    static let countLimit = 128
    static let nameLimit = 255
    /// The maximum length of the whole text in bytes.
    static let limit = 64 << 10

    /// The text of a collection's record, which replaces the attributes. It contains no `=`.
    static let collection = "collection"

    /// Errors: a `BusFailure` if a limit is exceeded.
    static func text(_ attributes: [String: String]) throws(BusFailure) -> String {
        guard attributes.count <= countLimit else { throw .limits("an item may have \(countLimit) attributes") }
        var text = ""
        for (name, value) in attributes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard (1...nameLimit).contains(name.utf8.count) else {
                throw .limits("the name of an attribute has 1 to \(nameLimit) bytes")
            }
            if !text.isEmpty { text += "&" }
            append(name, to: &text)
            text += "="
            append(value, to: &text)
            guard text.utf8.count <= limit else { throw .limits("the attributes of an item may have 64 KiB together") }
        }
        return text
    }

    /// The attributes in a text. Nil: it isn't in this form.
    static func attributes(_ text: String) -> [String: String]? {
        var attributes: [String: String] = [:]
        guard !text.isEmpty else { return attributes }
        for part in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let middle = part.firstIndex(of: UInt8(ascii: "=")),
                let name = plain(part[..<middle]), let value = plain(part[part.index(after: middle)...]),
                !name.isEmpty, attributes.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return attributes
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || "%&=".utf8.contains(byte)
    }

    private static func append(_ part: String, to text: inout String) {
        var bytes: [UInt8] = []
        for byte in part.utf8 {
            bytes += isEscaped(byte) ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
        }
        text += String(decoding: bytes, as: UTF8.self)
    }

    private static func plain(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                guard !isEscaped(byte) else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap({ digits.firstIndex(of: $0) }),
                let low = rest.next().flatMap({ digits.firstIndex(of: $0) })
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validUTF8: bytes)
    }
}
