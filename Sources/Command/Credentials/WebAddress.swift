// SPDX-License-Identifier: Apache-2.0

import Readers

/// A web address in a text of another program, if it has only one reading. Programs differ in where they end the host
/// of `https://a.example/@b.example`, `https://a.example\@b.example` or `https://a@b@c.example`.
/// A text that any of them could read differently is no address here, and gets no secret.
///
/// `SCHEME://[USER@]HOST[:PORT][/PATH]` in printable ASCII:
/// - The scheme is in lower case. There is no query and no fragment.
/// - In the user, exactly the characters that need it are percent-encoded. `@` is the only delimiter among them.
/// - The host consists of letters, digits, hyphens, underscores and dots, or is an address in brackets.
/// - The port has no leading zeros. There is no `@` after the host.
struct WebAddress {
    let scheme: String
    /// The user, decoded.
    let user: String?
    let host: String
    let port: UInt16?

    /// Nil: it is no address, or has more than one reading.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !"\\\"'`<>{}|^?#".utf8.contains($0) }),
            let mark = text.firstRange(of: "://")
        else { return nil }
        scheme = String(text[..<mark.lowerBound])
        guard scheme.utf8.first.map(Self.isSmallLetter) == true, scheme.utf8.allSatisfy(Self.isOfScheme) else {
            return nil
        }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        guard !path.contains("@"), Self.decoded(path).map({ !$0.contains(where: Self.isDelimiter) }) == true else {
            return nil
        }
        let parts = authority.split(separator: "@", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count < 3, let place = parts.last else { return nil }
        if parts.count == 2 {
            guard let user = Self.user(parts[0]) else { return nil }
            self.user = user
        } else {
            user = nil
        }
        guard let (host, port) = Self.place(place) else { return nil }
        (self.host, self.port) = (host, port)
    }

    /// Parses `HOST[:PORT]`, which git also passes on a line of its own. Nil: it is neither, or has more
    /// than one reading.
    static func place(_ text: some StringProtocol) -> (host: String, port: UInt16?)? {
        let isBracketed = text.hasPrefix("[")
        let colon = isBracketed ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        let host = text[..<(colon ?? text.endIndex)]
        guard isBracketed ? colon != nil && isAddress(host.dropFirst().dropLast()) : isHost(host) else { return nil }
        guard let colon, colon < text.endIndex else { return (String(host), nil) }
        let digits = text[colon...].dropFirst()
        guard text[colon] == ":", let port = UInt16(digits), port > 0, String(port).utf8.elementsEqual(digits.utf8)
        else {
            return nil
        }
        return (String(host), port)
    }

    /// Whether it is a host name or an IPv4 address. No label is empty, so there is no trailing dot.
    static func isHost(_ text: some StringProtocol) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.first != UInt8(ascii: "-")
                && label.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
        } && text.utf8.count <= 253
    }

    private static func isAddress(_ text: some StringProtocol) -> Bool {
        text.utf8.count >= 2
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: ":"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Decodes the user. Nil: a character is encoded needlessly, or one is a delimiter other than the `@` of
    /// a mail address.
    private static func user(_ text: Substring) -> String? {
        guard !text.isEmpty, text.utf8.allSatisfy({ isWord($0) || "-.~%+".utf8.contains($0) }) else { return nil }
        guard let bytes = decoded(text), !bytes.contains(where: { isDelimiter($0) && $0 != UInt8(ascii: "@") }) else {
            return nil
        }
        return String(validUTF8: bytes)
    }

    /// Decodes percent-encoding. Nil: a percent sign lacks its two digits, or encodes a character that
    /// needs no encoding.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                !isWord(value), !"-.~".utf8.contains(value), value >= 0x20, value != 0x7F
            else { return nil }
            rest = rest.dropFirst(2)
            // Programs differ in whether an encoded slash divides a path.
            guard value != UInt8(ascii: "/") else { return nil }
            bytes.append(value)
        }
        return bytes
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool { "\\@?#[]:".utf8.contains(byte) }
    private static func isSmallLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        isSmallLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
