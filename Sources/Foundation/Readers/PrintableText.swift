// SPDX-License-Identifier: Apache-2.0

/// Text from outside, where people read it: names of items and files, messages of other programs. One rule for every border to a terminal.
extension Unicode.Scalar {
    /// Whether a terminal shows it as a character and does nothing else: not what it obeys (control characters), what reverses the text or shows nothing
    /// (marks of direction, fillers), what breaks lines, and what has no meaning that everybody knows. Joiners and variation selectors belong to words and
    /// emoji of some scripts.
    package var isPrintable: Bool {
        switch value {
        case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300, 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }
}

extension String {
    /// The text with everything that is not printable escaped. Text from outside reaches a terminal in this form only.
    package var printable: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let scalar where !scalar.isPrintable: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text as one word of a POSIX shell, for commands in messages: quoted unless every character stands for itself.
    package var shellWord: String {
        let isBare = !isEmpty && utf8.allSatisfy { Self.bare.contains($0) }
        return isBare
            ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=".utf8)

    /// Two lower-case digits for each byte.
    package init(hexadecimal bytes: some Sequence<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        self.init(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes as text of this form; bytes that are not UTF-8 as `\xNN`.
    package init(printing bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text.printable
        } else {
            self = bytes.reduce(into: "") { text, byte in
                if (0x20..<0x7F).contains(byte) {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    text += "\\x" + String(hexadecimal: CollectionOfOne(byte))
                }
            }
        }
    }
}
