// SPDX-License-Identifier: Apache-2.0

/// A web address that is safe to open: an allowed scheme, a host, and no user name.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host as a browser requests it. This is a name in lower-case ASCII (`xn--e1afmkfd.xn--p1ai`), an IPv4 address
    /// of four decimal numbers, or an IPv6 address in brackets. Compare this with a list of allowed hosts.
    public let host: String
    /// The port, if given.
    public let port: Int?
    /// The whole address with that host, in ASCII. Open this instead of the typed text.
    public let text: String
    /// The address, if the host is one.
    public let address: IPAddress?

    /// The address, safe to print and log.
    public var description: String { text }
}

/// The hosts to which an address may lead.
public enum HostScope: Sendable, Equatable {
    /// All hosts.
    case any
    /// Only hosts of the public Internet. Refused are addresses of this machine or of a private network, and names such
    /// as `localhost`, `printer.local` or one word.
    ///
    /// A public name may still resolve to a private address. Check the address of the connection
    /// with `IPAddress.isPublic`.
    case publicOnly
}

extension Rule where Value == WebAddress {
    /// A web address of at most 2048 bytes with one of `schemes`: only https by default.
    ///
    /// The host is read as in a browser: `https://192.0x00A80001` is 192.168.0.1, and fullwidth letters are letters.
    /// User names (`https://bank.example@evil.example`), backslashes, spaces, control characters and broken percent
    /// escapes are refused. With `needsDot` false, a host of one word is valid too.
    ///
    /// Trims. Errors: `.required`, `.webAddress`, `.scheme`, `.privateHost`.
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

/// The positions of the parts of a web address.
private struct WebAddressParts {
    let schemeEnd: Int
    let host: Range<Int>
    /// The port with its colon; empty if there is none.
    let port: Range<Int>

    init?(_ text: Span<UInt8>) {
        guard let colon = text.indices.first(where: { text[$0] == UInt8(ascii: ":") }), colon > 0,
            UTF8Text.isLetter(text[0]), text[0] < 0x80, colon + 3 < text.count,
            text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        let start = colon + 3
        let end = (start..<text.count).first { Self.endsHost(text[$0]) } ?? text.count
        // A host in brackets ends with the closing one; any other ends at the port's colon.
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

    /// Checks the text after the port. It contains no space, control character, backslash or other character outside
    /// RFC 3986. Every `%` precedes two hexadecimal digits.
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

    /// The text with percent escapes for all that is not ASCII.
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
