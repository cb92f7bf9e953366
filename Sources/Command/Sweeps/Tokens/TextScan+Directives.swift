// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Lines of configurations in which a secret has its place by the words before it.
extension TextScan {
    /// Where the secret of a directive is.
    enum Directive: Sendable, Equatable {
        /// The word of this number; the directive itself is 0.
        case word(Int)
        /// The last word.
        case last
        /// What is behind the first colon of the word of this number.
        case half(Int)
        /// The rest of the word behind the directive, without what its format puts there.
        case attached
        /// `USER:SECRET@HOST` of SIP.
        case register
        /// The words of this number, and each second one behind it: `SHA secret AES secret`.
        case each(Int)
        /// `USER:SECRET`, in the lines below.
        case list
    }

    static let directives: [(String, Directive)] = [
        // snmpd.conf(5)
        ("com2sec ", .last), ("com2sec6 ", .last), ("trapsink ", .word(2)), ("trap2sink ", .word(2)),
        ("informsink ", .word(2)), ("createUser ", .each(3)),
        // haproxy, squid, monit, coturn, nut, ProFTPD, Asterisk, Redis
        ("insecure-password ", .word(1)), ("stats auth ", .half(2)), ("login=", .half(0)), ("allow ", .half(1)),
        ("user=", .half(0)), ("userpwd=", .half(0)), ("MONITOR ", .word(4)), ("SQLConnectInfo ", .word(3)),
        ("register =>", .register), ("register=>", .register), ("{PLAIN}", .attached), ("{plain}", .attached),
        ("{CLEARTEXT}", .attached), ("{cleartext}", .attached), ("{CLEAR}", .attached),
        // strongSwan's ipsec.secrets(5)
        (": PSK ", .word(2)), (": EAP ", .word(2)), (": XAUTH ", .word(2)), (": NTLM ", .word(2)), (": PIN ", .word(2)),
        (": RSA ", .word(3)), (": ECDSA ", .word(3)), (": PKCS8 ", .word(3)), (": P12 ", .word(3)),
        // Kickstart, cloud-init
        ("rootpw --plaintext ", .last), ("chpasswd:", .list),
        (" on >", .attached), (" off >", .attached),
    ]

    /// Looks at a directive. Returns where the search goes on.
    mutating func directive(_ number: Int, _ at: Int) -> Int {
        guard kind == .config || kind == .prose else { return at + 1 }
        let (text, reading) = Self.directives[number]
        let line = line(at)
        let content = bytes.trimmed(line)
        if bytes[content].first == 0x23 { return at + 1 }
        if reading != .attached, reading != .half(0), at > content.lowerBound, text.first != ":",
            !Byte.isSpaceOrEnd(bytes[at - 1])
        {
            return at + 1
        }
        if text.hasSuffix(">"), !bytes[content].starts(with: Array("user ".utf8)),
            !bytes[content].starts(with: Array("ACL ".utf8)), reading == .attached
        {
            return at + 1
        }
        let words = WordText.words(bytes, bytes.trimmed(at..<line.upperBound))
        switch reading {
        case .word(let number):
            guard number < words.count else { break }
            // A sentence about a PIN has no number there.
            if text == ": PIN ", kind == .prose, !bytes[words[number].range].allSatisfy(Byte.isDigit) { break }
            secret(words[number].range, text)
        case .last: if words.count >= 2, let last = words.last { secret(last.range, text) }
        case .half(let number):
            if number < words.count, let colon = bytes.first(0x3A, in: words[number].range) {
                let value = colon + 1..<words[number].range.upperBound
                if SecretValue.isAlone(Array(bytes[value]), .loose) { secret(value, text) }
            }
        case .attached:
            var high = at + text.utf8.count
            let low = high
            while high < line.upperBound, bytes[high] > 0x20, bytes[high] != 0x3A, bytes[high] != 0x22 { high += 1 }
            secret(low..<high, text)
        case .register:
            guard words.count > 1, let whole = words.first(where: { bytes[$0.range].contains(0x40) }),
                let colon = bytes.first(0x3A, in: whole.range),
                let host = bytes[whole.range].lastIndex(of: 0x40), host > colon
            else { break }
            secret(colon + 1..<host, text)
        case .each(let first):
            for index in stride(from: first, to: words.count, by: 2) { secret(words[index].range, text) }
        case .list: list(line.upperBound)
        }
        return at + 1
    }

    private mutating func secret(_ range: Range<Int>, _ directive: String) {
        let value = Array(bytes[range])
        guard value.count >= 4,
            SecretValue.isOne(value, .password, isQuoted: true, .config)
                || value.count >= 8 && kind == .config && SecretValue.isWeak(value, isQuoted: false, .config)
        else { return }
        add(
            .assignment, "directive/password", "a value by its place in a line", range, service: "",
            account: directive.filter { !" :=>{}".contains($0) })
    }

    /// `root:SECRET`, one a line, to the first line of another form.
    private mutating func list(_ start: Int) {
        var at = start
        for _ in 0..<40 {
            while at < end, bytes[at] == 0x0A || bytes[at] == 0x0D { at += 1 }
            guard at < end else { return }
            let line = line(at)
            var content = bytes.trimmed(line)
            if bytes[content].starts(with: [0x2D, 0x20]) { content = content.lowerBound + 2..<content.upperBound }
            at = line.upperBound
            guard let colon = bytes.first(0x3A, in: content), colon > content.lowerBound else { return }
            guard colon + 1 < content.upperBound, !Byte.isSpace(bytes[colon + 1]) else { continue }
            let value = colon + 1..<content.upperBound
            if bytes[value].first != 0x24, !SecretValue.isHash(bytes.text(value)) { secret(value, "chpasswd") }
        }
    }

    /// Words between a name and its value that say how the value is written.
    private static let clear: Set<String> = [
        "0", "plaintext", "ascii-text", "ascii", "clear", "cleartext", "text", "md5", "key-string", "string", "plain",
        "password", "key", "hmac-sha-256", "sha1", "sha256", "hexadecimal", "unencrypted", "--plaintext", "is",
    ]
    /// Words that say that the value isn't in clear.
    private static let notClear: Set<String> = [
        "7", "5", "8", "9", "6", "4", "encrypted", "enc", "hash", "hashed", "sha512", "cipher", "--iscrypted",
        "encryption", "$9$", "file", "irreversible-cipher", "local", "none",
    ]
    /// Words of devices in whose lines `key` and `authentication` have a password.
    private static let devices = [
        "isakmp", "tacacs", "radius", "ospf", "ntp ", "standby", "neighbor", "snmp", "vrrp", "hsrp", "eigrp", "isis",
        "key-string", "ike", "ipsec", "l2tp", "ppp", "pppoe", "aaa", "wpa", "bgp", "rip ", "ldp", "glbp", "line vty",
        "wlan", "authentication-key", "crypto", "message-digest",
    ]

    /// `word word NAME [type] VALUE more` of a configuration.
    func directiveValue(_ name: Range<Int>, _ at: Int) -> WrittenValue? {
        guard kind == .config else { return nil }
        let line = line(name.lowerBound)
        let content = bytes.trimmed(line)
        guard at < content.upperBound, let first = bytes[content].first, first != 0x23, first != 0x21,
            first != 0x3B, first != 0x2F, first != 0x2A
        else { return nil }
        var words = WordText.words(bytes, at..<content.upperBound)[...]
        guard words.count <= 9 else { return nil }
        for _ in 0..<3 {
            guard let word = words.first, words.count > 1 else { break }
            let text = bytes.text(word.range).lowercased()
            // Type 7 of Cisco's devices: its key is known, so it is as good as clear.
            if text == "7", case let next = words[words.startIndex + 1].range, next.count >= 8,
                next.count.isMultiple(of: 2),
                bytes[next].allSatisfy(Byte.isHex)
            {
                return WrittenValue(range: next, isQuoted: true)
            }
            if Self.notClear.contains(text) { return nil }
            guard Self.clear.contains(text) || text.allSatisfy(\.isNumber) && text.utf8.count <= 2 else { break }
            words = words.dropFirst()
        }
        guard let word = words.first else { return nil }
        var range = word.range
        while let last = bytes[range].last, last == 0x3B || last == 0x2C {
            range = range.lowerBound..<range.upperBound - 1
        }
        let isFirst = content.lowerBound == name.lowerBound
        let value = Array(bytes[range])
        if Self.notClear.contains(bytes.text(range).lowercased()) { return nil }
        let isQuoted =
            range.lowerBound > 0 && (bytes[range.lowerBound - 1] == 0x22 || bytes[range.lowerBound - 1] == 0x27)
        guard !range.isEmpty, value.contains(where: { Byte.isLetter($0) || Byte.isDigit($0) }),
            isQuoted || bytes.text(name).lowercased().hasSuffix("community")
                || isFirst && words.count == 1 && !value.allSatisfy(Byte.isDigit)
                || SecretValue.isAlone(value, .loose)
        else { return nil }
        return WrittenValue(range: range, form: word.form, isQuoted: isQuoted)
    }

    /// Whether a name that is too common for programs means a password in this line.
    func isDeviceName(_ name: Range<Int>, _ facts: NameFacts) -> Bool {
        guard facts.traits.contains(.isOfDevice), kind == .config || kind == .prose else { return false }
        let text = bytes.text(name).lowercased()
        // A running configuration that was saved as text.
        if kind == .prose {
            return text == "community" && bytes.matches("snmp-server ", at: name.lowerBound - 12, end: end)
        }
        if text.hasSuffix("community") {
            let before = bytes.text(bytes.trimmed(line(name.lowerBound).lowerBound..<name.lowerBound)).lowercased()
            return text != "community" || before.isEmpty || before.contains("snmp") || before.contains("set")
        }
        // OpenWrt's UCI: `option key 'SECRET'`.
        if text == "key", bytes.matches("option ", at: name.lowerBound - 7, end: end) { return true }
        if text == "authentication" {
            let before = bytes.text(line(name.lowerBound).lowerBound..<name.lowerBound).lowercased()
            return ["nhrp", "standby", "hsrp", "vrrp", "glbp"].contains { before.contains($0) }
        }
        let before = bytes.text(line(name.lowerBound).lowerBound..<name.upperBound).lowercased()
        // The line before may name the device.
        let above = bytes.text(max(0, name.lowerBound - 120)..<name.lowerBound).lowercased()
        return !before.contains("rsa") && !before.contains("public")
            && (Self.devices.contains { before.contains($0) }
                || above.contains("tacacs server") || above.contains("radius server") || above.contains("key chain"))
    }
}
