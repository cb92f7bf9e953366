// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Secrets that no name is directly beside.
extension TextScan {
    /// What an anchor of these is part of.
    enum Other: Sendable, Equatable {
        /// `account / password`.
        case pair
        /// The name of a map or a list of secrets.
        case block
        /// A part of a path behind which a secret is.
        case hook
        /// A part of a path before which a secret is.
        case announced
        /// `Basic `, with Base64 or with what makes it.
        case basic
        /// A function that makes Base64.
        case encoded
        /// The last word of a command of IRC.
        case identified
        /// An option for a user and a password, in a list of arguments.
        case userOption
        /// A private key as JSON (RFC 7517).
        case webKey
        /// The columns of a table of SQL.
        case columns
        /// A server that takes its token as the user.
        case tokenUser
        /// A code of a lock.
        case code
        /// A connection of Oracle's clients.
        case oracle
        /// The signature of a URL.
        case signature
    }

    /// The pieces; those with a mark regard upper and lower case.
    static let others: [(text: String, isExact: Bool, other: Other)] = words + pairs

    private static let words: [(text: String, isExact: Bool, other: Other)] = [
        ("keys\"", false, .block), ("keys'", false, .block), ("keys =", false, .block), ("keys:", false, .block),
        ("users\"", false, .block), ("users =", false, .block), ("users:", false, .block),
        ("users'", false, .block),
        ("accounts\"", false, .block), ("accounts =", false, .block),
        ("accounts:", false, .block),
        ("logins", false, .block),
        ("hook/", false, .hook), ("hooks/", false, .hook), ("hookb2/", false, .hook), ("/private-", true, .hook),
        ("/announce", true, .announced),
        ("Basic ", true, .basic), ("btoa(", true, .encoded), ("b64encode(", true, .encoded),
        ("base64_encode(", true, .encoded), ("encode64(", true, .encoded),
        ("identify ", false, .identified), ("JOIN #", false, .identified), ("JOIN &", false, .identified),
        (">-u</string>", true, .userOption), ("\"-u\",", true, .userOption), ("'-u',", true, .userOption),
        ("\"--user\",", true, .userOption), ("'--user',", true, .userOption),
        ("\"d\":", true, .webKey), ("\"k\":", true, .webKey), ("create table", false, .columns),
        ("postmarkapp.com", true, .tokenUser), ("CONNECT ", true, .oracle), ("connect ", true, .oracle),
        ("CONN ", true, .oracle), ("&sig=", true, .signature), ("?sig=", true, .signature),
        ("code ", false, .code), ("code:", false, .code), ("kode", false, .code), ("kod ", false, .code),
        ("kod:", false, .code), ("codice", false, .code), ("código", false, .code), ("codigo", false, .code),
        ("код ", false, .code), ("код:", false, .code), ("コード", false, .code), ("домофон", false, .code),
        ("alarm: ", false, .code),
    ]

    /// A blank, a slash, a blank, and the beginning of a word.
    private static let pairs: [(text: String, isExact: Bool, other: Other)] = (UInt8(0x21)..<0x7F).map {
        (" / " + String(UnicodeScalar($0)), true, .pair)
    }

    /// Looks at one. Returns where the search goes on.
    mutating func other(_ other: Other, _ at: Int) -> Int {
        switch other {
        case .pair: pair(at)
        case .block: block(at)
        case .hook: hook(at)
        case .announced: announced(at)
        case .basic: basic(at)
        case .encoded: kind == .source || kind == .script ? encoded(at) : at + 1
        case .identified: identified(at)
        case .userOption: userOption(at)
        case .webKey: webKey(at)
        case .columns: kind == .keys ? at + 1 : columns(at)
        case .tokenUser: kind == .keys ? at + 1 : tokenUser(at)
        case .code: code(at)
        case .oracle: kind == .source || kind == .script || kind == .prose ? oracle(at) : at + 1
        case .signature: signature(at)
        }
    }

    /// `/hooks/SECRET`: the parts behind it, from the first that chance made.
    private mutating func hook(_ at: Int) -> Int {
        guard let slash = bytes[at + 1..<min(end, at + 10)].firstIndex(where: { $0 == 0x2F || $0 == 0x2D }) else {
            return at + 1
        }
        var (low, first) = (slash + 1, -1)
        var high = low
        while high < end, high - slash < 512 {
            let byte = bytes[high]
            let isEnd = byte <= 0x20 || "\"'<>`)\\,;|]}?&#".utf8.contains(byte)
            if isEnd || byte == 0x2F {
                if first < 0, SecretValue.isRandomPart(Array(bytes[low..<high])) { first = low }
                low = high + 1
            }
            if isEnd { break }
            high += 1
        }
        guard first >= 0, first < high, !isExampleLine(at), !isInExample(at) else { return at + 1 }
        add(.assignment, "url/path", "a secret in the path of a URL", first..<high, service: "", account: "URL")
        return high
    }

    /// `/SECRET/announce`.
    private mutating func announced(_ at: Int) -> Int {
        var low = at
        while low > 0, at - low < 128, Byte.isWord(bytes[low - 1]) { low -= 1 }
        guard low > 0, bytes[low - 1] == 0x2F, SecretValue.isRandomPart(Array(bytes[low..<at])) else { return at + 1 }
        add(.assignment, "url/path", "a secret in the path of a URL", low..<at, service: "", account: "URL")
        return at + 9
    }

    /// `Basic BASE64`, `'Basic ' + encode('user:SECRET')`.
    private mutating func basic(_ at: Int) -> Int {
        let start = skipBlanks(at + 6)
        var high = start
        while high < end, high - start < 1024, Byte.isWord(bytes[high]) || "+/=-".utf8.contains(bytes[high]) {
            high += 1
        }
        if high - start >= 8 {
            guard let basic = ClearSecret.Form.userAndPassword(bytes[start..<high]), !basic.user.isEmpty,
                basic.password.count >= 4, basic.user.allSatisfy({ $0 < 0x7F }), !Placeholder.isOne(basic.password),
                !SecretValue.isExample(Array(bytes[start..<high])), !isExampleLine(at)
            else { return at + 1 }
            add(
                .url, "header/basic", "a header Authorization", start..<high, .basic, service: "",
                account: String(decoding: basic.user, as: UTF8.self))
            return high
        }
        guard kind == .source || kind == .script, high == start else { return at + 1 }
        return userAndPassword(start, line(at)) ?? at + 1
    }

    private mutating func encoded(_ at: Int) -> Int {
        let line = line(at)
        guard let open = bytes.first(0x28, in: at..<line.upperBound) else { return at + 1 }
        return userAndPassword(open + 1, line) ?? at + 1
    }

    /// The first string in quotes with a colon in it, near a place: `user:SECRET`.
    private mutating func userAndPassword(_ start: Int, _ line: Range<Int>) -> Int? {
        var next = start
        while next < line.upperBound, next - start < 80 {
            guard [0x22, 0x27, 0x60].contains(bytes[next]), let written = quoted(next) else {
                next += 1
                continue
            }
            if takeHalf(written, "header/basic", "a header Authorization") { return written.range.upperBound + 1 }
            next += 1
        }
        return nil
    }

    /// What is behind the first colon, comma or percent sign of `user:SECRET`.
    mutating func takeHalf(_ written: WrittenValue, _ identifier: String, _ issuer: String) -> Bool {
        guard written.form == .plain,
            let colon = bytes[written.range].firstIndex(where: { $0 == 0x3A || $0 == 0x2C || $0 == 0x25 }),
            colon - written.range.lowerBound >= 2, colon + 4 < written.range.upperBound,
            bytes[written.range.lowerBound..<colon].allSatisfy({ Byte.isWord($0) || [0x2D, 0x2E, 0x40].contains($0) })
        else { return false }
        let value = Array(bytes[colon + 1..<written.range.upperBound])
        let user = Array(bytes[written.range.lowerBound..<colon])
        guard !value.contains(0x20), value != user,
            SecretValue.isOne(value, .password, isQuoted: true, .config) && !value.allSatisfy(Byte.isDigit)
                || SecretValue.isWeak(value, isQuoted: true, .config) && value.count >= 8,
            !isExampleLine(colon)
        else { return false }
        add(
            .url, identifier, issuer, colon + 1..<written.range.upperBound, service: "",
            account: bytes.text(written.range.lowerBound..<colon))
        return true
    }

    /// `NickServ :IDENTIFY account SECRET`, `JOIN #channel SECRET`: the last word of the command.
    private mutating func identified(_ at: Int) -> Int {
        let line = line(at)
        var stop = at
        while stop < line.upperBound, stop - at < 160, !"\"';`\r\\}".utf8.contains(bytes[stop]) { stop += 1 }
        let words = WordText.words(bytes, at..<stop)
        let isJoin = bytes[at] & 0xDF == 0x4A
        guard (isJoin ? 3...3 : 2...3).contains(words.count), let last = words.last else { return at + 1 }
        if !isJoin {
            // To the service of a network.
            let before = bytes.text(line.lowerBound..<at).lowercased()
            guard ["nickserv", "chanserv", "privmsg", "/msg", "authserv"].contains(where: before.contains) else {
                return at + 1
            }
        }
        let value = Array(bytes[last.range])
        guard SecretValue.isAlone(value, .loose) || SecretValue.isOne(value, .password, isQuoted: true, .commands),
            value.first != 0x24, value.first != 0x3C
        else { return at + 1 }
        add(
            .assignment, "command/argument", "an argument of a command", last.range, last.form, service: "irc",
            account: "")
        return last.range.upperBound
    }

    /// `"-u", "user:SECRET"`, `<string>-u</string><string>user,SECRET</string>`.
    private mutating func userOption(_ at: Int) -> Int {
        if bytes[at] == 0x3E {
            let next = skipAll(at + 12, most: 40)
            guard bytes.matches("<string>", at: next, end: end), let value = elementText(next + 8) else {
                return at + 1
            }
            return takeHalf(value, "command/argument", "an argument of a command") ? value.range.upperBound : at + 1
        }
        guard let comma = bytes[at..<min(end, at + 12)].firstIndex(of: 0x2C),
            let value = quoted(skipAll(comma, most: 40))
        else { return at + 1 }
        return takeHalf(value, "command/argument", "an argument of a command") ? value.range.upperBound : at + 1
    }

    /// `"kty": "EC", "d": "SECRET"`: the private value of a JSON Web Key, in an object that says what it is.
    private mutating func webKey(_ at: Int) -> Int {
        guard let value = quoted(skipBlanks(at + 4)), value.range.count >= 22,
            bytes[value.range].allSatisfy({ Byte.isWord($0) || $0 == 0x2D })
        else { return at + 1 }
        let near = max(0, at - 1200)..<min(end, value.range.upperBound + 300)
        guard Self.keyTypes.isIn(bytes, near), SecretValue.bits(Array(bytes[value.range])) >= 3 else { return at + 1 }
        add(.assignment, "assignment/token", "a private key in JSON", value.range, service: "", account: "JWK")
        return value.range.upperBound
    }

    private static let keyTypes = WordList(["\"kty\""])

    /// A UUID as the user of a server whose user is a token.
    private mutating func tokenUser(_ at: Int) -> Int {
        let limit = min(end, at + 300)
        var next = at
        while next < limit, !bytes.matches("user", at: next, end: limit) { next += 1 }
        while next < limit, Byte.isWord(bytes[next]) || "\"'=: ".utf8.contains(bytes[next]) {
            if next + 36 <= limit, SecretValue.isIdentifier(Array(bytes[next..<next + 36])), bytes[next + 8] == 0x2D {
                add(
                    .assignment, "assignment/token", "a value beside a name", next..<next + 36, service: "postmark",
                    account: "user")
                return next + 36
            }
            next += 1
        }
        return at + 1
    }
}

/// URLs whose user is the secret, and lists of a URL, an account and a password.
extension TextScan {
    /// `scheme://SECRET@host`.
    mutating func soleUser(_ colon: Int, _ at: Int) {
        let value = Array(bytes[colon + 3..<at])
        guard value.count <= 200, SecretValue.isGenerated(value), !Placeholder.isOne(value),
            !SecretValue.isExample(value), at + 1 < end, Byte.isWord(bytes[at + 1]), !isExampleLine(at)
        else { return }
        add(.url, "url/user", "a URL with a secret", colon + 3..<at, service: "", account: "")
    }

    /// `[ "https://host/", "user", "SECRET" ]`, at the colon of the URL.
    mutating func listed(_ colon: Int) {
        var low = colon
        while low > 0, colon - low < 8, Byte.isLetter(bytes[low - 1]) { low -= 1 }
        guard low > 1, bytes[low - 1] == 0x22 || bytes[low - 1] == 0x27, case let before = skipBack(low - 1),
            before > 0,
            "[({".utf8.contains(bytes[before - 1]), kind.hasAssignments,
            let url = quoted(low - 1), let user = member(url), let secret = member(user)
        else { return }
        let next = skipLineEnds(secret.range.upperBound + 1)
        let value = secret.form.decoded(bytes[secret.range])
        guard next < end, "])},".utf8.contains(bytes[next]), !bytes[user.range].contains(0x20),
            SecretValue.isAlone(value, .loose)
        else { return }
        add(
            .assignment, "assignment/password", "a value in a list behind a URL", secret.range, secret.form,
            service: bytes.text(url.range), account: bytes.text(user.range))
    }

    private func skipBack(_ at: Int) -> Int {
        var low = at
        while low > 0, at - low < 40, Byte.isSpaceOrEnd(bytes[low - 1]) { low -= 1 }
        return low
    }

    private func member(_ before: WrittenValue) -> WrittenValue? {
        let comma = skipLineEnds(before.range.upperBound + 1)
        guard comma < end, bytes[comma] == 0x2C else { return nil }
        return quoted(skipLineEnds(comma + 1))
    }
}

/// More forms in which languages give a name its value.
extension TextScan {
    /// `set NAME(key) "VALUE"` of Tcl, at the bracket behind the name.
    func arrayElement(_ at: Int, _ name: Range<Int>) -> WrittenValue? {
        let content = bytes.trimmed(line(name.lowerBound))
        guard name.lowerBound > content.lowerBound, bytes[name.lowerBound - 1] == 0x28,
            bytes.matches("set ", at: content.lowerBound, end: end), at + 1 < end, Byte.isSpace(bytes[at + 1])
        else { return nil }
        return bareOrQuoted(skipBlanks(at + 1))
    }

    /// `condition ? "VALUE" : ""`.
    func ternary(_ at: Int) -> WrittenValue? {
        var next = at
        while next < end, next - at < 60, Byte.isWord(bytes[next]) || " .()!=<>&|".utf8.contains(bytes[next]) {
            next += 1
        }
        guard next < end, next > at, bytes[next] == 0x3F, next + 1 < end, Byte.isSpaceOrEnd(bytes[next + 1]) else {
            return nil
        }
        let first = skipLineEnds(next + 1)
        return quoted(first)
    }

    /// `getOrElse("NAME", "VALUE")`: what counts where a setting isn't there.
    func defaulted(_ at: Int) -> WrittenValue? {
        var open = at
        while open < end, open - at < 60, Byte.isWord(bytes[open]) || bytes[open] == 0x2E || bytes[open] == 0x3A {
            open += 1
        }
        guard open < end, open > at, bytes[open] == 0x28 || bytes[open] == 0x5B,
            Self.lookups.isIn(bytes, at..<open), let first = quoted(skipBlanks(open + 1))
        else { return nil }
        var comma = skipBlanks(first.range.upperBound + 1)
        if comma < end, bytes[comma] == 0x5D { comma = skipBlanks(comma + 1) }
        guard comma < end, bytes[comma] == 0x2C else { return nil }
        var next = skipLineEnds(comma + 1)
        if bytes.matches("default", at: next, end: end) {
            next += 7
            while next < end, Byte.isWord(bytes[next]) { next += 1 }
            next = skipBlanks(next)
            guard next < end, bytes[next] == 0x3D || bytes[next] == 0x3A else { return nil }
            next = skipBlanks(next + 1)
        }
        return quoted(next)
    }

    private static let lookups = WordList(["env", "getorelse", "fetch", "setting", "config", "property", "lookup"])

    /// `psk[16] = { 0x3b, 0xe1, ... }`, `KEY: [u8; 16] = [0x3b, ...]`: eight bytes or more.
    func byteArray(_ start: Int) -> WrittenValue? {
        var (at, isBehind) = (start, false)
        // The array begins at a brace, or at a bracket behind the sign of equality.
        while at < end, at - start < 80, bytes[at] != 0x7B, !(isBehind && bytes[at] == 0x5B) {
            guard Byte.isWord(bytes[at]) || Byte.isSpaceOrEnd(bytes[at]) || "[]=:;(&*<>".utf8.contains(bytes[at]) else {
                return nil
            }
            isBehind = isBehind || bytes[at] == 0x3D
            at += 1
        }
        // A list of a configuration begins at once.
        if kind == .config, bytes[start] == 0x5B { at = start }
        guard at < end, at - start < 80 else { return nil }
        at = skipLineEnds(at + 1)
        let low = at
        var (high, count) = (at, 0)
        while high < end, high - low < 1024 {
            let first = high
            while high < end, Byte.isWord(bytes[high]) { high += 1 }
            guard high > first, (1...4).contains(high - first), Byte.isDigit(bytes[first]) else { return nil }
            count += 1
            let next = skipLineEnds(high)
            guard next < end, bytes[next] == 0x2C else { break }
            let following = skipLineEnds(next + 1)
            guard following < end, Byte.isDigit(bytes[following]) else { break }
            high = following
        }
        guard (8...128).contains(count) else { return nil }
        return WrittenValue(range: low..<high, isQuoted: true)
    }

    /// `<ns:Password Type="...">VALUE</ns:Password>`: the text behind attributes.
    func elementBehindAttributes(_ at: Int, _ name: Range<Int>) -> WrittenValue? {
        guard kind != .json else { return nil }
        var low = name.lowerBound
        if low > 0, bytes[low - 1] == 0x3A {
            low -= 1
            while low > 0, name.lowerBound - low < 40, Byte.isWord(bytes[low - 1]) || bytes[low - 1] == 0x2D {
                low -= 1
            }
        }
        guard low > 0, bytes[low - 1] == 0x3C,
            let close = bytes[at..<min(end, at + 300)].firstIndex(of: 0x3E), bytes[close - 1] != 0x2F,
            bytes[at..<close].contains(0x3D), !bytes[at..<close].contains(0x3C), !Self.sealed.isIn(bytes, at..<close)
        else { return nil }
        return elementText(close + 1)
    }

    /// Attributes that say that the text isn't in clear.
    private static let sealed = WordList(["crypt", "protected", "hash", "digest", "sealed"])

    /// The value of a header in a list, behind its name: `{'Authorization', 'VALUE'}`, `[name: 'Authorization', value:
    /// 'Scheme VALUE']`; at the quotation mark.
    mutating func listedHeader(_ at: Int) -> Int? {
        guard at < end, bytes[at] == 0x22 || bytes[at] == 0x27 else { return nil }
        var next = skipLineEnds(at + 1)
        guard next < end, ",:=".utf8.contains(bytes[next]) else { return nil }
        while next < end, ",:=>".utf8.contains(bytes[next]) || Byte.isSpaceOrEnd(bytes[next]) { next += 1 }
        if next < end, [0x22, 0x27].contains(bytes[next]), bytes.matches("value", at: next + 1, end: end) { next += 1 }
        if bytes.matches("value", at: next, end: end) {
            next += 5
            while next < end, "\"':=> ".utf8.contains(bytes[next]) {
                if [0x22, 0x27].contains(bytes[next]), let value = quoted(next), value.range.count > 2 { break }
                next += 1
            }
        }
        guard let written = quoted(next), written.form == .plain else { return nil }
        return schemed(written.range)
    }

    /// `Scheme VALUE`, or the value alone.
    mutating func schemed(_ written: Range<Int>) -> Int? {
        var low = written.lowerBound
        if let blank = bytes.first(0x20, in: written) {
            guard blank - low <= 24, bytes[low..<blank].allSatisfy({ Byte.isLetter($0) || $0 == 0x2D }) else {
                return nil
            }
            low = skipBlanks(blank)
        }
        let range = low..<written.upperBound
        let value = Array(bytes[range])
        guard value.count >= 16, !value.dropLast(2).contains(0x3D),
            SecretValue.isOne(value, .token, isQuoted: true, kind),
            !SecretValue.isWordy(String(decoding: value, as: UTF8.self)), !isExampleLine(low)
        else { return nil }
        add(.assignment, "header/bearer", "a header Authorization", range, service: "", account: "Authorization")
        return range.upperBound
    }
}

extension TextScan {
    /// `user:SECRET` or `user/SECRET` without quotes round the parts.
    mutating func takeUserAndPassword(_ range: Range<Int>) -> Bool {
        guard
            let colon = bytes[range].firstIndex(where: {
                !(Byte.isWord($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x40)
            }), bytes[colon] == 0x3A || bytes[colon] == 0x2F, colon - range.lowerBound >= 2,
            colon + 4 < range.upperBound,
            Byte.isLetter(bytes[range.lowerBound])
        else { return false }
        let value = Array(bytes[colon + 1..<range.upperBound])
        guard !value.contains(0x20), value.first != 0x2F, value.first != 0x3A, value.first != 0x24,
            !value.contains(0x3A), !bytes.text(range).contains("md5"), !SecretValue.isHash(bytes.text(range)),
            SecretValue.isAlone(value, .loose)
                || SecretValue.isOne(value, .token, isQuoted: true, .config)
                || bytes[colon] == 0x2F && SecretValue.isWeak(value, isQuoted: true, kind) && value.count >= 8
                    && !value.contains(0x2F),
            !isExampleLine(colon)
        else { return false }
        add(
            .assignment, "assignment/password", "a value beside a name", colon + 1..<range.upperBound, service: "",
            account: bytes.text(range.lowerBound..<colon))
        return true
    }
}

extension TextScan {
    /// `the new code is 4821#`, `Alarm: kode 4488`: digits behind a word for a code, in a line about a lock.
    mutating func code(_ at: Int) -> Int {
        guard kind == .prose || kind == .json else { return at + 1 }
        let line = line(at)
        var next = at
        while next < line.upperBound, next - at < 40, !Byte.isDigit(bytes[next]) {
            guard bytes[next] != 0x2C, bytes[next] != 0x3B, bytes[next] != 0x2F else { return at + 1 }
            next += 1
        }
        var high = next
        while high < line.upperBound, Byte.isDigit(bytes[high]) { high += 1 }
        guard (4...8).contains(high - next), next > at, " :=\"`'*>".utf8.contains(bytes[next - 1]) else {
            return at + 1
        }
        let isSigned = high < line.upperBound && (bytes[high] == 0x23 || bytes[high] == 0x2A)
        if isSigned { high += 1 }
        let following = high < line.upperBound ? bytes[high] : 0x20
        guard !Byte.isWord(following), following != 0x2D, following != 0x2F,
            following != 0x2E || high + 1 >= line.upperBound || bytes[high + 1] <= 0x20,
            isSigned && bytes[high - 1] == 0x23 || Self.locks.isIn(bytes, line)
        else { return at + 1 }
        if kind == .json, !isProse(at..<at + 4) { return at + 1 }
        add(.assignment, "prose/code", "the code of a lock", next..<high, service: "", account: "code")
        return high
    }

    private static let locks = WordList([
        "alarm", "door", "türcode", "haustür", "tuer", "tresor", "safe ", "gate", "garage", "garasj", "garaż",
        "digicode",
        "keybox", "key box", "schlüsselbox", "schlüsselkasten", "puerta", "caja fuerte", "portão", "portao", "porta",
        "portone", "cassaforte",
        "porte", "coffre", "portail", "drzwi", "brama", "sejf", "kluis", "voordeur", "dør", "dörr", "домофон", "двер",
        "подъезд", "сейф", "сигнализац", "玄関", "金庫", "lockbox", "kapı", "trezor", "ovi",
    ])

    /// `CONNECT user/SECRET@service`.
    private mutating func oracle(_ at: Int) -> Int {
        let line = line(at)
        let words = WordText.words(bytes, at..<line.upperBound)
        guard at == bytes.trimmed(line).lowerBound || bytes[at - 1] == 0x3B, words.count >= 2 else { return at + 1 }
        let whole = words[1].range
        guard let slash = bytes.first(0x2F, in: whole), slash > whole.lowerBound,
            case let host = bytes[slash..<whole.upperBound].lastIndex(where: { $0 == 0x40 || $0 == 0x3B })
                ?? whole.upperBound,
            slash + 1 < host, !bytes[slash + 1..<host].contains(0x2F),
            SecretValue.isAlone(Array(bytes[slash + 1..<host]), .loose)
        else { return at + 1 }
        add(
            .assignment, "command/argument", "an argument of a command", slash + 1..<host, service: "sqlplus",
            account: bytes.text(whole.lowerBound..<slash))
        return host
    }

    /// `?se=2031-01-01&sig=SECRET`: a URL that its signature opens until a day of it.
    private mutating func signature(_ at: Int) -> Int {
        var high = at + 5
        while high < end, high - at < 200, Byte.isWord(bytes[high]) || "%+/=-.~".utf8.contains(bytes[high]) {
            high += 1
        }
        let value = Array(bytes[at + 5..<high])
        guard value.count >= 40, SecretValue.bits(value) >= 3.5, !SecretValue.isExample(value),
            !Placeholder.isOne(value)
        else { return at + 1 }
        var low = at
        while low > 0, at - low < 512, bytes[low - 1] > 0x20, bytes[low - 1] != 0x22 { low -= 1 }
        if let expiry = (low..<high).first(where: {
            bytes.matches("se=20", at: $0, end: high) && $0 > low && !Byte.isLetter(bytes[$0 - 1])
        }), expiry + 7 < high, bytes.text(expiry + 3..<expiry + 7) < "2026" {
            return high
        }
        add(.assignment, "url/signature", "a signed URL", at + 5..<high, service: "", account: "sig")
        return high
    }

    /// Whether a name is one of Lisp's: behind `(setq `, `(define `, `:`.
    func isLispName(_ name: Range<Int>) -> Bool {
        guard kind == .source, name.lowerBound > 1 else { return false }
        if bytes[name.lowerBound - 1] == 0x3A { return true }
        var low = name.lowerBound
        while low > 0, name.lowerBound - low < 24, bytes[low - 1] != 0x28, bytes[low - 1] != 0x0A { low -= 1 }
        guard low > 0, bytes[low - 1] == 0x28 else { return false }
        return (["setq ", "def", "setf ", "set "] as [StaticString]).contains { bytes.matches($0, at: low, end: end) }
    }

    /// `01 NAME PIC X(10) VALUE "SECRET"` of COBOL.
    func pictured(_ at: Int) -> WrittenValue? {
        guard kind == .source, bytes.matches("pic ", at: at, end: end) || bytes.matches("type ", at: at, end: end)
        else {
            return nil
        }
        let line = line(at)
        guard
            let value = (at..<line.upperBound).first(where: { bytes.matches(" value ", at: $0, end: line.upperBound) })
        else { return nil }
        return quoted(skipBlanks(value + 7))
    }
}
