// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

extension TextScan {
    private func isBoundary(_ at: Int) -> Bool {
        guard at >= 0, at < end else { return true }
        return !Byte.isWord(bytes[at])
    }

    /// Whether an issuer's token may begin at a place: not within a word, unless it begins before its prefix.
    func mayBegin(_ number: Int, _ at: Int) -> Bool {
        isBoundary(at - 1) || Issuer.all[number].beginsBefore || isBehindEscape(at)
    }

    /// Behind `\n` of a string in JSON a token may begin.
    private func isBehindEscape(_ at: Int) -> Bool {
        at >= 2 && bytes[at - 2] == 0x5C && [0x6E, 0x74, 0x72].contains(bytes[at - 1])
    }

    /// Looks at a token's prefix. Returns where the search goes on.
    mutating func token(_ issuer: Issuer, _ at: Int) -> Int {
        var prefix = 0
        for text in issuer.prefixes where text.utf8.count > prefix {
            if bytes.matches(exactly: text, at: at, end: end) { prefix = text.utf8.count }
        }
        guard prefix > 0 else { return at + 1 }
        var start = at
        if issuer.word == "telegram" {
            while start > 0, at - start < 11, Byte.isDigit(bytes[start - 1]) { start -= 1 }
            guard (8...10).contains(at - start) else { return at + 1 }
        } else if issuer.word == "terraform" {
            while start > 0, at - start < 15, Byte.isWord(bytes[start - 1]) { start -= 1 }
            guard at - start == 14 else { return at + 1 }
        }
        let isBot = issuer.word == "telegram" && bytes.matches(exactly: "bot", at: start - 3, end: end)
        guard isBoundary(start - 1) || isBehindEscape(start) || isBot else { return at + 1 }
        let body = at + prefix
        var high = body
        while high < end, high - body <= issuer.lengths.upperBound, issuer.alphabet.contains(bytes[high]) { high += 1 }
        // A mark of a sentence behind it.
        while high > body, [0x2E, 0x2D, 0x3A, 0x25].contains(bytes[high - 1]), high - body > issuer.lengths.lowerBound {
            high -= 1
        }
        guard issuer.lengths.contains(high - body),
            isBoundary(high) || !issuer.alphabet.contains(bytes[high]) && !Byte.isWord(bytes[high])
        else {
            return at + 1
        }
        guard isProven(issuer, at, body..<high), !SecretValue.isExample(Array(bytes[start..<high])) else {
            return high
        }
        if issuer.word == "aws-access-key" {
            secretKeyBeside(issuer, start..<high)
            return high
        }
        add(.token, "token/\(issuer.word)", issuer.name, start..<high, rotation: issuer.rotation, account: issuer.word)
        return high
    }

    private func isProven(_ issuer: Issuer, _ at: Int, _ body: Range<Int>) -> Bool {
        switch issuer.proof {
        case .checksum: return Checksum.isValid(bytes[body]) || Checksum.isValid(bytes[at..<body.upperBound])
        case .bech32: return Checksum.isBech32(bytes[at..<body.upperBound])
        case .macaroon:
            let decoded = ClearSecret.Form.base64URL(bytes[at + 5..<body.upperBound])
            return decoded.count > 30 && decoded[0] == 2 && decoded[1] == 1
        case .webToken: return WebToken.isOne(bytes[at..<body.upperBound])
        case .variety: return hasVariety(issuer, bytes[body]) && hasParts(issuer, bytes[body])
        }
    }

    private func hasVariety(_ issuer: Issuer, _ body: ArraySlice<UInt8>) -> Bool {
        let value = Array(body)
        guard Set(value).count >= min(8, value.count / 3 + 1), !SecretValue.isSequence(value) else { return false }
        switch issuer.alphabet {
        case .hexadecimal, .digits: return value.contains(where: Byte.isDigit) && SecretValue.bits(value) > 2.5
        case .upper: return SecretValue.bits(value) > 2.5
        default:
            let digits = value.count(where: Byte.isDigit)
            let isMixed = value.contains(where: Byte.isUpper) && value.contains(where: Byte.isLower)
            return (digits >= 2 || isMixed && digits >= 1 || isMixed && value.count >= 24)
                && SecretValue.bits(value) > 2.8
        }
    }

    private func isUUID(_ body: ArraySlice<UInt8>) -> Bool {
        body.count == 36 && body.enumerated().allSatisfy { [8, 13, 18, 23].contains($0) ? $1 == 0x2D : Byte.isHex($1) }
    }

    /// The parts that some forms have.
    private func hasParts(_ issuer: Issuer, _ body: ArraySlice<UInt8>) -> Bool {
        switch issuer.word {
        case "github-fine-grained": return body[body.startIndex + 22] == 0x5F
        case "sendgrid": return body[body.startIndex + 22] == 0x2E
        case "airtable": return body[body.startIndex + 14] == 0x2E
        case "slack": return body.contains(0x2D) || body.contains(where: Byte.isDigit)
        case "discord":
            let parts = body.split(separator: 0x2E, omittingEmptySubsequences: false)
            return parts.count == 3 && (14...24).contains(parts[0].count) && parts[1].count == 6 && parts[2].count >= 27
        case "launchdarkly", "axiom", "hubspot": return isUUID(body)
        case "resend": return body.contains(0x5F)
        default: return true
        }
    }

    /// The 40 characters of a secret key of AWS near an identifier; the identifier alone if there are none.
    private mutating func secretKeyBeside(_ issuer: Issuer, _ identifier: Range<Int>) {
        let near = max(0, identifier.lowerBound - 300)..<min(end, identifier.upperBound + 300)
        var at = near.lowerBound
        var isFound = false
        while at < near.upperBound {
            guard Issuer.Alphabet.base64.contains(bytes[at]), bytes[at] != 0x3D, bytes[at] != 0x2D, bytes[at] != 0x5F
            else {
                at += 1
                continue
            }
            var high = at
            while high < near.upperBound,
                Byte.isDigit(bytes[high]) || Byte.isLetter(bytes[high]) || bytes[high] == 0x2B || bytes[high] == 0x2F
            { high += 1 }
            if high - at == 40 {
                let value = Array(bytes[at..<high])
                let isOne =
                    value.contains(where: Byte.isDigit) && value.contains(where: Byte.isUpper)
                    && value.contains(where: Byte.isLower)
                    && SecretValue.bits(value) > 3.8
                if isOne, SecretValue.isExample(value) {
                    isFound = true
                } else if isOne {
                    isFound = true
                    add(
                        .token, "token/aws-secret-key", issuer.name, at..<high, rotation: issuer.rotation,
                        service: "aws", account: bytes.text(identifier))
                }
            }
            at = max(at + 1, high)
        }
        if !isFound, !isNamedID(identifier) {
            add(
                .token, "token/aws-access-key", issuer.name, identifier, rotation: issuer.rotation,
                account: "aws-access-key")
        }
    }

    /// Whether the name before the value ends in `id`: an identifier, whose secret is elsewhere.
    private func isNamedID(_ value: Range<Int>) -> Bool {
        let before = bytes.text(line(value.lowerBound).lowerBound..<value.lowerBound).lowercased()
        return before.contains("key_id") || before.contains("keyid") || before.contains("key-id")
            || before.contains("access_key") || before.contains("accesskey")
    }

    /// `scheme://user:password@host`.
    mutating func url(_ colon: Int) -> Int {
        listed(colon)
        // A long text without an `@` is looked through once, not for each `://` in it.
        guard colon + 256 > withoutAt else { return colon + 3 }
        var stop = colon + 3
        while stop < min(end, colon + 2048), bytes[stop] != 0x40, bytes[stop] > 0x20 { stop += 1 }
        guard stop < end, bytes[stop] == 0x40 else {
            withoutAt = stop
            return colon + 3
        }
        guard let parts = URLText.parts(bytes, colon: colon, in: max(0, colon - 32)..<min(end, colon + 2048)) else {
            soleUser(colon, stop)
            return colon + 3
        }
        var value = Array(bytes[parts.password])
        defer { value.wipe() }
        let user = bytes.text(parts.user).lowercased()
        let isEncoded = value.contains(0x25)
        if isEncoded { value = ClearSecret.Form.percent.decoded(value[...]) }
        guard value.count >= 3, !Placeholder.isOne(value), !SecretValue.isExample(value),
            kind != .keys || value.count >= 12
        else { return parts.host.upperBound }
        let text = String(decoding: value, as: UTF8.self)
        // Of manuals: hosts that are reserved for them, with a few letters; anonymous access of CVS.
        let host = bytes.text(parts.host)
        if value.count <= 6, ["example.com", "example.org", "example.net"].contains(where: host.contains) {
            return parts.host.upperBound
        }
        if parts.user.isEmpty, text.hasPrefix("pserver:") { return parts.host.upperBound }
        let isName =
            text.lowercased() == user || SecretName.judged(text) != nil || text.contains("{") && text.contains("}")
            || text.hasPrefix("$") && text.dropFirst().allSatisfy { $0.isLetter || $0 == "_" }
        if !isName, parts.host.count > 0, !isExampleLine(colon) {
            add(
                .url, "url/password", "a URL with a password", parts.password, isEncoded ? .percent : .plain,
                service: bytes.text(parts.host), account: bytes.text(parts.user))
        }
        return parts.host.upperBound
    }

    /// `Authorization: Basic ...`, `Authorization: Bearer ...`.
    mutating func header(_ at: Int) -> Int {
        var next = at + 13
        while next < end, next - at < 24,
            [0x22, 0x27, 0x5C, 0x20, 0x3A, 0x3D, 0x2C, 0x5D, 0x3E, 0x62, 0x66].contains(bytes[next])
        { next += 1 }
        for scheme in ["basic ", "bearer ", "token ", "apikey ", "key "] as [StaticString]
        where bytes.matches(scheme, at: next, end: end) {
            let range = bareWord(skipBlanks(next + scheme.utf8CodeUnitCount))
            let value = Array(bytes[range])
            guard !Placeholder.isOne(value), !SecretValue.isExample(value) else {
                return max(at + 13, range.upperBound)
            }
            if scheme.description == "basic " {
                guard let basic = ClearSecret.Form.userAndPassword(bytes[range]), !Placeholder.isOne(basic.password)
                else {
                    // As clients for files of requests take it: `Basic user:password`, or with a blank.
                    if let colon = bytes.first(0x3A, in: range), colon + 1 < range.upperBound,
                        SecretValue.isOne(
                            Array(bytes[colon + 1..<range.upperBound]), .password, isQuoted: true, .config)
                    {
                        add(
                            .url, "header/basic", "a header Authorization", colon + 1..<range.upperBound, service: "",
                            account: bytes.text(range.lowerBound..<colon))
                    }
                    return next
                }
                add(
                    .url, "header/basic", "a header Authorization", range, .basic, service: "",
                    account: String(decoding: basic.user, as: UTF8.self))
            } else if SecretValue.isOne(value, .token, isQuoted: true, kind) {
                add(
                    .assignment, "header/bearer", "a header Authorization", range, service: "", account: "Authorization"
                )
            }
            return max(at + 13, range.lowerBound)
        }
        return listedHeader(at + 13) ?? at + 13
    }

    /// `IDENTIFIED BY password` of Oracle.
    private func bareIdentification(_ at: Int) -> WrittenValue? {
        let range = bareWord(at)
        return SecretValue.isAlone(Array(bytes[range]), .loose) ? WrittenValue(range: range) : nil
    }

    /// `IDENTIFIED BY 'password'`.
    mutating func sql(_ at: Int) -> Int {
        var next = skipBlanks(at + 10)
        if bytes.matches("with", at: next, end: end) {
            next = skipBlanks(next + 4)
            next = skipBlanks(bareWord(next).upperBound)
        }
        guard bytes.matches("by", at: next, end: end) else { return at + 10 }
        next = skipBlanks(next + 2)
        if bytes.matches("password", at: next, end: end) { return at + 10 }
        guard next < end, bytes[next] != 0x60, let written = quoted(next) ?? bareIdentification(next) else {
            return at + 10
        }
        let value = written.form.decoded(bytes[written.range])
        if SecretValue.isOne(value, .password, isQuoted: true, .commands) {
            add(
                .assignment, "assignment/sql", "a statement of SQL", written.range, written.form, service: "",
                account: "IDENTIFIED BY")
        }
        return written.range.upperBound
    }
}

extension [UInt8] {
    func matches(exactly text: String, at index: Int, end: Int) -> Bool {
        guard index >= 0, text.utf8.count <= end - index else { return false }
        var at = index
        for byte in text.utf8 {
            guard self[at] == byte else { return false }
            at += 1
        }
        return true
    }
}
