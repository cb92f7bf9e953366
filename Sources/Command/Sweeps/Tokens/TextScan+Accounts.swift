// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Accounts and passwords as people note them, without a word that says which is which.
extension TextScan {
    /// `Modem: admin / SECRET`, `host user / SECRET`: at the blank before the slash.
    mutating func pair(_ at: Int) -> Int {
        guard kind == .prose || kind == .config || kind == .script || kind == .source || kind == .json else {
            return at + 2
        }
        let line = line(at)
        var high = at
        while high > line.lowerBound, isMarkOfCode(bytes[high - 1]) { high -= 1 }
        var low = high
        while low > line.lowerBound, high - low < 64, isAccountByte(bytes[low - 1]) { low -= 1 }
        guard (2...63).contains(high - low), bytes[low] >= 0x80 || Byte.isLetter(bytes[low]) || high - low >= 6 else {
            return at + 2
        }
        var before = low
        while before > line.lowerBound, isMarkOfCode(bytes[before - 1]) { before -= 1 }
        let label = bytes.trimmed(line.lowerBound..<before)
        // A list of words, or an expression.
        if let last = bytes[label].last, "/+*=<&|%!?".utf8.contains(last) { return at + 2 }
        var start = at + 3
        while start + 1 < line.upperBound, bytes[start] == 0x27, bytes[start + 1] == 0x27 { start += 2 }
        guard let value = proseWord(start, line.upperBound),
            !bytes[value.range].contains(where: { $0 == 0x2F || $0 == 0x3F })
        else { return at + 2 }
        let rest = withoutMarks(
            min(line.upperBound, value.range.upperBound + (value.isQuoted ? 1 : 0))..<line.upperBound)
        guard
            rest.isEmpty || "(,;)-".utf8.contains(bytes[rest.lowerBound]) || bytes[rest.lowerBound] == 0xE2
                || kind == .json && "\"\\".utf8.contains(bytes[rest.lowerBound])
        else { return at + 2 }
        let written = Array(bytes[value.range])
        let name = bytes.text(low..<high)
        let isPlain = name == name.lowercased()
        // Behind a label, or at the beginning of a line.
        let isLabelled = label.isEmpty || isLabel(label)
        let isStrict = SecretValue.isAlone(written, .strict)
        guard
            kind == .prose
                ? isStrict && (isPlain || isLabelled) || isLabelled && isChosen(written)
                : isStrict && isPlain && isProse(low..<high),
            written.contains(where: { Byte.isLower($0) || $0 >= 0x80 }), !isExampleLine(at)
        else { return at + 2 }
        add(.assignment, "prose/login", "a value beside an account", value.range, service: "", account: name)
        return value.range.upperBound
    }

    private func withoutMarks(_ range: Range<Int>) -> Range<Int> {
        var low = range.lowerBound
        while low < range.upperBound, isMarkOfCode(bytes[low]) || Byte.isSpace(bytes[low]) { low += 1 }
        return low..<range.upperBound
    }

    private func isMarkOfCode(_ byte: UInt8) -> Bool { byte == 0x60 || byte == 0x22 || byte == 0x27 || byte == 0x2A }

    private func isAccountByte(_ byte: UInt8) -> Bool {
        Byte.isWord(byte) || byte == 0x2D || byte == 0x2E || byte == 0x40 || byte == 0x5C || byte >= 0x80
    }

    /// Whether what is before an account ends in a colon, a dash or the mark of a list.
    private func isLabel(_ label: Range<Int>) -> Bool {
        guard let last = bytes[label].last else { return true }
        return ":-*>)]".utf8.contains(last) || last == 0x9A || last == 0x94 || last == 0x93 || last == 0xA2
    }

    /// A word with two digits or a sign, as people choose passwords.
    private func isChosen(_ value: [UInt8]) -> Bool {
        SecretValue.isAlone(value, .loose)
            && (value.count(where: Byte.isDigit) >= 2 || value.contains { "!@#$%^&*+=~".utf8.contains($0) })
    }

    /// Whether a line, or a comment above it, says that it shows an example.
    func isExampleLine(_ at: Int) -> Bool {
        var line = line(at)
        for number in 0..<2 {
            let content = bytes.trimmed(line)
            guard let first = bytes[content].first, "#/;%'<".utf8.contains(first) else { return false }
            if number == 0 || bytes[content].last == 0x3A, Self.examples.isIn(bytes, content) { return true }
            guard line.lowerBound > 1 else { return false }
            line = self.line(line.lowerBound - 1)
        }
        return false
    }

    private static let examples = WordList([
        "example:", "examples:", "for example", "e.g.", "beispiel:", "beispiel aus", "zum beispiel", "z. b.", "z.b.",
        "ejemplo", "exemple :", "exemple:", "par exemple", "esempio", "exemplo", "przykład", "örnek", "пример",
        "voorbeeld", "eksempel", "exempel", "例：", "例:", "test vector",
    ])

    /// `admin: sticker says "SECRET"`: a word in quotes that a generator made, in a line about an account.
    mutating func toldInQuotes(_ at: Int, _ limit: Int) -> Int {
        guard kind == .prose, let open = bytes[at..<limit].firstIndex(of: 0x60),
            let close = bytes.first(0x60, in: open + 1..<max(open + 1, limit))
        else { return at + 1 }
        let value = Array(bytes[open + 1..<close])
        guard (10...40).contains(value.count), value.allSatisfy({ Byte.isLetter($0) || Byte.isDigit($0) }),
            SecretValue.isGenerated(value), !SecretValue.isWordy(String(decoding: value, as: UTF8.self)),
            !SecretValue.isIdentifier(value), !Placeholder.isOne(value), !SecretValue.isExample(value)
        else { return at + 1 }
        add(.assignment, "prose/login", "a value beside an account", open + 1..<close, service: "", account: "")
        return close
    }
}

/// Phrases of several words, and numbers, that people note as passwords.
extension TextScan {
    /// `pass is word word word word`, to the end of the line or a bracket; with words of no sentence.
    mutating func phrase(_ start: Int, _ limit: Int, _ name: Range<Int>) -> Bool {
        let text = bytes.text(name)
        guard kind == .prose, SecretName.isDoubtless(text) else { return false }
        var low = start
        while low < limit, Byte.isSpace(bytes[low]) || isMarkOfCode(bytes[low]) { low += 1 }
        var high = low
        while high < limit, !"(,.;\"`*<|=:/".utf8.contains(bytes[high]), bytes[high] != 0xE2 { high += 1 }
        let range = bytes.trimmed(low..<high)
        guard (14...100).contains(range.count), case let words = bytes.text(range), words == words.lowercased(),
            SecretValue.isPhraseOfWords(words, fewest: 4), !isInside(name)
        else { return false }
        add(.assignment, "prose/password", "a value beside a name", range, service: "", account: text)
        return true
    }

    /// A phrase alone in the next line that has text, further in than the line of its name.
    mutating func phraseBelow(_ line: Range<Int>, _ name: Range<Int>) -> Bool {
        guard kind == .prose, bytes[bytes.trimmed(line)].last == 0x3A else { return false }
        let start = skipAll(line.upperBound, most: 40)
        guard start < end, start > line.upperBound, case let next = self.line(start), start > next.lowerBound else {
            return false
        }
        return phrase(start, next.upperBound, name)
    }

    /// Whether digits are what a name for numbers says, and not how many it has.
    func isNumber(_ value: Range<Int>, of name: Range<Int>) -> Bool {
        guard (4...10).contains(value.count), bytes[value].allSatisfy(Byte.isDigit) else { return false }
        let next = bytes.trimmed(value.upperBound..<min(end, line(value.lowerBound).upperBound))
        let text = bytes.text(name)
        guard
            SecretName.isNumber(text)
                || value.count >= 6 && next.isEmpty && SecretName.isDoubtless(text)
                    && !SecretValue.isRun(Array(bytes[value]))
        else { return false }
        // `pin 1024` of a processor, with words behind it.
        if text == "pin", let following = next.isEmpty ? nil : bytes[next.lowerBound], Byte.isWord(following) {
            return false
        }
        return !Self.units.contains { bytes.matches($0, at: next.lowerBound, end: next.upperBound) }
    }

    private static let units: [StaticString] = [
        "dig", "chif", "cif", "stell", "цифр", "znak", "桁", "자리", "-", "haneli",
    ]

    /// A word of letters alone, behind a name and a colon: long, or such as chance makes.
    func isLetters(_ value: [UInt8], _ name: Range<Int>) -> Bool {
        guard kind == .prose, SecretName.isDoubtless(bytes.text(name)) || bytes.text(name).hasSuffix("passe"),
            !Placeholder.isOne(value)
        else { return false }
        if LetterText.isRandom(value) { return true }
        guard
            value.allSatisfy({ Byte.isLower($0) || $0 >= 0x80 }), let text = String(validUTF8: value),
            text.unicodeScalars.allSatisfy({ $0.properties.isLowercase }), !SecretValue.common.contains(text)
        else { return false }
        return text.count >= 14
    }

    /// `user: X, password: word`: letters alone at the end of a line that names the account before it.
    func isBesideAccount(_ written: WrittenValue, _ name: Range<Int>) -> Bool {
        let line = line(name.lowerBound)
        guard kind == .prose, written.range.count >= 6, written.range.lowerBound - name.upperBound <= 4,
            bytes.trimmed(min(line.upperBound, written.range.upperBound)..<line.upperBound).count <= 1,
            SecretName.isDoubtless(bytes.text(name)), Self.accounts.isIn(bytes, line.lowerBound..<name.lowerBound)
        else { return false }
        let text = bytes.text(written.range)
        let lower = text.lowercased()
        return text.allSatisfy(\.isLetter) && !SecretValue.common.contains(lower)
            && !SecretValue.functionWords.contains(lower) && SecretName.judged(text) == nil
            && !Placeholder.isOne(Array(text.utf8))
    }

    private static let accounts = WordList([
        "user", "benutzer", "login:", "login ", "utilisateur", "usuario", "utente", "utilizador", "логин",
        "пользовател",
        "użytkownik", "bruker", "bruger", "användare", "kullanıcı", "gebruiker", "ユーザー", "用户", "帳號", "사용자",
        "identifiant", "uživatel", "felhasználó", "χρήστης", "tunnus",
    ])
}
