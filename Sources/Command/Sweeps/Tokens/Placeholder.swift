// SPDX-License-Identifier: Apache-2.0

import Readers

/// Values that are no secret in any file: references to one, and texts that wait for one.
package enum Placeholder {
    /// Whether a value is empty, a reference such as `${NAME}`, a mask such as `xxx`, or a text such as `changeme`.
    package static func isOne(_ value: [UInt8]) -> Bool {
        guard let first = value.first else { return true }
        if isReference(value, first) { return true }
        // One character again and again, or a mask.
        if value.count >= 3, value.allSatisfy({ $0 == first }) { return true }
        if value.isASCII(0..<value.count) { return isWaiting(ascii: value) }
        guard let text = String(validUTF8: value)?.lowercased() else { return false }
        return isWaiting(text)
    }

    private static func isReference(_ value: [UInt8], _ first: UInt8) -> Bool {
        let count = value.count
        switch first {
        // $NAME, ${NAME}, $(command), ${{ secrets.NAME }}
        case 0x24:
            if count == 1 { return true }
            if value[1] == 0x7B || value[1] == 0x28 { return true }
            return value.dropFirst().allSatisfy { Byte.isWord($0) }
                && (!value.contains(where: Byte.isLower)
                    || value.dropFirst().allSatisfy { Byte.isLetter($0) || $0 == 0x5F })
        // {{ name }}, {name}, but no JSON
        case 0x7B: return value.last == 0x7D && !value.contains(0x22)
        // %NAME%, %(name)s, %s
        case 0x25:
            return count <= 3 || value[1] == 0x28
                || (value.last == 0x25 && value.dropFirst().dropLast().allSatisfy(Byte.isWord))
        // <your token>
        case 0x3C: return value.last == 0x3E
        // [your token]
        case 0x5B: return value.last == 0x5D
        // __NAME__, @NAME@, #{name}
        case 0x5F: return value.starts(with: [0x5F, 0x5F]) && value.last == 0x5F
        case 0x40: return count > 1 && value.last == 0x40
        case 0x23: return count > 1 && value[1] == 0x7B
        // `command`
        case 0x60: return value.last == 0x60
        default: return false
        }
    }

    /// The same as for other texts, in place.
    private static func isWaiting(ascii value: [UInt8]) -> Bool {
        if wordSet.contains(value, 0..<value.count) || hasMask(value) || value.suffix(3).elementsEqual("...".utf8) {
            return true
        }
        let plain = value.filter(Byte.isLetter)
        if plain.isEmpty { return value.allSatisfy(masks.contains) }
        let all = 0..<plain.count
        if wordSet.contains(plain, all) || referenceList.begins(value, 0..<value.count) { return true }
        return partList.isIn(plain, all) || plain.matches("your", at: 0, end: plain.count)
            || plain.matches("my", at: 0, end: plain.count) && !value.contains(where: Byte.isDigit)
                && own.contains { plain.matches($0, at: plain.count - $0.utf8CodeUnitCount, end: plain.count) }
    }

    private static let wordSet = WordSet(words)
    private static let masks = ByteSet("*x.-_#? ")
    private static let referenceList = WordList(references)
    private static let own: [StaticString] = ["here", "secret", "key", "token", "password"]

    /// Whether a text in lower case waits for a secret, or hides one.
    private static func isWaiting(_ text: String) -> Bool {
        if words.contains(text) || hasMask(text.utf8) || text.hasSuffix("...") || text.hasSuffix("…")
            || text.contains("••")
        {
            return true
        }
        let plain = text.filter(\.isLetter)
        if plain.isEmpty { return text.allSatisfy { "*xX.-_#?•● ".contains($0) } }
        if words.contains(plain) || references.contains(where: text.hasPrefix) { return true }
        return partList.isIn(Array(plain.utf8), 0..<plain.utf8.count) || plain.hasPrefix("your") || isOwn(text, plain)
    }

    /// `my_consumer_key`, `my token here`.
    private static func isOwn(_ text: String, _ plain: String) -> Bool {
        plain.hasPrefix("my") && !text.utf8.contains(where: Byte.isDigit)
            && ["here", "secret", "key", "token", "password"].contains(where: plain.hasSuffix)
    }

    /// Whether four stars, dots or letters x follow each other.
    private static func hasMask(_ bytes: some Sequence<UInt8>) -> Bool {
        var (last, count) = (UInt8(0), 0)
        for byte in bytes.lazy.map(Byte.lower) {
            count = byte == last ? count + 1 : 1
            last = byte
            if count == 4, byte == 0x2A || byte == 0x2E || byte == 0x78 { return true }
        }
        return false
    }

    /// References of programs to their stores of secrets.
    private static let references = [
        "zamok://", "op://", "vault:", "env:", "env(", "file:", "!vault", "ref+", "ssm:", "arn:aws", "aws-sm:",
        "secret://", "secretsmanager:", "keyring:", "pass:", "$env:", "process.env", "os.environ", "getenv(", "enc[",
        "enc(", "{cipher}", "bitwarden:", "doppler:", "gcp-sm:", "azure-kv:", "@microsoft.keyvault",
    ]

    /// Parts of texts that wait for a secret, without anything but letters.
    private static let parts = [
        "changeme", "changethis", "changeit", "replaceme", "replacewith", "replacethis", "yourpassword", "yourtoken",
        "yoursecret", "yourkey", "yourapikey", "yourapi", "insertyour", "enteryour", "puther", "putyour", "addyour",
        "placeholder", "tobedefined", "tobereplaced", "notarealtoken", "notareal", "notasecret", "fillme", "fillin",
        "setme", "redacted", "removed", "hiddenvalue", "exampletoken", "examplekey", "examplepassword", "examplesecret",
        "secrethere", "tokenhere", "keyhere", "passwordhere", "gohere", "goeshere", "dummy", "fakekey", "faketoken",
        "fakepassword", "fakesecret", "sampletoken", "sensitivedatadeleted", "uniquephrase", "samplekey",
    ]

    private static let partList = WordList(parts)

    /// Whole texts.
    private static let words: Set<String> = [
        "changeme", "change", "password", "passwort", "passwd", "pass", "secret", "token", "key", "apikey", "example",
        "examples", "sample", "test", "testing", "none", "null", "nil", "undefined", "true", "false", "yes", "no", "on",
        "off", "todo", "tbd", "fixme", "default", "empty", "n/a", "na", "foo", "bar", "baz", "foobar", "foobared",
        "vagrant", "welcome", "string", "str",
        "text", "value", "optional", "required", "masked", "hidden", "private", "public", "unset", "unknown", "auto",
        "prompt", "ask", "keychain", "keyring", "env", "file", "user", "username", "login", "mypassword", "mysecret",
        "mytoken", "secretkey", "mykey", "dummy", "fake", "demo", "blank", "notneeded", "notused", "notrequired",
        "unused", "notset", "nokey", "any", "anything", "here", "xx", "xxx", "-",
        "--", "***", "some", "something", "somesecret", "sometoken", "somepassword", "credential", "credentials",
        "contraseña", "mot de passe", "motdepasse", "senha", "wachtwoord", "hasło", "heslo", "пароль", "密码", "パスワード",
        "비밀번호", "lösenord", "kennwort", "geheim", "clave", "parola", "şifre", "salasana", "adgangskode",
    ]
}
