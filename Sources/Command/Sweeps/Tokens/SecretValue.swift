// SPDX-License-Identifier: Apache-2.0

import Readers

/// Whether a value beside a name that means a secret is one.
enum SecretValue {
    /// The longest value that is looked at.
    static let longest = 1024

    static func isOne(_ value: [UInt8], _ meaning: SecretName.Meaning, isQuoted: Bool, _ kind: TextKind) -> Bool {
        // The longest password has 256 characters, of at most four bytes.
        guard (4...longest).contains(value.count), meaning != .password || value.count < 1024,
            meaning == .password || mayBeToken(value, fewest: meaning == .token ? 12 : 20) || value.starts(with: web),
            !Placeholder.isOne(value), !isExample(value)
        else { return false }
        guard let text = String(validUTF8: value),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            return false
        }
        if isReference(text) || isHash(text) || isPath(text) || text.contains("://") || isAddress(text) { return false }
        if text.hasPrefix("eyJ"), value.count(where: { $0 == 0x2E }) == 2 { return WebToken.isOne(value[...]) }
        if kind == .source, isFixture(text) { return false }
        if isPublic(value, text) || isQuoted == false && value.first == 0x28 { return false }
        switch meaning {
        case .password: return isPassword(text, isQuoted, kind)
        case .token: return isToken(value, text, fewest: 12)
        case .weak:
            return isToken(value, text, fewest: 20) && bits(value) >= 3.5
        }
    }

    /// The beginning of tokens in JSON: `{"` in Base64.
    private static let web = Array("eyJ".utf8)

    /// What no token is without; the rest takes longer to see.
    private static func mayBeToken(_ value: [UInt8], fewest: Int) -> Bool {
        guard value.count >= fewest else { return false }
        var (letters, digits, blanks) = (0, 0, 0)
        for byte in value {
            guard byte >= 0x20, byte < 0x7F else { return false }
            if Byte.isLetter(byte) { letters += 1 }
            if Byte.isDigit(byte) { digits += 1 }
            if byte == 0x20 { blanks += 1 }
        }
        return value.count >= 20 && letters >= 8 && digits >= 2
            || blanks == 0 && letters > 0 && letters + digits >= value.count * 3 / 4
    }

    /// 32 or more digits in hexadecimal, of the length of a usual hash.
    static func isDigest(_ value: [UInt8]) -> Bool {
        [32, 40, 56, 64, 96, 128].contains(value.count) && value.allSatisfy(Byte.isHex)
    }

    /// A UUID, or a hash: what logs and tables have for other things than secrets.
    static func isIdentifier(_ value: [UInt8]) -> Bool {
        isDigest(value)
            || value.count == 36
                && value.enumerated().allSatisfy { [8, 13, 18, 23].contains($0) ? $1 == 0x2D : Byte.isHex($1) }
    }

    /// Several words, or lines, that a configuration gives a password: nothing else has blanks there.
    static func isPhrase(_ value: [UInt8]) -> Bool {
        guard (6...longest).contains(value.count), value.contains(0x20) || value.contains(0x0A),
            let text = String(validUTF8: value)
        else { return false }
        return !isReference(text) && !text.contains("://") && !text.hasPrefix("-----BEGIN") && value.first != 0x28
    }

    /// What tests and manuals use in place of a password.
    private static func isFixture(_ text: String) -> Bool {
        let plain = text.lowercased().filter { $0.isLetter || $0.isNumber }
        return [
            "testpass", "test1234", "passw0rd", "password1", "secret123", "correcthorsebatterystaple", "hunter2",
            "letmein", "qwerty",
        ]
        .contains { plain.hasPrefix($0) && plain.utf8.count <= $0.utf8.count + 4 }
    }

    /// Keys for browsers, and identifiers of keys of OpenPGP.
    private static func isPublic(_ value: [UInt8], _ text: String) -> Bool {
        for prefix in [
            "pk_live_", "pk_test_", "pk.eyJ", "sb_publishable_", "phc_", "$__", "age1", "arn:", "AKIA", "ASIA",
            "MIIBIjANBgkqhkiG9w0BAQ", "MIICIjANBgkqhkiG9w0BAQ", "MIGfMA0GCSqGSIb3DQEBAQ", "MFkwEwYHKoZIzj0",
            "MHYwEAYHKoZIzj0",
            "MCowBQYDK2V", "LS0tLS1CRUdJTiBDRVJU", "LS0tLS1CRUdJTiBQVUJM",
        ]
        where text.hasPrefix(prefix) { return true }
        if ["ssh-rsa ", "ssh-ed25519 ", "ecdsa-sha2", "sk-ssh-", "sk-ecdsa-"].contains(where: text.hasPrefix) {
            return true
        }
        return [8, 16, 40].contains(value.count) && value.allSatisfy(Byte.isHex) && value.contains(where: Byte.isUpper)
    }

    /// Values that manuals print.
    static func isExample(_ value: [UInt8]) -> Bool {
        guard value.count >= 16 else { return value.count >= 8 && exampleWord.isIn(value, 0..<value.count) }
        if value.isASCII(0..<value.count) {
            return exampleParts.isIn(value, 0..<value.count) || isSequence(value.map(Byte.lower))
                || exampleSet.contains(value)
        }
        guard let lower = String(validUTF8: value)?.lowercased() else { return false }
        return parts.contains(where: lower.contains) || isSequence(Array(lower.utf8))
    }

    private static let parts = [
        "example", "placeholder", "your_", "your-", "yourapi", "yourtoken", "changeme", "dummy", "xxxxx", "00000000",
        "fake",
    ]
    private static let exampleParts = WordList(parts)
    private static let exampleWord = WordList(["example"])
    private static let exampleSet = Set(examples.map { Array($0.utf8) })

    private static let examples = [
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AKIAIOSFODNN7EXAMPLE", "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
        "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
        "zuf+tfteSlswRu7BJ86wekitnifILbZam1KYY3TG", "dGhlIHNhbXBsZSBub25jZQ==", "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "dXNlcm5hbWU6cGFzc3dvcmQ=", "dXNlcjpwYXNzd29yZA==",
        "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", "dXNlcjpwYXNz", "SW2YcwTIb9zpOOhoPsMm",
        // The key of Redsys's tests, and of FIPS 197.
        "sq7HjrUOBfKmC576ILgskD5srU870gJ7", "2b7e151628aed2a6abf7158809cf4f3c", "2B7E151628AED2A6ABF7158809CF4F3C",
    ]

    /// Most of it goes up or down by one, as `0123456789abcdef` and `abcdefghijkl` do, or repeats few characters.
    static func isSequence(_ value: [UInt8]) -> Bool {
        guard value.count >= 8 else { return false }
        var steps = 0
        for index in 1..<value.count {
            let (a, b) = (Int(value[index - 1]), Int(value[index]))
            if b - a == 1 || a - b == 1 || a == b || (a == 0x39 && (b == 0x30 || b == 0x61)) { steps += 1 }
        }
        var different = ByteSet()
        for byte in value { different.insert(byte) }
        return steps * 3 >= value.count * 2 || different.count * 6 <= value.count && (24..<100).contains(value.count)
            || different.count <= 3
    }

    /// Shannon's entropy of the bytes, in bits for each.
    static func bits(_ value: [UInt8]) -> Double {
        guard !value.isEmpty else { return 0 }
        var counts = [Int](repeating: 0, count: 256)
        for byte in value { counts[Int(byte)] += 1 }
        let all = Double(value.count)
        return counts.reduce(0.0) { sum, count in
            guard count > 0 else { return sum }
            let part = Double(count) / all
            return sum - part * log2(part)
        }
    }

    private static func log2(_ value: Double) -> Double {
        // Of numbers from 2^-12 to 1: exponent, and a polynomial of the significand.
        let exponent = Double(value.exponent)
        let m = value.significand
        return exponent + (m - 1)
            * (1.4425449 + (m - 1) * (-0.7181452 + (m - 1) * (0.4575485 + (m - 1) * (-0.2773423 + (m - 1) * 0.0956442))))
    }

    /// An expression or a reference in place of a value.
    static func isReference(_ text: String) -> Bool {
        // A reference of Podman's units and of mounts.
        if text.contains(",type=") || text.contains(",target=") { return true }
        if text.contains("${") || text.contains("{{") || text.contains("$(") || text.contains("#{")
            || text.contains("<%") || text.contains("%(")
        {
            return true
        }
        // $NAME/path, $section::name, NAME= of the next variable.
        if text.hasPrefix("$"), let end = text.dropFirst().firstIndex(where: { !$0.isLetter && $0 != "_" }),
            "/:.-[".contains(text[end]),
            end > text.index(after: text.startIndex)
        {
            return true
        }
        if text.hasSuffix("="), text.dropLast().allSatisfy({ $0.isUppercase || $0 == "_" || $0.isNumber }),
            text.contains("_")
        {
            return true
        }
        if text.hasPrefix("process.env") || text.hasPrefix("os.environ") || text.hasPrefix("env.")
            || text.hasPrefix("System.") || text.hasPrefix("secrets.")
        {
            return true
        }
        if text.hasPrefix("self.") || text.hasPrefix("this.") || text.hasPrefix("config.")
            || text.hasPrefix("settings.") || text.hasPrefix("var.") || text.hasPrefix("data.")
            || text.hasPrefix("local.") || text.hasPrefix("module.")
        {
            return true
        }
        // A call: getpass(), os.getenv("X").
        if let open = text.firstIndex(of: "("), open > text.startIndex, text.hasSuffix(")") || text.hasSuffix("("),
            text[..<open].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
        {
            return true
        }
        return false
    }

    /// Results of functions that can't be inverted, and values that are encrypted.
    static func isHash(_ text: String) -> Bool {
        for prefix in [
            "$2a$", "$2b$", "$2y$", "$2x$", "$argon2", "$1$", "$5$", "$6$", "$y$", "$7$", "$apr1$", "$P$", "$H$", "$S$",
            "$pbkdf2", "pbkdf2_", "pbkdf2:", "scrypt:", "bcrypt_", "bcrypt$", "argon2", "{SHA", "{SSHA", "{CRYPT",
            "{MD5", "{BCRYPT", "sha1$", "sha256$", "sha256:", "sha512:", "sha512-", "sha256-", "sha384-", "md5$",
            "SCRAM-SHA-", "sha1:", "md5:", "$8$", "$9$", "$ANSIBLE_VAULT", "ENC[", "ENC(", "AQICAH", "-----BEGIN",
            "age-encryption", "gAAAAA", "vault:v", "U2FsdGVkX1", "{cipher}", "AgA", "AgB", "AgC", "AgD", "*0",
            "crypto:", "enc:", "encrypted:", "ejson", "EJ[", "AQAAANCMnd8", "01000000D08C9DDF",
            "01000000d08c9ddf", "51:b:", "$$$$", "secure:", "!vault",
        ] where text.hasPrefix(prefix) {
            // Sealed secrets and ciphers are long; a password may begin with the same letters.
            if ["AgA", "AgB", "AgC", "AgD"].contains(prefix), text.utf8.count < 200 { continue }
            return true
        }
        // A line of htpasswd: the user before it.
        if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(":$"),
            isHash(String(text[colon...].dropFirst()))
        {
            return true
        }
        // Transmission's: `{` and SHA-1, then the salt.
        if text.hasPrefix("{"), text.utf8.count >= 41, text.utf8.dropFirst().prefix(40).allSatisfy(Byte.isHex) {
            return true
        }
        // mysql_native_password, md5 of PostgreSQL.
        let bytes = Array(text.utf8)
        if bytes.first == 0x2A, bytes.count == 41, bytes.dropFirst().allSatisfy(Byte.isHex) { return true }
        if text.hasPrefix("md5"), bytes.count == 35, bytes.dropFirst(3).allSatisfy(Byte.isHex) { return true }
        return false
    }

    /// An address of mail, as anonymous users give one.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."),
            let last = parts[1].split(separator: ".").last
        else { return false }
        return (2...6).contains(last.count) && last.allSatisfy(\.isLowercase)
            && parts[0].allSatisfy { $0.isLetter || $0.isNumber || "._+-".contains($0) }
    }

    private static func isPath(_ text: String) -> Bool {
        // LoadCredential of systemd: the name before it.
        if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(":/"),
            isPath(String(text[colon...].dropFirst()))
        {
            return true
        }
        if text.hasPrefix("./") || text.hasPrefix("../") || text.hasPrefix("~/") || text.hasPrefix("C:\\")
            || text.hasPrefix("/run/") || text.hasPrefix("/etc/") || text.hasPrefix("/var/") || text.hasPrefix("/home/")
            || text.hasPrefix("/usr/") || text.hasPrefix("/opt/")
        {
            return true
        }
        // A port of /etc/services.
        if let slash = text.firstIndex(of: "/"), text[..<slash].allSatisfy(\.isNumber),
            ["tcp", "udp", "sctp"].contains(text[text.index(after: slash)...])
        {
            return true
        }
        guard text.hasPrefix("/") else { return false }
        let parts = text.split(separator: "/")
        return parts.count >= 2
            && parts.allSatisfy {
                $0.allSatisfy {
                    $0.isLowercase || $0.isNumber && text.utf8.count < 40 || $0 == "-" || $0 == "_" || $0 == "."
                        || $0 == ":" || $0 == "{" || $0 == "}"
                }
            }
    }

    /// What a person may have chosen.
    private static func isPassword(_ text: String, _ isQuoted: Bool, _ kind: TextKind) -> Bool {
        let scalars = text.unicodeScalars
        let digits = scalars.count { ("0"..."9").contains($0) }
        let letters = scalars.count { $0.properties.isAlphabetic }
        let blanks = scalars.count { $0 == " " }
        let symbols = scalars.count - digits - letters - blanks
        guard scalars.count <= 256 else { return false }
        if blanks > 0 { return isPassphrase(text, digits: digits, symbols: symbols, kind) }
        if symbols == 0, digits == 0 { return isWordPassword(text, kind, isQuoted) }
        if letters == 0 {
            return digits >= (kind == .source ? 12 : 6) && !isDate(text) && !isSequence(Array(text.utf8))
                || symbols >= 3 && digits >= 3
        }
        // user_password, form.password, password-input.
        if digits == 0, symbols <= 6,
            scalars.allSatisfy({ $0.properties.isAlphabetic || "_-./: ".unicodeScalars.contains($0) })
        {
            return isJoinedWords(text, kind)
        }
        let words = text.split { !$0.isLetter }.map { $0.lowercased() }
        if words.count >= 2, words.count(where: common.contains) >= 2 { return false }
        // A call, an index, a format.
        if text.hasSuffix("@") || text.hasPrefix("(") && text.hasSuffix(")") { return false }
        // The name of a variable in place of its value.
        if text.contains("_"), text.allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" }),
            SecretName.judged(text) != nil
        {
            return false
        }
        if text.hasSuffix("()") || text.hasSuffix(");") || text.contains("[") && text.hasSuffix("]") && !isQuoted {
            return false
        }
        if !isQuoted, text.contains("("), text.contains(")") { return false }
        if text.contains("%s") || text.contains("%d") || text.contains("{}") { return false }
        return scalars.count >= 5
    }

    private static func isDate(_ text: String) -> Bool { text.count == 10 && text.split(separator: "-").count == 3 }

    /// `correct-horse-battery-staple` is a passphrase, `user-password` and `form.password` are names.
    private static func isJoinedWords(_ text: String, _ kind: TextKind) -> Bool {
        let words = text.split { !$0.isLetter }.map { $0.lowercased() }
        if text.hasSuffix(":") || text.hasSuffix(".") && words.count < 3 { return false }
        if words.contains(where: { SecretName.judged($0) != nil || common.contains($0) }) { return false }
        guard kind != .source || words.count >= 4 else { return text.contains { "!@#$%^&*+?".contains($0) } }
        return words.count >= 3 && text.utf8.count >= 14
    }

    private static func isPassphrase(_ text: String, digits: Int, symbols: Int, _ kind: TextKind) -> Bool {
        let words = text.split(separator: " ").map { $0.lowercased().filter(\.isLetter) }
        if words.contains(where: { common.contains($0) || SecretName.judged($0) != nil }) { return false }
        if text.hasSuffix(".") || text.hasSuffix(":") || text.hasSuffix("?") || text.hasSuffix(",")
            || text.contains("=")
        {
            return false
        }
        if words.count >= 4, digits == 0 { return words.allSatisfy { $0.count >= 3 } && text == text.lowercased() }
        return digits >= 1 && symbols >= 1 && words.count <= 4 || digits >= 2 && words.count <= 6
    }

    /// Letters alone.
    private static func isWordPassword(_ text: String, _ kind: TextKind, _ isQuoted: Bool) -> Bool {
        let lower = text.lowercased()
        if common.contains(lower) || SecretName.judged(text) != nil { return false }
        let changes = zip(text, text.dropFirst()).count { $0.isLowercase && $1.isUppercase }
        let isWord = text == lower || text.dropFirst() == text.dropFirst().lowercased()
        // aBcDeFgHiJ: a generator's.
        if !isWord, changes >= 3, text.count >= 10 { return bits(Array(text.utf8)) > 3 }
        if text == text.uppercased() { return false }
        switch kind {
        case .config, .commands, .log:
            return text == lower ? text.count >= 6 : isWord && text.count >= 8 && kind == .config
        case .script: return text == lower && text.count >= 6
        default: return false
        }
    }

    /// What a program made.
    private static func isToken(_ value: [UInt8], _ text: String, fewest: Int) -> Bool {
        guard value.count >= fewest, value.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return false }
        let digits = value.count(where: Byte.isDigit)
        let uppers = value.count(where: Byte.isUpper)
        let lowers = value.count(where: Byte.isLower)
        // Of a generator that takes any character, as those of Django and WordPress do.
        let symbols = Set(value.filter { !Byte.isWord($0) && $0 != 0x2D && $0 != 0x2E && $0 != 0x2F })
        if value.count >= 20, symbols.count >= 4, digits >= 2, uppers + lowers >= 8, bits(value) >= 4,
            value.count >= 32 || !text.contains("(") && !text.contains(" ")
        {
            return true
        }
        guard !value.contains(0x20) else { return false }
        guard digits + uppers + lowers >= value.count * 3 / 4, uppers + lowers > 0 else { return false }
        if value.contains(where: {
            [0x28, 0x29, 0x5B, 0x5D, 0x7B, 0x7D, 0x3C, 0x3E, 0x22, 0x27, 0x5C, 0x60, 0x2C, 0x3B].contains($0)
        }) {
            return false
        }
        // Words, joined: some-service-token, User.AccessToken, PASSWORD_GRANT.
        let parts = text.split { !$0.isLetter && !$0.isNumber }
        let words = parts.filter { part in
            part.allSatisfy(\.isLetter)
                && (part == part.lowercased() || part == part.uppercased()
                    || part.dropFirst() == part.dropFirst().lowercased())
                && part.count <= 14
        }
        let worded = words.reduce(0) { $0 + $1.utf8.count }
        if worded + parts.count - 1 >= value.count { return false }
        if worded * 3 > value.count * 2, digits < 6 { return false }
        if digits == 0, uppers == 0 || lowers == 0 || !isMixed(text) { return false }
        if isSequence(value.map(Byte.lower)) { return false }
        // Names in camelCase.
        if digits == 0, isWordy(text) { return false }
        return bits(value) >= (value.count >= 20 ? 3.0 : 2.7)
    }

    /// Upper and lower case as chance has it, not as in `camelCaseNames`.
    private static func isMixed(_ text: String) -> Bool {
        let changes = zip(text, text.dropFirst()).count { $0.isLowercase != $1.isLowercase }
        return changes * 3 >= text.utf8.count
    }

    /// Words of interfaces and of programs, which are no passwords.
    static let common: Set<String> = [
        "enter", "your", "please", "the", "must", "is", "are", "was", "for", "and", "with", "this", "that", "forgot",
        "reset", "login", "sign", "signin", "logout",
        "username", "user", "admin", "root", "email", "required", "invalid", "incorrect", "new", "old", "current",
        "confirm", "repeat", "change", "show",
        "hide", "field", "input", "form", "string", "number", "boolean", "null", "none", "true", "false", "undefined",
        "optional", "value", "text", "hidden",
        "manager", "generator", "validation", "minlength", "maxlength", "basic", "bearer", "oauth", "plain", "auto",
        "always", "never", "default", "file",
        "stdin", "prompt", "ask", "askpass", "keyring", "keychain", "env", "environment", "variable", "database",
        "development", "production", "staging",
        "localhost", "postgres", "mysql", "guest", "example", "sample", "test", "testing", "placeholder", "not", "set",
        "has", "have", "been", "will", "should",
        "can", "cannot", "could", "updated", "changed", "missing", "wrong", "successful", "failed", "you", "we", "my",
        "of", "to", "in", "on", "at", "by",
        "self", "const", "let", "func", "return", "function", "class", "struct", "char", "bytes", "object", "array",
        "varchar", "getpass", "encrypt", "encrypted",
        "hashed", "hash", "bitte", "eingeben", "saisir", "votre", "ihr", "zurücksetzen", "oublié", "vergessen",
        "least", "characters", "mindestens", "zeichen", "minimum", "maximum", "code", "expired", "abgelaufen", "au",
        "moins", "caractères", "al", "menos", "caracteres", "see", "siehe", "vault", "safe", "access", "personal",
        "ignored", "pass", "raise", "introduzca", "su", "del", "de", "la", "le", "il",
    ]
}
