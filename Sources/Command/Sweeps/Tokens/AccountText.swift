// SPDX-License-Identifier: Apache-2.0

import Readers

/// Files whose name says that they hold passwords: lists of accounts, and one secret alone.
enum AccountText {
    private static let mostLines = 10_000

    /// What a file's name says of it.
    enum Kind: Sendable, Equatable {
        /// One secret alone: `db_password.txt`, `server.psk`.
        case alone
        /// Accounts with their passwords, a line each or several.
        case list
    }

    static func kind(_ path: String) -> Kind? {
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return nil }
        let name = last.lowercased()
        guard !TextKind.isExample(name) else { return nil }
        let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
        let isText = [
            "", "txt", "text", "lst", "list", "key", "psk", "secret", "secrets", "users", "client", "auth", "pass",
            "pw",
            "passwd", "token", "cookie", "cred", "creds", "credentials", "up", "md", "conf",
        ].contains(ending)
        guard isText || name.hasPrefix(".") else { return nil }
        let words = SecretName.words(String(last))
        if words.contains(where: lists.contains) { return .list }
        // Words that many files of other kinds have.
        if ending != "md", ending != "conf", words.count <= 2,
            words.contains(where: { ["users", "auth", "login", "passwd", "up"].contains($0) })
        {
            return .list
        }
        let stem =
            ending.isEmpty || name.hasPrefix(".") && !name.dropFirst().contains(".")
            ? name : String(name.dropLast(ending.count + 1))
        if SecretName.judged(stem) != nil || ["psk", "token", "secret", "pass", "pw"].contains(ending) {
            return stem.hasSuffix("s") || ending == "md" || ending == "conf" ? .list : .alone
        }
        // `.vault_pass_edge`, `.erlang.cookie`: a word of the name says it; it has one word alone to be a secret.
        if words.contains(where: { SecretName.isDoubtless($0) }) || ending == "cookie" { return .alone }
        // The folder says it as well.
        let folder = parts.dropLast().last.map(String.init) ?? ""
        let isList = SecretName.words(folder).contains {
            lists.contains($0) && !["users", "auth", "passwd"].contains($0)
        }
        return ["", "txt", "lst", "list"].contains(ending)
            && (isList || ["pw", "pwd", "passwords"].contains(folder.lowercased()))
            ? .list : nil
    }

    private static let lists: Set<String> = [
        "passwords", "logins", "accounts", "credentials", "creds", "secrets", "userpass",
        "zugang",
        "zugangsdaten", "zugaenge", "passwörter", "passwoerter", "kennwörter", "kennwoerter", "konten", "chap", "pap",
        "sasl",
        "contraseñas", "contrasenas", "accesos", "claves", "identifiants", "mdp", "пароли", "combo", "combos",
        "pins", "htpasswd", "senhas", "hasla", "wachtwoorden",
    ]

    static func found(in bytes: [UInt8], _ kind: Kind) -> [Found] {
        let lines = bytes.lines(in: 0..<bytes.count).prefix(mostLines).map { bytes.trimmed($0) }
        switch kind {
        case .alone: return alone(bytes, lines.filter { !$0.isEmpty && bytes[$0.lowerBound] != 0x23 })
        case .list: return list(bytes, lines)
        }
    }

    private static func secret(_ range: Range<Int>, _ account: String) -> Found {
        Found(
            rule: Rule(.assignment, "account/password", issuer: "a list of accounts"), range: range, form: .plain,
            service: "", account: account)
    }

    private static func alone(_ bytes: [UInt8], _ lines: [Range<Int>]) -> [Found] {
        guard lines.count == 1, let line = lines.first, !bytes[line].contains(0x20) else { return [] }
        let value = Array(bytes[line])
        guard (6...512).contains(value.count), !Placeholder.isOne(value), !SecretValue.isExample(value),
            let text = String(validUTF8: value), !SecretValue.isHash(text), value.first != 0x2F, !text.contains("://"),
            value.contains(where: { !Byte.isLetter($0) }) || value.count >= 16, !text.hasPrefix("ssh-")
        else { return [] }
        return [secret(line, "")]
    }

    /// Lines such as `user:password`, `host user password`, and the lines user and password below each other.
    private static func list(_ bytes: [UInt8], _ lines: [Range<Int>]) -> [Found] {
        let content = lines.filter { !$0.isEmpty && bytes[$0.lowerBound] != 0x23 }
        if content.count == 1, fields(bytes, content[0]).count == 1 { return alone(bytes, content) }
        var found: [Found] = []
        // Words that stand alone since the last empty line.
        var alone = 0
        for line in lines where found.count < TextFinder.most {
            guard !line.isEmpty, !"#;/".utf8.contains(bytes[line.lowerBound]) else {
                alone = 0
                continue
            }
            let fields = fields(bytes, line)
            guard let last = fields.last, fields.count <= 7 else { continue }
            let value = Array(bytes[last])
            if fields.count == 1 {
                alone += 1
                if alone >= 2, alone <= 4, SecretValue.isAlone(value, alone == 2 && lines.count > 3 ? .strict : .loose)
                {
                    found.append(secret(last, ""))
                }
                continue
            }
            // The third of four columns of pppd's files, before the addresses; the last field otherwise.
            let isAddress = bytes[last].allSatisfy { Byte.isDigit($0) || [0x2A, 0x2E, 0x3A, 0x2F].contains($0) }
            let isTable =
                fields.count >= 3 && (bytes[fields[1]].elementsEqual([0x2A]) || fields.count >= 4 && isAddress)
            let field = isTable ? fields[2] : last
            let own = isTable ? Array(bytes[field]) : value
            let first = bytes.text(fields[0])
            if SecretName.judged(first) != nil || first == "pin" {
                // NAME: VALUE is found as such; a PIN only here.
                if first.lowercased() == "pin", (4...8).contains(own.count), own.allSatisfy(Byte.isDigit) {
                    found.append(secret(field, first))
                }
                continue
            }
            let isOne =
                isTable
                ? SecretValue.isOne(own, .password, isQuoted: true, .config)
                : fields.count <= 4
                    && (SecretValue.isAlone(own, .loose)
                        || fields.count == 3 && SecretValue.isOne(own, .token, isQuoted: true, .config)
                            && own.count >= 24)
            if isOne, !SecretValue.isDigest(own) { found.append(secret(field, first)) }
        }
        return found
    }

    /// The parts of a line: separated by `|`, `:` or `;` if it has no blanks, by blanks otherwise.
    private static func fields(_ bytes: [UInt8], _ line: Range<Int>) -> [Range<Int>] {
        let words = WordText.words(bytes, line).map(\.range).filter {
            !bytes[$0].allSatisfy { "-:|/=>,".utf8.contains($0) }
        }
        guard let last = words.last else { return [] }
        for separator in [0x7C, 0x3A, 0x3B, 0x2C] as [UInt8] {
            guard let at = bytes[last].firstIndex(of: separator), at > last.lowerBound, at + 1 < last.upperBound else {
                continue
            }
            if separator == 0x3A, bytes.matches("://", at: at, end: last.upperBound) { continue }
            // `user:{PLAIN}password::::`: the second field of passwd(5).
            let cut = bytes[at + 1..<last.upperBound].firstIndex(of: separator)
            let rest = separator == 0x7C ? bytes[last].lastIndex(of: separator).map { $0 + 1..<last.upperBound } : nil
            if separator == 0x3A, let colon = bytes[last].lastIndex(of: 0x3A), colon > at + 1,
                colon + 1 < last.upperBound,
                bytes[at + 1..<colon].allSatisfy({ Byte.isWord($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x40 })
            {
                // host:user:password
                return words.dropLast() + [last.lowerBound..<at, at + 1..<colon, colon + 1..<last.upperBound]
            }
            let value = rest ?? at + 1..<(separator == 0x3A ? last.upperBound : cut ?? last.upperBound)
            return words.dropLast() + [last.lowerBound..<at, value]
        }
        return words
    }
}
