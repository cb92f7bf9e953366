// SPDX-License-Identifier: Apache-2.0

import Readers

/// JSON Web Tokens (RFC 7519) in their compact form (RFC 7515, section 7.1).
enum WebToken {
    /// Whether a text is a signed one that isn't public by what it says.
    static func isOne(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, parts[2].count >= 20 else { return false }
        let header = String(decoding: ClearSecret.Form.base64URL(parts[0]), as: UTF8.self)
        guard header.hasPrefix("{"), header.hasSuffix("}"), header.contains("\"alg\""),
            !header.lowercased().contains("\"none\"")
        else { return false }
        if parts.count == 5 { return true }
        let claims = String(decoding: ClearSecret.Form.base64URL(parts[1]), as: UTF8.self)
        guard claims.hasPrefix("{") else { return false }
        // The example of jwt.io, and keys that are for browsers.
        if claims.contains("\"1234567890\"") || claims.contains("\"John Doe\"") { return false }
        let plain = claims.filter { $0 != " " }
        return !plain.contains("\"role\":\"anon\"") && !plain.contains("\"iss\":\"joe\"")
    }
}

extension ClearSecret.Form {
    /// Base64 with the alphabet of URLs (RFC 4648, section 5).
    static func base64URL(_ text: ArraySlice<UInt8>) -> [UInt8] {
        Base64Reader.decode(text.lazy.map { $0 == 0x2D ? UInt8(ascii: "+") : $0 == 0x5F ? UInt8(ascii: "/") : $0 })
    }
}
