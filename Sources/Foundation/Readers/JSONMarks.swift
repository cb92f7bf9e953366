// SPDX-License-Identifier: Apache-2.0

/// JSON for `JSONSerialization`, which drops a mark of the byte order (U+FEFF) that a string begins with.
package enum JSONMarks {
    /// The text with such marks written as escapes; one before all of it says nothing, and goes.
    package static func escaped(_ text: String) -> [UInt8] {
        let mark: Unicode.Scalar = "\u{FEFF}"
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.drop(while: { $0 == mark }) {
            if scalar == mark { escaped += "\\ufeff".unicodeScalars } else { escaped.append(scalar) }
        }
        return Array(String(escaped).utf8)
    }
}
