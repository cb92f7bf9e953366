// SPDX-License-Identifier: Apache-2.0

/// A web address that may be opened: of an allowed scheme, with a host, without a user's name.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host: a name in lower case, an IPv4 address, or an IPv6 address in brackets.
    public let host: String
    /// The port, if one was given.
    public let port: Int?
    /// All of it, as it was typed.
    public let text: String

    /// What may be printed and logged.
    public var description: String { text }
}

extension Rule where Value == WebAddress {
    /// A web address of at most 2048 bytes, of one of `schemes`: https alone unless told otherwise. Refused are user names
    /// (`https://bank.example@evil.example`), backslashes, spaces, control characters, and broken percent escapes.
    /// With `needsDot` false, a host of one word passes too. Errors: `.required`, `.webAddress`, `.scheme`.
    public static func webAddress(schemes: [String] = ["https"], needsDot: Bool = true) -> Rule {
        Rule { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 2048, let parts = WebAddressParts(utf8), WebAddressParts.isClean(utf8),
                let scheme = UTF8Text.string(utf8.extracting(0..<parts.schemeEnd))?.lowercased()
            else { throw Reason(.webAddress) }
            guard schemes.contains(scheme) else { throw Reason(.scheme) }
            guard WebAddressParts.isHost(utf8.extracting(parts.host), needsDot: needsDot),
                let host = UTF8Text.string(utf8.extracting(parts.host)),
                let text = UTF8Text.string(utf8)
            else { throw Reason(.webAddress) }
            let port = try WebAddressParts.port(utf8.extracting(parts.port))
            return WebAddress(scheme: scheme, host: host.lowercased(), port: port, text: text)
        }
    }
}

/// Where the pieces of a web address stand.
private struct WebAddressParts {
    let schemeEnd: Int
    let host: Range<Int>
    /// With its colon; empty if there is none.
    let port: Range<Int>

    init?(_ text: Span<UInt8>) {
        guard let colon = text.indices.first(where: { text[$0] == UInt8(ascii: ":") }), colon > 0,
            UTF8Text.isLetter(text[0]), text[0] < 0x80, colon + 3 < text.count,
            text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        let start = colon + 3
        let end = (start..<text.count).first { "/?#".utf8.contains(text[$0]) } ?? text.count
        // After a bracket the host ends with the other one, else with the port's colon.
        var hostEnd = (start..<end).first { text[$0] == UInt8(ascii: ":") } ?? end
        if start < end, text[start] == UInt8(ascii: "[") {
            guard let bracket = (start..<end).first(where: { text[$0] == UInt8(ascii: "]") }) else { return nil }
            hostEnd = bracket + 1
        }
        schemeEnd = colon
        host = start..<hostEnd
        port = hostEnd..<end
    }

    /// No space, control character or backslash, no character that RFC 3986 has no place for, and `%` only before two digits.
    static func isClean(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] == UInt8(ascii: "%") {
            guard index + 2 < text.count, Host.isHexDigit(text[index + 1]), Host.isHexDigit(text[index + 2]) else {
                return false
            }
        }
        return UTF8Text.allSatisfy(text) { scalar in
            scalar.isASCII
                ? scalar.value > 0x20 && scalar.value < 0x7F && !"\\\"<>^`{|}".unicodeScalars.contains(scalar)
                : !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                    && scalar.properties.generalCategory != .control
        }
    }

    static func isHost(_ text: Span<UInt8>, needsDot: Bool) -> Bool {
        guard !text.isEmpty else { return false }
        if text[0] == UInt8(ascii: "[") { return Host.isIPv6(text.extracting(1..<text.count - 1)) }
        return Host.isIPv4(text) || Host.isName(text, needsDot: needsDot)
    }

    /// The port of ":8443", nil for an empty text. Errors: `.webAddress`.
    static func port(_ text: Span<UInt8>) throws(Reason) -> Int? {
        guard !text.isEmpty else { return nil }
        guard (2...6).contains(text.count), text[0] == UInt8(ascii: ":") else { throw Reason(.webAddress) }
        var number = 0
        for index in 1..<text.count {
            guard UTF8Text.isDigit(text[index]) else { throw Reason(.webAddress) }
            number = number * 10 + Int(text[index]) - 48
        }
        guard (1...65_535).contains(number) else { throw Reason(.webAddress) }
        return number
    }
}
