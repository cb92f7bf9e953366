// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text on one line, with what a terminal would obey or not show escaped: names of files and lines of sources come from outside.
    package var printable: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\t": result += "    "
            case let scalar where scalar.isShown: result.unicodeScalars.append(scalar)
            default: result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }

    /// Cut to this many characters, with a mark where something is left out.
    package func cut(_ count: Int) -> String {
        // Not by its count: it may be a file of megabytes on one line.
        guard let end = index(startIndex, offsetBy: count, limitedBy: endIndex), end < endIndex else { return self }
        return prefix(count - 1) + "…"
    }
}

extension String {
    /// JSON in which what a terminal would obey, or an editor not show, is escaped: U+009B, U+202E, U+2028.
    var escapedForJSON: String {
        guard unicodeScalars.contains(where: { !$0.isASCII && !$0.isShown }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isASCII || scalar.isShown {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            value == 0x200C || value == 0x200D
        default: !properties.isDefaultIgnorableCodePoint || (0xFE00...0xFE0F).contains(value)
        }
    }
}
