// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with everything escaped that a terminal would obey: control characters, and the marks that change the
    /// direction of writing. What comes from outside reaches a terminal in this form only.
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
    fileprivate var isObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
