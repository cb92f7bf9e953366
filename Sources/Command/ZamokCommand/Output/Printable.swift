// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with everything escaped that a terminal would obey or hide: control characters, marks that change the
    /// direction of writing or show nothing. What comes from outside reaches a terminal in this form only.
    var printable: String {
        guard utf8.contains(where: { !(0x20..<0x7F).contains($0) }), unicodeScalars.contains(where: \.isObeyed) else {
            return self
        }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let scalar where scalar.isObeyed: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal steers by it or shows nothing of it. The joiners (U+200C, U+200D) belong to words of some scripts.
    var isObeyed: Bool {
        switch value {
        case 0x20..<0x7F, 0x200C, 0x200D: return false
        default:
            return [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
        }
    }
}

extension String {
    /// Broken at spaces into lines of at most `width` where that is possible, all but the first behind `indent` spaces.
    /// Without a width the text stays one line.
    func wrapped(to width: Int?, indent: Int) -> String {
        guard let width, count > width else { return self }
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0, line.count + 1 + word.count > width, line.contains(where: { $0 != " " }) {
                lines.append(line)
                line = margin + word
            } else {
                line += (index > 0 ? " " : "") + word
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
