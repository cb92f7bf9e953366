// SPDX-License-Identifier: Apache-2.0

/// Untrusted text that the user reads: names of items and files, messages of other programs. All output to a terminal
/// follows this one rule.
extension Unicode.Scalar {
    /// Whether a terminal shows it as a character and does nothing else. Excluded are control characters, direction
    /// marks, invisible fillers, line breaks, and private or unassigned code points. Joiners and variation selectors
    /// are included: words and emoji of some scripts need them.
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
    /// The text with all characters escaped that are not printable. Untrusted text reaches a terminal only in
    /// this form.
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

    /// The same in quotation marks, of which the text can't close one: its own are escaped, and backslashes with them.
    /// For names in sentences that decide something, as of a prompt. `limit`: of more characters, the first are there,
    /// and `…`.
    package func quoted(limit: Int) -> String {
        var text = ""
        for scalar in unicodeScalars.prefix(limit) {
            text += scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar).printable
        }
        return "\"\(text)\(unicodeScalars.count > limit ? "…" : "")\""
    }

    /// The text as one word of a POSIX shell, for commands in messages. It is quoted unless no character is special.
    package var shellWord: String {
        let isBare = !isEmpty && utf8.allSatisfy { Self.bare.contains($0) }
        return isBare
            ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=".utf8)

    /// Two lowercase hexadecimal digits for each byte.
    package init(hexadecimal bytes: some Sequence<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        self.init(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes as printable text; bytes that are not UTF-8 appear as `\xNN`.
    package init(printing bytes: some Collection<UInt8>) {
        if let text = String(validUTF8: bytes) {
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
