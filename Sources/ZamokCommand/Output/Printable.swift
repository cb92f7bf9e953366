// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with everything escaped that a terminal would obey or hide: control characters, marks that change the
    /// direction of writing or show nothing. What comes from outside reaches a terminal in this form only.
    var printable: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
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
