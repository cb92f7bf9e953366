// SPDX-License-Identifier: Apache-2.0

/// Whether the name of a variable, a member or an option means a secret.
package enum SecretName {
    /// What a name means, and so how its values look.
    package enum Meaning: Sendable, Equatable {
        /// A password, a passphrase or a secret that a person may have chosen.
        case password
        /// A key or token that a program made.
        case token
        /// A word that is more often something else: its value has to look random.
        case weak
    }

    /// Nil: it means none. `dbPassword`, `API_KEY`, `spring.datasource.password`, `client-secret`.
    package static func judged(_ name: String) -> Meaning? {
        guard name.utf8.count <= 128 else { return nil }
        // What is before a full stop is a place, not what the last part of several words means.
        if let dot = name.utf8.lastIndex(of: 0x2E), case let last = words(String(name[name.utf8.index(after: dot)...])),
            last.count > 1 || ["secret", "token", "pepper"].contains(last.first ?? "")
        {
            return judged(last)
        }
        return judged(words(name))
    }

    /// The words of a name, in lower case.
    static func words(_ name: String) -> [String] {
        let bytes = Array(name.utf8)
        return bytes.allSatisfy { $0 < 0x80 } ? words(ascii: bytes) : words(scalars: name)
    }

    private static func words(ascii bytes: [UInt8]) -> [String] {
        var words: [String] = []
        var start = 0
        func add(_ end: Int) {
            if end > start { words.append(String(decoding: bytes[start..<end].map(Byte.lower), as: UTF8.self)) }
            start = end
        }
        for (index, byte) in bytes.enumerated() {
            guard Byte.isLetter(byte) || Byte.isDigit(byte) else {
                add(index)
                start = index + 1
                continue
            }
            guard Byte.isUpper(byte), index > start else { continue }
            let isLowerNext = index + 1 < bytes.count && Byte.isLower(bytes[index + 1])
            if !Byte.isUpper(bytes[index - 1]) || isLowerNext { add(index) }
        }
        add(bytes.count)
        return words
    }

    private static func words(scalars name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var before: Unicode.Scalar?
        let scalars = Array(name.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            // The marks of Indic scripts are parts of letters.
            let isLetter =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || scalar.properties.canonicalCombiningClass != .notReordered
            guard isLetter else {
                if !word.isEmpty { words.append(word) }
                (word, before) = ("", nil)
                continue
            }
            let isUpper = scalar.properties.isUppercase
            let wasUpper = before?.properties.isUppercase ?? true
            let isLowerNext = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
            if isUpper, !word.isEmpty, !wasUpper || isLowerNext {
                words.append(word)
                word = ""
            }
            word += scalar.properties.lowercaseMapping
            before = scalar
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func judged(_ all: [String]) -> Meaning? {
        var words = all[...]
        // PASSWORD_1, password2, token_prod.
        while words.count > 1, let last = words.last,
            qualifiers.contains(last) || last.drop(while: { $0 == "v" }).allSatisfy(\.isNumber)
        {
            words = words.dropLast()
        }
        guard let last = words.last.map(withoutNumber) else { return nil }
        if last == "salt", words.dropLast().last == "hash" { return .token }
        guard !all.contains(where: denials.contains),
            let found = meaning(all, words, last)
        else { return nil }
        return found != .password && all.suffix(4).contains(where: tokenDenials.contains) ? nil : found
    }

    private static func meaning(_ all: [String], _ words: ArraySlice<String>, _ last: String) -> Meaning? {
        let before = words.dropLast().last ?? ""
        if passwords.contains(last) || passwordEnds.contains(where: last.hasSuffix) || isPass(last) {
            return isPrefixed(last, before) ? .password : nil
        }
        if last == "passe", before == "de" || before == "palavra" { return .password }
        if last == "khẩu", before == "mật" { return .password }
        if last == "material", before == "key" { return .password }
        if last == "phrase", before == "pass" { return .password }
        if last == "text", before == "clear" { return .password }
        if last.hasSuffix("pw") || last.hasSuffix("psk"), last.utf8.count > 2 { return .password }
        if last == "pin" {
            return words.count > 1
                && ["card", "sim", "smartcard", "unlock", "hsm", "token", "user", "so"].contains(before)
                ? .password : nil
        }
        if secrets.contains(last) || last.hasSuffix("secret") && last != "nosecret" { return .password }
        if last.utf8.first.map({ $0 >= 0xE0 }) == true, tokenEnds.contains(where: last.hasSuffix) { return .token }
        if last == "token" || last.hasSuffix("token") || tokens.contains(last) { return .token }
        if last == "key" || last == "keys" { return keyMeaning(last, before, words.count, all) }
        if keys.contains(last) { return .token }
        if last == "salt", before == "auth" || before == "in" || before == "nonce" || before == "secret" {
            return .token
        }
        if last.hasSuffix("private") { return .weak }
        if last == "pepper" || last == "masterauth" { return .token }
        if last == "oauth" || last == "authorization" { return .weak }
        if last == "auth" || last == "bearer" || last == "sas" || last == "connectionstring" { return .weak }
        return nil
    }

    private static func isPrefixed(_ last: String, _ before: String) -> Bool {
        // `bypass`, `compass` and `by_pass` are none; `pass` alone counts with another word or as a whole name.
        last != "pass"
            || ![
                "by", "first", "second", "single", "multi", "render", "test", "fail", "low", "high", "band", "boarding",
            ].contains(before)
    }

    /// `smtppass`, `requirepass`; not `bypass`.
    private static func isPass(_ word: String) -> Bool {
        word.hasSuffix("pass") && word.utf8.count > 4
            && !["bypass", "compass", "surpass", "trespass", "overpass", "underpass", "encompass", "gopass", "keepass"]
                .contains(word)
    }

    private static func withoutNumber(_ word: String) -> String {
        var word = word[...]
        while let last = word.last, last.isNumber, word.count > 3 { word = word.dropLast() }
        return String(word)
    }

    private static func keyMeaning(_ last: String, _ before: String, _ count: Int, _ all: [String]) -> Meaning? {
        if count == 1 { return .weak }
        // X-Api-Key and its like: headers with a key have a secret one.
        if all.first == "x", last == "key" { return .token }
        if before == "preshared" || before == "shared" && all.contains("pre") { return .password }
        if keyWords.contains(before) || all.contains("secret") { return .token }
        return .weak
    }

    private static let passwords: Set<String> = [
        "password", "passwd", "passwort", "passphrase", "passcode", "pwd", "pass", "psk", "pw", "kennwort", "passw",
        "contraseña", "contrasena", "contrasenia", "clave", "senha", "motdepasse", "mdp", "wachtwoord", "haslo",
        "hasło", "heslo", "parola",
        "пароль", "密码", "密碼", "パスワード", "비밀번호", "암호", "lösenord", "losenord", "adgangskode", "kodeord", "passord",
        "salasana",
        "sifre", "şifre", "jelszo", "jelszó", "parool", "sandi", "κωδικός", "mots", "pswd", "passwrd", "userpass",
        "dbpass", "rootpw", "userpw", "userpwd", "totp", "parole", "лозинка", "hasła", "passe-partout", "passwörter",
        "口令", "парола", "parolă", "geslo", "lozinka", "slaptažodis", "tunnussana", "συνθηματικό", "المرور", "السر",
        "סיסמה",
        "סיסמא", "पासवर्ड", "รหัสผ่าน", "pasahitza", "lykilorð", "contrasenya", "palavrapasse",
    ]
    private static let passwordEnds = [
        "password", "passwd", "passwort", "passphrase", "kennwort", "пароль", "密码", "密碼", "パスワード", "비밀번호", "wachtwoord",
        "heslo",
        "motdepasse", "lösenord", "losenord", "dbpass", "dbpwd", "暗証番号", "パスコード", "口令", "핀번호", "암호",
    ]
    private static let secrets: Set<String> = [
        "secret", "credential", "credentials", "creds", "geheimnis", "secreto", "segredo", "секрет",
    ]
    private static let tokens: Set<String> = [
        "token", "passkey", "authtok", "jeton", "pat", "authtoken", "accesstoken", "ticket", "токен", "令牌", "トークン",
    ]
    private static let tokenEnds = ["トークン", "シークレット", "令牌", "密钥", "密鑰", "토큰", "시크릿", "秘密鍵"]
    private static let keys: Set<String> = [
        "apikey", "secretkey", "privatekey", "authkey", "accountkey", "signingkey", "encryptionkey", "masterkey",
        "sharedkey", "appsecret",
        "appkey", "nwkkey", "appskey", "nwkskey", "sharedaccesskey", "secretaccesskey", "apisecret", "apitoken",
        "keybase", "presharedkey", "rpcsecret",
    ]
    private static let keyWords: Set<String> = [
        "api", "secret", "private", "auth", "signing", "encryption", "encrypt", "crypt", "master", "account", "shared",
        "storage", "session",
        "cookie", "jwt", "hmac", "deploy", "role", "admin", "webhook", "nonce", "service", "sign", "write", "host",
        "subscription", "ingest",
        "preshared", "authorization", "cipher", "aes", "sharedaccess", "consumer", "stripe", "openai", "sendgrid",
        "mailgun",
        "datadog", "anthropic", "google", "network", "store", "maps", "bot", "license", "device", "kms", "wep", "read",
    ]
    /// Words behind a name that don't change what it means.
    private static let qualifiers: Set<String> = [
        "prod", "production", "dev", "development", "staging", "stage", "live", "old", "new", "backup", "value",
        "plain", "plaintext", "clear",
        "cleartext", "string", "str", "base", "primary", "secondary", "main", "default", "test", "sandbox", "literal",
        "raw", "current", "prev", "v1", "v2",
        "eu", "us", "admin", "root", "data",
    ]
    /// Words before the last with which any name means another thing.
    private static let denials: Set<String> = [
        "public", "pub", "csrf", "xsrf", "next", "continuation", "cursor", "cancellation", "design", "semantic",
        "pagination", "previous", "syntax", "lex", "ast", "eos", "bos", "sep", "cls", "pad", "unk", "mask", "special",
        "num", "completion", "no", "use", "has", "is", "show", "hide", "forgot", "forgotten", "reset", "change",
        "changed", "update", "updated", "enter", "invalid", "wrong", "require", "required", "enable", "enabled",
        "disable", "allow", "publishable", "foreign", "confirm", "encrypted", "hashed", "hash", "anti", "forgery",
        "idempotency", "weak", "mismatch", "missing", "incorrect", "failed", "etag", "tokenizer", "checksum",
        "digest", "fingerprint", "placeholder", "disabled", "example", "anon",
    ]
    /// The same for keys and tokens alone: a password of a cache is one, a key of a cache isn't.
    private static let tokenDenials: Set<String> = [
        "primary", "sort", "partition", "row", "object", "cache", "cached", "shift", "ctrl", "alt", "hot", "shortcut",
        "tab", "esc", "config", "setting", "settings", "param", "event", "lookup", "unique", "composite",
        "registry", "dict", "react", "query", "title", "message", "column", "property", "host", "known", "trusted",
        "signature", "verify", "verification", "gpg", "pgp", "site", "translation", "i18n", "locale", "label",
        "field", "sync", "page", "input", "output", "total", "start", "max", "min", "resume", "dedupe",
        "pusher", "instrumentation", "recv",
    ]
}
