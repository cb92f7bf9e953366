// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Secrets that have a short name or none, and are known by what is beside them.
extension TextScan {
    /// `{ u: "load1", p: "..." }`: one letter, beside a user.
    mutating func shortName(_ at: Int) -> Int {
        var colon = at
        while colon < end, colon - at < 6, bytes[colon] != 0x3A { colon += 1 }
        let line = line(at)
        guard colon < end, bytes[colon] == 0x3A, let written = quoted(skipBlanks(colon + 1)) else { return at + 1 }
        let before = bytes.text(max(line.lowerBound, at - 80)..<at + 1).lowercased()
        let isBesideUser = ["u:", "user", "u\":", "u':", "login", "name", "mail"].contains { before.contains($0) }
        let value = written.form.decoded(bytes[written.range])
        guard isBesideUser, SecretValue.isAlone(value, .loose) else { return at + 1 }
        add(
            .assignment, "assignment/password", "a value beside a name", written.range, written.form, service: "",
            account: "p")
        return written.range.upperBound
    }

    /// `Cookie: session=...`, `set-cookie: sid=...`, also as name and value of an archive of requests.
    mutating func cookie(_ at: Int) -> Int {
        var next = at + 6
        guard next < end, [0x3A, 0x22, 0x27, 0x5C].contains(bytes[next]) else { return at + 1 }
        let limit = min(end, at + 120)
        while next < limit, !Byte.isWord(bytes[next]) || bytes.matches("value", at: next, end: limit) {
            next += bytes.matches("value", at: next, end: limit) ? 5 : 1
        }
        let line = line(next)
        for _ in 0..<20 {
            guard let equals = bytes.first(0x3D, in: next..<max(next, line.upperBound)), equals - next <= 64 else {
                break
            }
            let name = bytes.text(next..<equals).lowercased()
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) }) else { break }
            var high = equals + 1
            while high < line.upperBound, !" ;,\"'\\".utf8.contains(bytes[high]) { high += 1 }
            let value = Array(bytes[equals + 1..<high])
            let isSession =
                ["sess", "sid", "token", "auth", "jwt", "login", "remember", "access", "identity"].contains {
                    name.contains($0)
                } && !["csrf", "xsrf", "consent"].contains { name.contains($0) }
            if isSession, value.count >= 16, SecretValue.isOne(value, .token, isQuoted: true, .config) {
                add(
                    .assignment, "header/cookie", "a session in a cookie", equals + 1..<high, service: "", account: name
                )
            }
            next = high
            while next < line.upperBound, bytes[next] == 0x3B || bytes[next] == 0x20 { next += 1 }
            guard next > high else { break }
        }
        return at + 6
    }

    /// `otpauth://totp/LABEL?secret=...` (Google Authenticator's key URIs).
    mutating func oneTime(_ at: Int) -> Int {
        var high = at
        while high < end, high - at < 1024, bytes[high] > 0x20, !"\"'<>`|".utf8.contains(bytes[high]) { high += 1 }
        guard let start = (at..<high).first(where: { bytes.matches("secret=", at: $0, end: high) }) else { return high }
        var stop = start + 7
        while stop < high, bytes[stop] != 0x26, bytes[stop] != 0x2C { stop += 1 }
        let value = start + 7..<stop
        guard value.count >= 8,
            bytes[value].allSatisfy({ Byte.isLetter($0) || (0x32...0x37).contains($0) || $0 == 0x3D }),
            !SecretValue.isExample(Array(bytes[value])), !Placeholder.isOne(Array(bytes[value]))
        else { return high }
        add(.assignment, "url/one-time-code", "the secret of one-time codes", value, service: "", account: "otpauth")
        return high
    }

    /// `"password".toCharArray()`: how Java gives passwords to key stores.
    mutating func characters(_ at: Int) -> Int {
        guard at > 1, bytes[at - 1] == 0x22 else { return at + 1 }
        let line = line(at)
        guard let open = bytes[line.lowerBound..<at - 1].lastIndex(of: 0x22) else { return at + 1 }
        let value = Array(bytes[open + 1..<at - 1])
        if SecretValue.isAlone(value, .loose) || SecretValue.isOne(value, .password, isQuoted: true, .commands) {
            add(
                .assignment, "assignment/password", "a value beside a name", open + 1..<at - 1, service: "", account: ""
            )
        }
        return at + 1
    }

    /// `<auth-user-pass>` of OpenVPN: the user and the password, a line each.
    mutating func tunnel(_ at: Int) -> Int {
        var lines: [Range<Int>] = []
        var next = at
        while next < end, lines.count < 3 {
            let line = line(next)
            lines.append(bytes.trimmed(line))
            next = line.upperBound
            while next < end, bytes[next] == 0x0D || bytes[next] == 0x0A { next += 1 }
        }
        if lines.count == 3, bytes[lines[2]].first != 0x3C {
            let value = Array(bytes[lines[2]])
            if SecretValue.isOne(value, .password, isQuoted: true, .config) {
                add(
                    .assignment, "assignment/password", "a value beside a name", lines[2], service: "",
                    account: bytes.text(lines[1]))
            }
        }
        return at + 1
    }
}

/// What is typed or passed, without a name.
extension TextScan {
    /// `send "password\r"` of expect behind a prompt, `{Tab}password{Enter}` and `SendRaw password` of AutoHotkey.
    mutating func typed(_ at: Int) -> Int {
        let line = line(at)
        var low = at
        if bytes[at] == 0x7B {
            low = at + 5
        } else if bytes.matches("send ", at: at, end: end) {
            // Behind a prompt for a password: `expect "assword:"`, in this line or one before.
            let before = bytes.text(max(0, line.lowerBound - 80)..<at).lowercased()
            guard before.contains("assword") || before.contains("assphrase") || before.contains("asswort") else {
                return at + 1
            }
            low = at + 6
        } else {
            low = skipBlanks((at..<line.upperBound).first { bytes[$0] == 0x20 } ?? line.upperBound)
        }
        var high = low
        while high < line.upperBound, bytes[high] > 0x20, ![0x7B, 0x22, 0x27, 0x5C].contains(bytes[high]) { high += 1 }
        guard low < high else { return at + 1 }
        let value = Array(bytes[low..<high])
        let isSend = bytes.matches("send ", at: at, end: end) && [0x22, 0x27].contains(bytes[at + 5])
        guard
            isSend
                ? SecretValue.isOne(value, .password, isQuoted: true, .commands) : SecretValue.isAlone(value, .strict)
        else { return at + 1 }
        add(.assignment, "command/typed", "what a script types", low..<high, service: "", account: "")
        return high
    }

    /// `connect("host", "user", "password")`: strings in the arguments, the last of which looks like a password, or
    /// is a key behind an identifier.
    mutating func arguments(_ at: Int) -> Int {
        let line = line(at)
        var open = at
        while open < line.upperBound, open - at < 48, bytes[open] != 0x28, bytes[open] != 0x22, bytes[open] != 0x27 {
            guard Byte.isWord(bytes[open]) || Byte.isSpace(bytes[open]) || [0x2E, 0x3A, 0x2C].contains(bytes[open])
            else { return at + 1 }
            open += 1
        }
        guard open < line.upperBound else { return at + 1 }
        var next = bytes[open] == 0x28 ? open + 1 : open
        var strings: [WrittenValue] = []
        for _ in 0..<8 {
            next = skipBlanks(next)
            guard next < line.upperBound else { break }
            if let written = quoted(next) {
                strings.append(written)
                next = written.range.upperBound + 1
            }
            guard let comma = bytes[min(next, line.upperBound)..<line.upperBound].firstIndex(of: 0x2C),
                !bytes[min(next, line.upperBound)..<comma].contains(0x29)
            else { break }
            next = comma + 1
        }
        let rest = strings.dropFirst()
        guard let last = rest.first(where: { SecretValue.isAlone(Array(bytes[$0.range]), .strict) }) ?? rest.last else {
            return at + 1
        }
        let value = last.form.decoded(bytes[last.range])
        let isKey = bytes.matches("omniauth", at: at, end: end) && value.count >= 24 && value.allSatisfy(Byte.isWord)
        guard isKey || SecretValue.isAlone(value, .loose) && value.count >= 8 else { return at + 1 }
        add(
            .assignment, "command/argument", "an argument of a command", last.range, last.form, service: "call",
            account: "")
        return last.range.upperBound
    }
}
