// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with every character escaped that could move the cursor, change colours or reverse the reading order:
    /// names in profiles come from outside.
    var printable: String {
        guard unicodeScalars.contains(where: Self.isUnsafe) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if Self.isUnsafe(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: true
        default: false
        }
    }
}
