// SPDX-License-Identifier: Apache-2.0

// Searching in texts. Foundation on Linux has these for all of Unicode, and brings 8 MB into a program that is linked
// statically; where a file imports this module, its calls are these (Decision 0073).

extension RandomAccessCollection<UInt8> {
    /// The first place of `bytes`; nil: they are not there, or empty.
    package func place(of bytes: some Collection<UInt8>) -> Range<Index>? {
        guard let first = bytes.first else { return nil }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            guard rest.count >= bytes.count else { return nil }
            if rest.starts(with: bytes) { return start..<index(start, offsetBy: bytes.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension StringProtocol {
    /// The last place of `text`; nil: it is not there, or empty.
    package func lastPlace(of text: String) -> Range<Index>? {
        guard !text.isEmpty else { return nil }
        var start = endIndex
        while start > startIndex {
            start = unicodeScalars.index(before: start)
            if let end = end(of: text, at: start) { return start..<end }
        }
        return nil
    }

    /// Whether `text` is in it, in upper or lower case. An empty text is in none.
    package func containsIgnoringCase(_ text: String) -> Bool { lowercased().scalarRange(of: text.lowercased()) != nil }

    /// The first place of `text` after `start` that no combining mark follows; nil: it is not there, or empty.
    fileprivate func scalarRange(of text: String, from start: Index? = nil) -> Range<Index>? {
        guard let first = text.utf8.first else { return nil }
        var start = start ?? startIndex
        // A letter with its mark has two forms, which are equal as characters.
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            while start < endIndex, !self[start...].starts(with: text) { start = index(after: start) }
            return start < endIndex ? start..<index(start, offsetBy: text.count) : nil
        }
        while let found = utf8[start...].firstIndex(of: first) {
            if let end = end(of: text, at: found) { return found..<end }
            start = utf8.index(after: found)
        }
        return nil
    }

    /// Where `text` ends that begins at `start`; nil: another text is there.
    private func end(of text: String, at start: Index) -> Index? {
        var end = start
        for byte in text.utf8 {
            guard end < endIndex, utf8[end] == byte else { return nil }
            end = utf8.index(after: end)
        }
        // A combining mark makes another letter of the last one.
        guard end < endIndex, utf8[end] >= 0x80 else { return end }
        return unicodeScalars[end].properties.canonicalCombiningClass == .notReordered ? end : nil
    }

    fileprivate func parts(between separator: String) -> [SubSequence] {
        var parts: [SubSequence] = []
        var start = startIndex
        while let found = scalarRange(of: separator, from: start) {
            parts.append(self[start..<found.lowerBound])
            start = found.upperBound
        }
        return parts + [self[start...]]
    }

    fileprivate func trimmed(of characters: TrimmedCharacters) -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !characters.contain($0) }),
            let last = scalars.lastIndex(where: { !characters.contain($0) })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }

    /// Nil: a percent sign is not before two hexadecimal digits, or the bytes are no UTF-8.
    fileprivate var withoutPercents: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validUTF8: bytes)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// What is removed from both ends of a text.
package enum TrimmedCharacters {
    case whitespaces, newlines, whitespacesAndNewlines

    fileprivate func contain(_ scalar: Unicode.Scalar) -> Bool {
        let isNewline = (0xA...0xD).contains(scalar.value) || [0x85, 0x2028, 0x2029].contains(scalar.value)
        let isSpace = scalar == "\t" || scalar == "\u{200B}" || scalar.properties.generalCategory == .spaceSeparator
        return switch self {
        case .whitespaces: isSpace
        case .newlines: isNewline
        case .whitespacesAndNewlines: isSpace || isNewline
        }
    }
}

#if !canImport(Darwin)
// By the names of Foundation, for both kinds of text: a call prefers them to those of all kinds.

extension String {
    package func range(of text: String) -> Range<Index>? { scalarRange(of: text) }
    package func contains(_ text: String) -> Bool { scalarRange(of: text) != nil }
    package func components(separatedBy separator: String) -> [String] { parts(between: separator).map(String.init) }
    package func replacingOccurrences(of text: String, with other: String) -> String {
        parts(between: text).joined(separator: other)
    }
    package func trimmingCharacters(in characters: TrimmedCharacters) -> String { trimmed(of: characters) }
    package var removingPercentEncoding: String? { withoutPercents }
}

extension Substring {
    package func range(of text: String) -> Range<Index>? { scalarRange(of: text) }
    package func contains(_ text: String) -> Bool { scalarRange(of: text) != nil }
    package func components(separatedBy separator: String) -> [String] { parts(between: separator).map(String.init) }
    package func replacingOccurrences(of text: String, with other: String) -> String {
        parts(between: text).joined(separator: other)
    }
    package func trimmingCharacters(in characters: TrimmedCharacters) -> String { trimmed(of: characters) }
    package var removingPercentEncoding: String? { withoutPercents }
}
#endif
