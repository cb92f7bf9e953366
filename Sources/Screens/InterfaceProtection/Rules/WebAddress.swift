// SPDX-License-Identifier: Apache-2.0

/// A web address that may be opened: of an allowed scheme, with a host, without a user's name.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host as a browser asks for it: a name in ASCII and lower case (`xn--e1afmkfd.xn--p1ai`), an IPv4 address of four
    /// decimal numbers, or an IPv6 address in brackets. Compare this with a list of allowed hosts.
    public let host: String
    /// The port, if one was given.
    public let port: Int?
    /// All of it with that host, in ASCII: open this, not what was typed.
    public let text: String
    /// The address, if the host is one.
    public let address: IPAddress?

    /// What may be printed and logged.
    public var description: String { text }
}

/// Which hosts an address may lead to.
public enum HostScope: Sendable, Equatable {
    /// All.
    case any
    /// Only those of the public Internet: no address of this machine or of a private network, no name such as `localhost`,
    /// `printer.local` or of one word. A public name may still lead to a private address: ask `IPAddress.isPublic` of the
    /// address that is connected to.
    case publicOnly
}

extension Rule where Value == WebAddress {
    /// A web address of at most 2048 bytes, of one of `schemes`: only https by default. The host is read as a
    /// browser reads it: `https://192.0x00A80001` is 192.168.0.1, fullwidth letters are letters. Refused are user names
    /// (`https://bank.example@evil.example`), backslashes, spaces, control characters, and broken percent escapes.
    /// With `needsDot` false, a host of one word passes too. Trims. Errors: `.required`, `.webAddress`, `.scheme`, `.privateHost`.
    public static func webAddress(
        schemes: [String] = ["https"], needsDot: Bool = true, hosts: HostScope = .any
    ) -> Rule {
        let allowed = schemes.map { $0.lowercased() }
        let wrongScheme = Reason(.scheme, details: allowed.map { $0 + "://" })
        return Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 2048, let parts = WebAddressParts(utf8),
                WebAddressParts.isClean(utf8.extracting(parts.port.upperBound..<utf8.count))
            else { throw Reason(.webAddress) }
            let scheme = String(
                decoding: (0..<parts.schemeEnd).map { UTF8Text.lowercased(utf8[$0]) }, as: UTF8.self)
            guard allowed.contains(scheme) else { throw wrongScheme }
            guard let host = Host(utf8.extracting(parts.host), needsDot: needsDot) else { throw Reason(.webAddress) }
            guard hosts == .any || host.isPublic else { throw Reason(.privateHost) }
            let port = try WebAddressParts.port(utf8.extracting(parts.port))
            let rest = WebAddressParts.escaped(utf8.extracting(parts.port.upperBound..<utf8.count))
            let text = "\(scheme)://\(host.ascii)" + (port.map { ":\($0)" } ?? "") + rest
            return WebAddress(scheme: scheme, host: host.ascii, port: port, text: text, address: host.address)
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
        let end = (start..<text.count).first { Self.endsHost(text[$0]) } ?? text.count
        // After an opening bracket the host ends with the closing one, otherwise with the port's colon.
        var hostEnd = (start..<end).first { text[$0] == UInt8(ascii: ":") } ?? end
        if start < end, text[start] == UInt8(ascii: "[") {
            guard let bracket = (start..<end).first(where: { text[$0] == UInt8(ascii: "]") }) else { return nil }
            hostEnd = bracket + 1
        }
        schemeEnd = colon
        host = start..<hostEnd
        port = hostEnd..<end
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// What follows the port: no space, control character or backslash, no character that RFC 3986 has no place for, and `%` only before two digits.
    static func isClean(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] == UInt8(ascii: "%") {
            guard index + 2 < text.count, Host.isHexDigit(text[index + 1]), Host.isHexDigit(text[index + 2]) else {
                return false
            }
        }
        return UTF8Text.allSatisfy(text) { scalar in
            scalar.isASCII
                ? isOfAddress(scalar)
                : !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                    && scalar.properties.generalCategory != .control
        }
    }

    private static func isOfAddress(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\\", "\"", "<", ">", "^", "`", "{", "|", "}": false
        default: scalar.value > 0x20 && scalar.value < 0x7F
        }
    }

    /// With percent escapes in place of what is not ASCII.
    static func escaped(_ text: Span<UInt8>) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.count)
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }
        for index in text.indices {
            let byte = text[index]
            guard byte >= 0x80 else {
                escaped.append(byte)
                continue
            }
            escaped.append(UInt8(ascii: "%"))
            escaped.append(digit(byte >> 4))
            escaped.append(digit(byte & 15))
        }
        return String(decoding: escaped, as: UTF8.self)
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
