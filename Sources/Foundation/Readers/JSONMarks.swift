// SPDX-License-Identifier: Apache-2.0

/// JSON for `JSONSerialization`, which drops a byte order mark (U+FEFF) at the beginning of a string.
package enum JSONMarks {
    /// The text with such marks as escapes. One at the beginning of the text has no meaning, and is removed.
    package static func escaped(_ text: String) -> [UInt8] {
        let mark: Unicode.Scalar = "\u{FEFF}"
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.drop(while: { $0 == mark }) {
            if scalar == mark { escaped += "\\ufeff".unicodeScalars } else { escaped.append(scalar) }
        }
        return Array(String(escaped).utf8)
    }
}
