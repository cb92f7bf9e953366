// SPDX-License-Identifier: Apache-2.0

import Readers

/// Letters as chance puts them after each other, and letters of words.
enum LetterText {
    /// For each letter those that follow it in words of the languages of Europe; the others together are less than two
    /// of a hundred pairs in words, and more than a third in what chance made.
    private static let followers: [UInt32] = [
        "abcdefghiklmnoprstuvwxyz", "abcdegijlmorstuy", "acdehiklmoprstuvy", "abcdefghilmnorstuvwy",
        "abcdefghijklmnopqrstuvwxyz", "aefilorstuxy", "aefghilmnorstu", "adeilmnorstuy", "abcdefgjklmnoprstuvxz",
        "aeiou", "aehiklmnorstuy", "abcdefgiklmnopstuvy", "abcdeilmopstuy", "abcdefghijklmnoprstuvwyz",
        "abcdefghijklmnoprstuvwxyz", "acdeghiloprstuy", "u", "abcdefgiklmnoprstuvwyz", "acdefghiklmnopqrstuvwyz",
        "abcdefhiklmnoprstuvwyz", "abcdefgiklmnoprst", "aeios", "acehilnors", "aceimopst", "aceilmnoprstu", "aeilosy",
    ].map { row in row.utf8.reduce(UInt32(0)) { set, byte in set | 1 << UInt32(byte - 0x61) } }

    /// Whether letters of ASCII, eight or more, are none of a word.
    static func isRandom(_ value: [UInt8]) -> Bool {
        guard value.count >= 8, value.allSatisfy(Byte.isLetter) else { return false }
        let odd = zip(value, value.dropFirst()).count { first, second in
            followers[Int(Byte.lower(first) - 0x61)] & 1 << UInt32(Byte.lower(second) - 0x61) == 0
        }
        return odd >= 3 && odd * 6 >= value.count
    }
}

extension SecretName {
    /// Whether a name leaves no doubt that its value is a password, however weak it is.
    static func isDoubtless(_ name: String) -> Bool {
        guard let last = words(name).last else { return false }
        return doubtless.contains(last) || doubtlessEnds.contains(where: last.hasSuffix)
    }

    /// Whether the value may be a phrase of several words.
    static func isPhrase(_ name: String) -> Bool {
        let words = words(name)
        guard let last = words.last else { return false }
        return isDoubtless(name)
            || (last == "key" || last == "keys") && words.dropLast().last.map { phraseKeys.contains($0) } == true
            || ["encryptionkey", "masterkey"].contains(last)
    }

    private static let phraseKeys: Set<String> = ["encryption", "encrypt", "master", "crypt", "wifi", "psk", "network"]

    private static let doubtless: Set<String> = [
        "password", "passwd", "passwort", "passphrase", "passcode", "kennwort", "contraseña", "contrasena", "senha",
        "motdepasse", "mdp", "wachtwoord", "hasło", "haslo", "heslo", "parola", "parole", "пароль", "парола",
        "лозинка", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "lösenord", "losenord", "adgangskode", "kodeord",
        "passord", "salasana", "sifre", "şifre", "jelszó", "jelszo", "pwd", "pass", "pw", "psk", "clave", "geslo",
        "lozinka", "slaptažodis", "parool", "parolă", "סיסמה", "סיסמא", "पासवर्ड", "รหัสผ่าน",
    ]
    private static let doubtlessEnds = [
        "password", "passwd", "passwort", "passphrase", "kennwort", "userpass", "пароль", "密码", "パスワード", "비밀번호",
        "dbpass", "smtppass", "requirepass", "psk",
    ]

    /// Numbers that open what a person has: the last word of their names.
    static func isNumber(_ name: String) -> Bool {
        let words = words(name)
        guard let last = words.last else { return false }
        if words.count > 1, codes.contains(last) { return numbers.contains(words[words.count - 2]) }
        return numbers.contains(last) || numberEnds.contains(where: last.hasSuffix)
    }

    private static let numbers: Set<String> = [
        "pin", "puk", "pincode", "passcode", "пин", "пинкод", "pinkode", "pinkod", "пін",
    ]
    private static let codes: Set<String> = ["code", "kod", "kode", "код", "nummer", "number", "numer", "número"]
    private static let numberEnds = ["暗証番号", "パスコード", "핀번호", "pin码", "personalpin", "userpin", "adminpin"]
}

extension SecretValue {
    /// Whether a value is a password that a person chose badly: what only a name without doubt makes one.
    static func isWeak(_ value: [UInt8], isQuoted: Bool, _ kind: TextKind) -> Bool {
        guard (4...128).contains(value.count), !Placeholder.isOne(value), !isExample(value),
            let text = String(validUTF8: value), !isReference(text), !text.contains("://")
        else { return false }
        if value.allSatisfy(Byte.isDigit) {
            return kind == .config || kind == .json ? !isRun(value) : false
        }
        if value.contains(0x20) { return kind == .config && isPhraseOfWords(text, fewest: isQuoted ? 3 : 4) }
        guard text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic }) else {
            return kind == .config || kind == .json ? isPair(text) : false
        }
        if common.contains(text.lowercased()) || SecretName.judged(text) != nil { return false }
        if LetterText.isRandom(value) { return value.count >= 10 || kind != .source }
        guard text != text.uppercased() || !value.contains(where: { $0 < 0x80 }),
            !SecretName.words(text).contains(where: { common.contains($0) || SecretName.judged($0) != nil })
        else { return false }
        let isLower = text == text.lowercased()
        switch kind {
        case .config: return value.count >= (isLower ? (isQuoted ? 4 : 5) : 6)
        case .json: return isLower && value.count >= 6
        case .source: return isQuoted && isLower && value.count >= 5
        default: return false
        }
    }

    /// 1234, 54321, 0000.
    static func isRun(_ value: [UInt8]) -> Bool {
        let steps = Set(zip(value, value.dropFirst()).map { Int($1) - Int($0) })
        return steps.count == 1 && steps.allSatisfy { (-1...1).contains($0) }
    }

    /// Two words or more, joined.
    private static func isPair(_ text: String) -> Bool {
        let words = text.split { "-_.+&".contains($0) }.map { $0.lowercased() }
        return text.utf8.count >= 12 && words.count >= 2
            && words.allSatisfy { $0.allSatisfy(\.isLetter) && $0.count >= 2 }
            && !words.contains { common.contains($0) || SecretName.judged($0) != nil || functionWords.contains($0) }
    }

    /// Several words that make no sentence about a password.
    static func isPhraseOfWords(_ text: String, fewest: Int) -> Bool {
        let words = text.split(separator: " ").map { $0.lowercased() }
        guard (fewest...10).contains(words.count), words.count(where: { $0.count >= 3 }) >= 3,
            let last = text.last, !".:?,;!)".contains(last)
        else { return false }
        return words.allSatisfy { word in
            (2...16).contains(word.count) && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "'" }
                && word.first?.isLetter == true
                && !common.contains(word) && !functionWords.contains(word) && SecretName.judged(word) == nil
        }
    }

    /// Words that sentences about passwords have, and passphrases hardly.
    static let functionWords: Set<String> = [
        "and", "or", "if", "as", "it", "from", "same", "before", "after", "only", "sent", "comes", "kept", "via",
        "when", "while", "use", "used", "using", "which", "where", "who", "all", "but", "than", "then", "so", "into",
        "und", "der", "die", "ist", "nicht", "mit", "von", "bei", "per", "auf", "wird", "wie", "oder", "nur", "muss",
        "para", "por", "con", "una", "com", "não", "que", "em", "les", "des", "une", "pour", "dans", "sur", "est",
        "pas", "avec", "ou", "nie", "jest", "dla", "przy", "tylko", "na", "ile", "için", "bir", "как", "что", "это",
        "для", "или", "при", "нет", "на", "по", "het", "een", "van", "niet", "och", "inte", "som", "til", "ikke",
        "med", "ved", "og", "non", "della", "che", "sono", "per", "app", "service", "server", "client", "config",
        "db", "data", "name", "key", "id", "type", "http", "https", "sha", "hmac", "md5", "aes", "rsa",
    ]

    /// Letters of both cases and digits as a generator puts them: four changes among them or more.
    static func isGenerated(_ value: [UInt8]) -> Bool {
        guard value.count >= 10, value.count(where: Byte.isDigit) >= 2, value.contains(where: Byte.isUpper),
            value.contains(where: Byte.isLower), value.allSatisfy({ Byte.isWord($0) || $0 == 0x2D || $0 == 0x2E })
        else { return false }
        func form(_ byte: UInt8) -> Int { Byte.isDigit(byte) ? 0 : Byte.isUpper(byte) ? 1 : 2 }
        return zip(value, value.dropFirst()).count { form($0) != form($1) } >= 5 && bits(value) >= 2.9
    }

    /// A part of a path that chance made: hexadecimal, a UUID, or letters of both cases and digits.
    static func isRandomPart(_ value: [UInt8]) -> Bool {
        guard (16...512).contains(value.count), !isSequence(value), !isExample(value) else { return false }
        if value.allSatisfy({ Byte.isHex($0) || $0 == 0x2D || $0 == 0x40 }) {
            return value.count(where: Byte.isDigit) >= 3 && value.count(where: Byte.isLetter) >= 3 && bits(value) >= 2.8
        }
        return isGenerated(value)
    }
}
