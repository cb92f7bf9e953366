// SPDX-License-Identifier: Apache-2.0

import Readers

extension SecretValue {
    /// How sure a word has to be where only words near it say what it is.
    enum Alone: Sendable {
        /// The name is directly before it.
        case loose
        /// The name is somewhere in the line, or in the line before.
        case strict
    }

    /// Whether a word looks like a password by itself: none of a language, and nothing that texts and programs have
    /// for other reasons, as versions, hosts, identifiers, dates, hashes.
    static func isAlone(_ value: [UInt8], _ alone: Alone) -> Bool {
        guard (6...80).contains(value.count), !value.contains(where: { $0 <= 0x20 }) else { return false }
        let isApp = isAppSpecific(value)
        guard isApp || isMixed(value, alone), !Placeholder.isOne(value), !isExample(value),
            let text = String(validUTF8: value), !isHash(text), !isTechnical(value, text)
        else { return false }
        return isApp || !isWordy(text)
    }

    private static let marks = ByteSet("!@#$%^&*+=~")
    private static let signs = ByteSet("!@#$%^&*")
    private static let brackets = ByteSet("()[]{}<>\"'`\\")

    /// Whether the characters are of several kinds, as in passwords.
    private static func isMixed(_ value: [UInt8], _ alone: Alone) -> Bool {
        var (digits, uppers, lowers, marks, joints) = (0, 0, 0, 0, 0)
        for byte in value {
            if Byte.isDigit(byte) {
                digits += 1
            } else if Byte.isUpper(byte) {
                uppers += 1
            } else if Byte.isLower(byte) || byte >= 0x80 {
                lowers += 1
            } else if byte == 0x2D || byte == 0x5F || byte == 0x2E {
                joints += 1
            } else if Self.brackets.contains(byte) {
                return false
            } else if Self.marks.contains(byte) {
                marks += 1
            }
        }
        guard uppers + lowers >= 2 else { return false }
        let isMixed = uppers > 0 && lowers > 0
        guard digits + marks > 0, marks > 0 || !value.contains(0x2F) else { return false }
        // Of words with a sign alone: one at the end belongs to the text.
        if digits == 0, !(isMixed && value.dropLast().contains(where: signs.contains)) { return false }
        if value.last == 0x3F || value.contains(0x3A) && marks == 0 { return false }
        switch alone {
        case .loose:
            // chapter3, user1: a word with a digit behind it.
            if digits == 1, marks == 0, !isMixed, joints == 0, Byte.isDigit(value[value.count - 1]) { return false }
            return digits > 0 || marks > 0 && isMixed
        case .strict:
            guard value.count >= 7, digits > 0 else { return false }
            let changes = zip(value, value.dropFirst()).count { Byte.isDigit($0) != Byte.isDigit($1) }
            return marks > 0 || value.count >= 8 && changes >= 3 || isMixed && (value.count >= 8 || changes >= 2)
                || joints > 0 && changes >= 1
                || value.count >= 9 && changes >= 2
        }
    }

    /// Words joined as in identifiers: `oauth2_access_token`, `libpam-krb5-config`.
    static func isWordy(_ text: String) -> Bool {
        let parts = text.split { !$0.isLetter && !$0.isNumber }
        let words = parts.filter { part in
            part.count >= 3 && part.allSatisfy(\.isLetter) && (part == part.lowercased() || part == part.uppercased())
        }
        let letters = words.reduce(0) { $0 + $1.count }
        if words.count >= 2, letters * 2 >= text.count { return true }
        // camelCase2Names: humps of letters, and few digits between them.
        guard parts.count == 1, let part = parts.first, part.count == text.count else { return false }
        let changes = zip(part, part.dropFirst()).count { $0.isLowercase && $1.isUppercase }
        return changes >= 1 && part.count(where: \.isNumber) <= (changes >= 3 ? 2 : 1) && part.last?.isNumber == false
            && part.count >= 8
            && part.dropFirst().count(where: \.isUppercase) * 4 <= part.count
    }

    /// Four groups of four lower-case letters, as Apple and Google make passwords for one app.
    private static func isAppSpecific(_ value: [UInt8]) -> Bool {
        value.count == 19
            && value.enumerated().allSatisfy { [4, 9, 14].contains($0) ? $1 == 0x2D : Byte.isLower($1) }
            && Set(value).count >= 8
    }

    static func isTechnical(_ value: [UInt8], _ text: String) -> Bool {
        if text.contains("://") || text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("~/")
            || text.hasPrefix("--") || text.hasPrefix("www.") || text.contains("${") || text.contains("{{")
        {
            return true
        }
        if value.count(where: { $0 == 0x2F }) >= 2 || isNumeral(value) || isHost(text) || isFile(text) { return true }
        if value.count >= 32, value.allSatisfy({ Byte.isHex($0) || $0 == 0x2D }) { return true }
        // name=value, and the form of files for remote desktops.
        if let equals = value.firstIndex(of: 0x3D), equals > 1, equals < value.count - 1,
            value[..<equals].allSatisfy({ Byte.isWord($0) || $0 == 0x2D })
        {
            return true
        }
        if text.hasPrefix("51:b:") { return true }
        // ABC-1234, RFC6238, AES-256: capitals and digits alone, short.
        let parts = text.split { "-_./:".contains($0) }
        let isLabel = parts.allSatisfy { part in
            part.allSatisfy(\.isNumber) || part.allSatisfy { $0.isUppercase }
        }
        if isLabel, parts.count >= 2, value.count < 16 { return true }
        let word = text.lowercased().split { !$0.isLetter && !$0.isNumber }.first.map(String.init) ?? ""
        let stem = String(word.reversed().drop(while: \.isNumber).reversed())
        return technical.contains(stem)
            && (word.count > stem.count || text.dropFirst(stem.count).allSatisfy { !$0.isLetter }
                || parts.count > 1 && parts.dropFirst().allSatisfy { $0.allSatisfy(\.isNumber) })
    }

    /// 1.2.3, v2.0-beta1, 12px, 2025-02-11T10:00, 10.0.0.1:80.
    private static func isNumeral(_ value: [UInt8]) -> Bool {
        let rest = value.first == 0x76 || value.first == 0x56 ? value[1...] : value[...]
        guard let first = rest.first, Byte.isDigit(first) else { return false }
        let digits = rest.count(where: Byte.isDigit)
        let joints = rest.count { [0x2E, 0x2D, 0x3A, 0x2F, 0x2C, 0x54, 0x5A, 0x2B, 0x78].contains($0) }
        if digits + joints >= rest.count - 1 { return true }
        let head = rest.prefix { Byte.isDigit($0) || $0 == 0x2E }
        return head.contains(0x2E) && head.count >= 3 && rest.dropFirst(head.count).first == 0x2D
            || rest.dropFirst(head.count).allSatisfy(Byte.isLower) && rest.count - head.count <= 4
    }

    /// An address of mail or of a host.
    private static func isHost(_ text: String) -> Bool {
        if let at = text.firstIndex(of: "@"), at > text.startIndex {
            let host = text[text.index(after: at)...]
            return host.contains(".") && host.allSatisfy { $0.isLetter || $0.isNumber || ".-_>,;".contains($0) }
        }
        var bare = text.split(separator: ":").first ?? ""
        if bare.hasSuffix(".") { bare = bare.dropLast() }
        let labels = bare.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, hosts.contains(String(last)) else { return false }
        return bare.allSatisfy { $0.isLetter || $0.isNumber || ".-_".contains($0) }
    }

    /// A name with the ending of a file, or a call.
    private static func isFile(_ text: String) -> Bool {
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return false }
        return files.contains(text[text.index(after: dot)...].lowercased())
    }

    private static let technical: Set<String> = [
        "sha", "aes", "md", "utf", "iso", "rfc", "oauth", "base", "http", "https", "tls", "ipv", "es", "rs", "hs", "ps",
        "hmac", "rsa", "ed", "ecdsa", "chacha", "argon", "bcrypt", "scrypt", "pbkdf", "pkcs", "cve", "kb", "win",
        "windows", "ubuntu", "debian", "python", "php", "java", "node", "postgres", "mysql", "redis", "version",
        "step", "page", "chapter", "figure", "table", "issue", "pr", "bug", "ticket", "line", "rev", "build", "room",
        "floor", "level", "phase", "sprint", "day", "week", "month", "year", "user", "host", "server", "node", "vlan",
        "port", "eth", "usb", "wpa", "wep", "ssd", "cpu", "gpu", "ram", "api", "id", "uid", "ver", "release", "x",
    ]
    private static let hosts: Set<String> = [
        "com", "org", "net", "de", "eu", "io", "dev", "local", "lan", "example", "internal", "fr", "es", "it", "ru",
        "uk", "ch", "at", "nl", "pl", "pt", "br", "cn", "jp", "us", "ca", "info", "app", "cloud", "test", "invalid",
        "localhost", "svc", "intern", "home", "me", "co", "tv", "biz", "edu", "gov", "corp",
    ]
    private static let files: Set<String> = [
        "txt", "md", "pdf", "doc", "docx", "xls", "xlsx", "csv", "json", "yml", "yaml", "toml", "xml", "ini", "conf",
        "cfg", "sh", "py", "js", "ts", "go", "rs", "rb", "php", "java", "kt", "swift", "c", "h", "cpp", "cs", "html",
        "css", "png", "jpg", "jpeg", "gif", "svg", "zip", "gz", "tgz", "tar", "xz", "bz2", "7z", "rar", "iso", "img",
        "exe", "msi", "deb", "rpm", "jar", "war", "key", "pem", "crt", "cer", "p12", "pfx", "jks", "kdbx", "log",
        "sql", "db", "sqlite", "bak", "lock", "env", "eml", "ppk", "pub", "gpg", "asc", "service", "timer", "tf",
    ]
}
