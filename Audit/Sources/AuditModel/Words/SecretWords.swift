// SPDX-License-Identifier: Apache-2.0

/// What kind of secret a name tells of.
package enum SecretKind: String, Sendable, Codable, CaseIterable {
    /// `card` is the number as well as the security code; `key` is one that encrypts, signs or opens a service.
    /// `bank`, `health` and `identity` are no secrets that open something, but a person's own: they count in stores and
    /// logs.
    case password, pin, oneTimeCode, card, seed, key, token, secret, answer, bank, health, identity

    /// Whether it is about a person and opens nothing.
    package var isPersonal: Bool { self == .bank || self == .health || self == .identity }

    /// What the kind is called in a sentence.
    package var article: String {
        switch self {
        case .password: "a password"
        case .pin: "a PIN"
        case .oneTimeCode: "a one-time code"
        case .card: "a card's number or code"
        case .seed: "a seed or recovery phrase"
        case .key: "a key"
        case .token: "a token"
        case .secret: "a secret"
        case .answer: "the answer to a security question"
        case .bank: "a bank account's number"
        case .health: "health data"
        case .identity: "an identity number"
        }
    }
}

/// Whether a name or a text says that it stands for a secret, in the words of some twenty languages.
///
/// A name is a secret's if its head is: `userPassword` and `passwordField` are, `passwordLength`, `isPasswordSet` and `numberOfTokens` aren't.
package struct SecretWords: Hashable, Sendable {
    /// What a name strongly says; nil for `passwordHint`, `isPasswordSet`, `token_count`, and for `pin` or `token` alone.
    package static func kind(ofName name: some StringProtocol) -> SecretKind? { strong(SecretWords(name: name)) }

    /// What a text that people read strongly says: a placeholder, a header, a title.
    package static func kind(ofText text: some StringProtocol) -> SecretKind? { strong(SecretWords(text: text)) }

    /// The words that a name is made of, in lower case: new, password, field, 2.
    package static func words(of name: some StringProtocol) -> [String] { NameWords.split(name).map(\.text) }

    private static func strong(_ words: SecretWords?) -> SecretKind? {
        guard let words, !words.isWeak else { return nil }
        return words.kind
    }

    package let kind: SecretKind
    /// Whether the word has other meanings too, such as `token`, `pin` or `seed` alone: then something else must speak for it.
    package let isWeak: Bool
    /// Whether it is no more than the word `token` with something before it, such as `hexToken`.
    package let isBareToken: Bool

    /// Words for a picture against robots, whose letters everyone sees.
    package static let picture: Set<String> = ["image", "picture", "pic", "captcha", "graphic", "img"]

    /// Whether a name is that of a token which signs nobody in: `deviceToken`, `nextPageToken`.
    package static func isHarmlessToken(_ name: String) -> Bool {
        let words = words(of: name)
        return words.contains("token") && words.contains { SecretVocabulary.harmlessTokens.contains($0) }
    }

    // MARK: Names

    /// What the name of a variable, property, parameter, key or type stands for; nil where it is no secret.
    package init?(name: some StringProtocol) {
        guard let found = Self.known.value(for: String(name), { Self(split: $0) }) else { return nil }
        self = found
    }

    private static let known = Memo<String, SecretWords?>()

    private init?(split name: String) {
        let words = NameWords.split(name)
        guard let found = Self.find(in: words, maximum: 5) else { return nil }
        let before = words[..<found.range.lowerBound].map(\.text)
        // An app about pets asks for their names, too: only a question makes an answer of it.
        if found.kind == .answer, words[found.range].map(\.text).joined() == "petsname" { return nil }
        if found.isWeak, found.kind == .password, before.contains(where: SecretVocabulary.passes.contains) {
            return nil
        }
        let after = words[found.range.upperBound...].map(\.text)
        guard Self.canStandBefore(before, found.kind), Self.canStandAfter(after, isWeak: found.isWeak) else {
            return nil
        }
        kind = found.kind
        isWeak = Self.isWeak(found, words, before)
        isBareToken = found.isWeak && found.kind == .token
    }

    /// What a function gives back by its name, `getPassword` or `loadToken`; nil where it is no secret.
    package init?(function name: some StringProtocol) {
        let words = NameWords.split(name)
        guard let first = words.first?.text, SecretVocabulary.getters.contains(first) else {
            self.init(name: name)
            return
        }
        self.init(
            name: words.dropFirst().map { $0.isUppercase ? $0.text.uppercased() : $0.text }.joined(separator: "_"))
    }

    private static func canStandBefore(_ words: [String], _ kind: SecretKind) -> Bool {
        for word in words {
            if SecretVocabulary.denyingPrefixes.contains(word) || SecretVocabulary.prepositions.contains(word) {
                return false
            }
            if kind == .token, SecretVocabulary.harmlessTokens.contains(word) { return false }
            // What was booked or is given away has a code of its own.
            if kind == .oneTimeCode || kind == .card, SecretVocabulary.goods.contains(word) { return false }
            // A card that tells who one is.
            if kind == .card, ["id", "identity", "identification", "student"].contains(word) { return false }
        }
        return true
    }

    /// What follows the secret's word must not turn the head of the name into something else.
    private static func canStandAfter(_ words: [String], isWeak: Bool) -> Bool {
        for (index, word) in words.enumerated() {
            if SecretVocabulary.prepositions.contains(word) { return true }
            if !isWeak, SecretVocabulary.laterPrepositions.contains(word) {
                // The word of the day is none to sign in with.
                return words.count == index + 1 || !SecretVocabulary.days.contains(words[index + 1])
            }
            guard SecretVocabulary.neutralSuffixes.contains(word) || word.allSatisfy(\.isNumber) else { return false }
        }
        return true
    }

    private static func isWeak(_ found: Found, _ words: [NameWords.Word], _ before: [String]) -> Bool {
        guard found.isWeak else { return false }
        let own = words[found.range]
        if found.kind == .pin, own.count == 1, own.first?.isUppercase == true { return false }
        guard found.kind == .token || found.kind == .pin, let last = before.last else { return true }
        return SecretVocabulary.plainAdjectives.contains(last) || found.kind == .pin
    }

    // MARK: Texts

    /// What a placeholder, a title or a label's text asks for; nil where it is no secret.
    package init?(text: some StringProtocol) {
        guard text.utf8.count <= 200 else { return nil }
        if let kind = SecretVocabulary.ideographs(in: text.lowercased()) {
            self.init(kind: kind)
        } else {
            self.init(words: NameWords.split(text, ofText: true))
        }
    }

    private init(kind: SecretKind) {
        self.kind = kind
        (isWeak, isBareToken) = (false, false)
    }

    private init?(words: [NameWords.Word]) {
        guard words.count <= 16, !words.contains(where: { SecretVocabulary.denyingWords.contains($0.text) }),
            let found = Self.find(in: words, maximum: 5)
        else { return nil }
        let after = words[found.range.upperBound...].first?.text
        if let after, SecretVocabulary.denyingNext.contains(after) || found.kind == .secret { return nil }
        if found.kind == .token, words.contains(where: { SecretVocabulary.harmlessTokens.contains($0.text) }) {
            return nil
        }
        // The code of two-factor log-in, which may be seen.
        if found.kind == .token,
            words.contains(where: { ["factor", "2fa", "authenticator", "digit"].contains($0.text) })
        {
            (kind, isWeak, isBareToken) = (.oneTimeCode, false, false)
            return
        }
        // The number of a payment that was authorized.
        if found.kind == .token, found.isWeak, after == "number" { return nil }
        kind = found.kind
        isWeak = Self.isWeak(found, words, words[..<found.range.lowerBound].map(\.text))
        isBareToken = found.isWeak && found.kind == .token
    }

    // MARK: Finding

    private struct Found {
        let kind: SecretKind
        let isWeak: Bool
        let range: Range<Int>
    }

    /// A long word of the vocabulary in which two letters that follow each other changed places, or one is left out.
    private static func misspelt(_ word: String) -> SecretKind? {
        let letters = Array(word.utf8)
        guard letters.count >= 7, letters.count <= 10 else { return nil }
        for (right, kind) in [("mnemonic", SecretKind.seed), ("password", .password), ("passphrase", .password)] {
            let own = Array(right.utf8)
            let first = zip(letters, own).prefix { $0 == $1 }.count
            guard first > 0, first < letters.count else { continue }
            if letters.count == own.count, first + 1 < own.count, letters[first] == own[first + 1],
                letters[first + 1] == own[first], letters[(first + 2)...] == own[(first + 2)...]
            {
                return kind
            }
            if letters.count + 1 == own.count, letters[first...] == own[(first + 1)...] { return kind }
        }
        return nil
    }

    /// The last strong run of words that is in the vocabulary, the longest of those that end there; else the last weak one.
    private static func find(in words: [NameWords.Word], maximum: Int) -> Found? {
        var weak: Found?
        for end in stride(from: words.count, to: 0, by: -1) {
            for start in max(0, end - maximum)..<end {
                let run = words[start..<end].map(\.text).joined()
                // NIP-05 and its like are specifications.
                if run == "nip", end < words.count, words[end].text.allSatisfy(\.isNumber) { continue }
                if let kind = SecretVocabulary.strong[run] ?? (start == end - 1 ? misspelt(run) : nil) {
                    return Found(kind: kind, isWeak: false, range: start..<end)
                }
                if weak == nil, let kind = SecretVocabulary.weak[run] {
                    weak = Found(kind: kind, isWeak: true, range: start..<end)
                }
            }
        }
        return weak
    }
}

/// The words that a name is made of.
enum NameWords {
    struct Word {
        /// In lower case.
        let text: String
        /// Whether every letter of it is upper case, and there are two or more.
        let isUppercase: Bool
    }

    /// Splits at changes of case, at digits and at what is neither; a text is not split at changes of case.
    static func split(_ name: some StringProtocol, ofText isText: Bool = false) -> [Word] {
        var words: [Word] = []
        var word = ""
        var isUppercase = true
        func finish() {
            guard !word.isEmpty else { return }
            let low = word.lowercased()
            // `apptoken`, `APPTOKEN`: whose token it is, in one word with it.
            if !isText, low.hasSuffix("token"), SecretVocabulary.tokenOwners.contains(String(low.dropLast(5))) {
                words.append(Word(text: String(low.dropLast(5)), isUppercase: isUppercase))
                word = String(word.suffix(5))
            }
            words.append(Word(text: word.lowercased(), isUppercase: isUppercase && word.utf8.count > 1))
            word = ""
            isUppercase = true
        }
        var previous: Shape = .other
        var scalars = Array(name.unicodeScalars.prefix(256))[...]
        while let scalar = scalars.popFirst() {
            let shape = Shape(scalar)
            switch (previous, shape) {
            case (_, .other): finish()
            case (.digit, .lower), (.digit, .upper), (.lower, .digit), (.upper, .digit): finish()
            case (.lower, .upper) where !isText: finish()
            case (.upper, .upper) where !isText:
                // The last capital before a small letter begins a word: "APIKey", but "URLs".
                if let next = scalars.first, Shape(next) == .lower,
                    !(next == "s" && scalars.dropFirst().first.map(Shape.init) != .lower)
                {
                    finish()
                }
            default: break
            }
            if shape != .other {
                word.unicodeScalars.append(scalar)
                if shape == .lower { isUppercase = false }
            }
            previous = shape
        }
        finish()
        return words
    }

    private enum Shape {
        case lower, upper, digit, other

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x61...0x7A: self = .lower
            case 0x41...0x5A: self = .upper
            case 0x30...0x39: self = .digit
            case 0..<0x80: self = .other
            default:
                let properties = scalar.properties
                self = properties.isUppercase ? .upper : properties.isAlphabetic ? .lower : .other
            }
        }
    }
}
