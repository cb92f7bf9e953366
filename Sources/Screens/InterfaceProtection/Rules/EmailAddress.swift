// SPDX-License-Identifier: Apache-2.0

/// A well-formed e-mail address. Only a message to it shows whether it is in use.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// The part before the `@`, as typed (its letters and marks composed, NFC).
    public let local: String
    /// The host after the `@` as mail servers and lists know it, in lower-case ASCII: `xn--e1afmkfd.xn--p1ai`.
    public let host: String
    /// The host as people read it: `пример.рф`.
    public let unicodeHost: String

    /// The address, safe to print and log.
    public var description: String { "\(local)@\(host)" }
}

extension Rule where Value == EmailAddress {
    /// An e-mail address of at most 254 bytes, with one `@`:
    ///
    /// - The local part has at most 64 bytes, in the dot-atom form of RFC 5322 with letters of any script (RFC 6531).
    /// - The host is a name of any script by UTS #46, limited to IDNA 2008, so without symbols. Its top level has at
    ///   least two letters.
    ///
    /// Quoted local parts and address literals are refused: no provider assigns them. So are words that mix scripts or
    /// imitate Latin ones (`раураl.com`), and invisible characters. With `needsDot` false, `root@localhost` is
    /// valid too.
    ///
    /// Trims. Errors: `.required`, `.email`.
    public static func email(needsDot: Bool = true) -> Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 254, let at = utf8.indices.first(where: { utf8[$0] == UInt8(ascii: "@") }) else {
                throw Reason(.email)
            }
            let typedHost = utf8.extracting(at + 1..<utf8.count)
            guard !hidesCharacters(typedHost), let host = Host(typedHost, needsDot: needsDot), isMailHost(host),
                at + 1 + host.ascii.utf8.count <= 254, let local = localPart(utf8.extracting(0..<at))
            else { throw Reason(.email) }
            return EmailAddress(local: local, host: host.ascii, unicodeHost: host.unicode)
        }
    }

    private static func hidesCharacters(_ text: Span<UInt8>) -> Bool {
        guard text.indices.contains(where: { text[$0] >= 0x80 }) else { return false }
        guard let scalars = UTF8Text.scalars(of: text) else { return true }
        return !scalars.allSatisfy { $0.isASCII || IDNA.isPlainLetter($0) } && HiddenText(scalars).first != nil
    }

    private static func localPart(_ text: Span<UInt8>) -> String? {
        guard (1...64).contains(text.count), var local = UTF8Text.scalars(of: text) else { return nil }
        if local.count < text.count { local = IDNA.composed(local) }
        var start = 0
        for index in 0...local.count where index == local.count || local[index] == "." {
            guard start < index, isAtom(local[start..<index]) else { return nil }
            start = index + 1
        }
        return UTF8Text.string(of: local)
    }

    /// Letters and digits of any script, in words that don't mix scripts, and ASCII signs.
    private static func isAtom(_ atom: ArraySlice<Unicode.Scalar>) -> Bool {
        var start = atom.startIndex
        for index in atom.indices {
            let scalar = atom[index]
            guard scalar.isASCII else {
                guard IDNA.isLetterOfName(scalar) else { return false }
                continue
            }
            let byte = UInt8(scalar.value)
            if UTF8Text.isLetter(byte) || UTF8Text.isDigit(byte) { continue }
            guard isSign(byte), isWord(atom[start..<index]) else { return false }
            start = index + 1
        }
        return isWord(atom[start...])
    }

    /// The signs that an atom may have (RFC 5322, 3.2.3).
    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "?"),
            UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "{")...UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func isWord(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = word.first, !word.allSatisfy(\.isASCII) else { return true }
        return !IDNA.isMark(first) && IDNA.joinersAreInPlace(word) && !Lookalikes.mixesScripts(word)
    }

    private static func isMailHost(_ host: Host) -> Bool {
        guard host.address == nil, let last = host.labels.last, last.ascii.count > 1,
            !last.isASCII || last.ascii.allSatisfy(UTF8Text.isLetter)
        else { return false }
        return host.labels.allSatisfy { IDNA.isOfDomain($0.decoded) } && !Lookalikes.deceive(host.labels)
    }
}
