// SPDX-License-Identifier: Apache-2.0

/// An e-mail address that has the form of one. Whether anyone reads it, only a message to it can tell.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// What stands before the `@`, as it was typed (its letters and marks composed, NFC).
    public let local: String
    /// The host after the `@` as mail servers and lists know it, in ASCII and lower case: `xn--e1afmkfd.xn--p1ai`.
    public let host: String
    /// The host as people read it: `пример.рф`.
    public let unicodeHost: String

    /// What may be printed and logged.
    public var description: String { "\(local)@\(host)" }
}

extension Rule where Value == EmailAddress {
    /// An e-mail address: at most 254 bytes, one `@`, a local part of at most 64 bytes in the dot-atom form of RFC 5322 with
    /// letters of any script (RFC 6531), a host name of any script (UTS #46) under a top level of two letters and more.
    /// Refused are quoted local parts and address literals, which no provider hands out, words that mix scripts or are made
    /// to look like Latin ones (`раураl.com`), and characters that can't be seen. With `needsDot` false, `root@localhost`
    /// passes too. Trims. Errors: `.required`, `.email`.
    public static func email(needsDot: Bool = true) -> Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 254,
                let at = utf8.indices.first(where: { utf8[$0] == UInt8(ascii: "@") }),
                let host = Host(utf8.extracting(at + 1..<utf8.count), needsDot: needsDot), isMailHost(host),
                let typedHost = UTF8Text.string(utf8.extracting(at + 1..<utf8.count)),
                typedHost.utf8.allSatisfy({ $0 < 0x80 }) || HiddenText(Array(typedHost.unicodeScalars)).first == nil,
                at + 1 + host.ascii.utf8.count <= 254,
                let local = localPart(utf8.extracting(0..<at))
            else { throw Reason(.email) }
            return EmailAddress(local: local, host: host.ascii, unicodeHost: host.unicode)
        }
    }

    private static func localPart(_ text: Span<UInt8>) -> String? {
        guard (1...64).contains(text.count), let typed = UTF8Text.string(text) else { return nil }
        let local = typed.utf8.count == typed.unicodeScalars.count ? Array(typed.unicodeScalars) : IDNA.composed(typed)
        let atoms = local.split(separator: ".", omittingEmptySubsequences: false)
        return atoms.allSatisfy { !$0.isEmpty && isAtom($0) } ? String(String.UnicodeScalarView(local)) : nil
    }

    /// Letters and digits of any script, in words that mix none, and signs of ASCII.
    private static func isAtom(_ atom: ArraySlice<Unicode.Scalar>) -> Bool {
        var words: [[Unicode.Scalar]] = [[]]
        for scalar in atom {
            if scalar.isASCII {
                guard scalar.value > 0x20, scalar.value < 0x7F, !"()<>[]:;@\\,\"".unicodeScalars.contains(scalar) else {
                    return false
                }
                guard UTF8Text.isLetter(UInt8(scalar.value)) || UTF8Text.isDigit(UInt8(scalar.value)) else {
                    words.append([])
                    continue
                }
            } else if !IDNA.isLetterOfName(scalar) {
                return false
            }
            words[words.count - 1].append(scalar)
        }
        return words.allSatisfy { word in
            word.allSatisfy(\.isASCII)
                || !(word.first.map(IDNA.isMark) ?? false) && IDNA.joinersAreInPlace(word)
                    && !Lookalikes.mixesScripts(word)
        }
    }

    private static func isMailHost(_ host: Host) -> Bool {
        guard host.address == nil, let last = host.ascii.split(separator: ".").last else { return false }
        let isTopLevel = last.utf8.count > 1 && (last.hasPrefix("xn--") || last.utf8.allSatisfy(UTF8Text.isLetter))
        return isTopLevel && !Lookalikes.deceive(host.labels)
    }
}
