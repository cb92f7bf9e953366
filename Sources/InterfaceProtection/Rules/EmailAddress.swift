// SPDX-License-Identifier: Apache-2.0

/// An e-mail address that has the form of one. Whether anyone reads it, only a message to it can tell.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// What stands before the `@`, as it was typed.
    public let local: String
    /// The host after the `@`, ASCII letters in lower case.
    public let host: String

    /// What may be printed and logged.
    public var description: String { "\(local)@\(host)" }
}

extension Rule where Value == EmailAddress {
    /// An e-mail address: at most 254 bytes, one `@`, a local part of at most 64 bytes in the dot-atom form of RFC 5322 with
    /// letters of any script (RFC 6531), a host name. Quoted local parts and address literals, which no provider hands
    /// out, are refused; every top-level domain passes. With `needsDot` false, `root@localhost` passes too.
    /// Errors: `.required`, `.email`.
    public static func email(needsDot: Bool = true) -> Rule {
        Rule { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 254,
                let at = utf8.indices.first(where: { utf8[$0] == UInt8(ascii: "@") }),
                isLocalPart(utf8.extracting(0..<at)),
                Host.isName(utf8.extracting(at + 1..<utf8.count), needsDot: needsDot),
                let local = UTF8Text.string(utf8.extracting(0..<at)),
                let host = UTF8Text.string(utf8.extracting(at + 1..<utf8.count))
            else { throw Reason(.email) }
            return EmailAddress(local: local, host: host.lowercased())
        }
    }

    private static func isLocalPart(_ text: Span<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        guard (1...64).contains(text.count), text[0] != dot, text[text.count - 1] != dot else { return false }
        for index in 1..<text.count where text[index] == dot && text[index - 1] == dot { return false }
        return UTF8Text.allSatisfy(text) { scalar in
            guard scalar.isASCII else {
                return !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                    && scalar.properties.generalCategory != .control
            }
            return scalar.value > 0x20 && scalar.value < 0x7F && !"()<>[]:;@\\,\"".unicodeScalars.contains(scalar)
        }
    }
}
