// SPDX-License-Identifier: Apache-2.0

/// What a name means by its bytes alone.
struct NameFacts: Sendable {
    var meaning: SecretName.Meaning?
    var prose = Prose.other
    var traits: Traits = []

    /// What a name means in a sentence.
    enum Prose: Sendable {
        /// `passe`: only behind `de`.
        case passe
        /// `wifi` and its like.
        case network
        /// `слово`: only behind `кодовое`.
        case word
        /// A number that opens something.
        case number
        /// A key of what another word of the line says.
        case key
        /// The same as elsewhere.
        case other
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: UInt16
        /// `auth`, `.login`: behind it may be a user and a password in parentheses.
        static let isTuple = Traits(rawValue: 1)
        static let isBearer = Traits(rawValue: 2)
        /// In the line of a device it may mean a password.
        static let isOfDevice = Traits(rawValue: 4)
        /// `pin`, `code`: a few digits may be its value.
        static let isOfNumber = Traits(rawValue: 8)
        static let hasKey = Traits(rawValue: 16)
        /// Digits are its value.
        static let isNumber = Traits(rawValue: 32)
        /// `auth`: its value may be an account and a password.
        static let isUser = Traits(rawValue: 64)
        /// Its values may be secrets, each with a name.
        static let isBlock = Traits(rawValue: 128)
    }

    /// Whether nothing beside the name makes it mean a secret.
    var isPlain: Bool { meaning == nil && prose == .other && traits.isEmpty }

    init() {}

    init(_ name: String) {
        let text = name.lowercased()
        meaning = SecretName.judged(name)
        if text == "passe" {
            prose = .passe
        } else if ["wifi", "wlan", "wi-fi", "вайфай"].contains(text) {
            prose = .network
        } else if Self.keyWords.contains(text) || text.hasSuffix("schlüssel") || text.hasSuffix("schluessel") {
            prose = .key
        }
        if text == "слово" || text == "khẩu" { prose = .word }
        if SecretName.isNumber(name) { traits.insert(.isNumber) }
        if traits.contains(.isNumber), meaning == nil { prose = .number }
        if let last = SecretName.words(name).last, Self.userNames.contains(last) { traits.insert(.isUser) }
        if text.hasSuffix("s"), SecretName.ofBlock(name) != nil { traits.insert(.isBlock) }
        if text == "auth" || [".auth", ".login", "basic_auth", "basicauth"].contains(where: text.hasSuffix) {
            traits.insert(.isTuple)
        }
        if text == "bearer" { traits.insert(.isBearer) }
        if text.hasSuffix("community") || Self.deviceNames.contains(text) { traits.insert(.isOfDevice) }
        if Self.numberNames.contains(text) { traits.insert(.isOfNumber) }
        if text.contains("key") { traits.insert(.hasKey) }
    }

    private static let keyWords: Set<String> = [
        "key", "clé", "cle", "chiave", "avain", "schlüssel", "schluessel", "ключ", "klucz", "sleutel", "chave",
        "nøgle", "nyckel", "schl\u{FFFD}ssel",
    ]
    private static let userNames: Set<String> = [
        "auth", "authentication", "credential", "credentials", "userpwd", "userpass", "login", "basicauth", "httpauth",
    ]
    private static let deviceNames: Set<String> = [
        "key", "authentication", "authentication-key", "key-string", "md5", "message-digest-key", "shared-key",
    ]
    private static let numberNames: Set<String> = ["pin", "puk", "alarm_code", "pincode", "pin_code", "code"]
}

/// Texts have few names, each many times: what the last ones mean.
struct KnownNames: Sendable {
    private static let most = 2048

    private struct Slot {
        var name = 0..<0
        var facts = NameFacts()
    }

    /// By a hash of the name, or up to four behind it; an empty name: none.
    private var slots: [Slot] = []
    private var names: [UInt8] = []

    mutating func facts(of name: Range<Int>, in bytes: [UInt8]) -> NameFacts {
        var hash = UInt64(name.count)
        for index in name { hash = (hash ^ UInt64(bytes[index])) &* 0x9E37_79B9_7F4A_7C15 }
        if names.isEmpty || names.count > Self.most * 32 {
            names = []
            slots = Array(repeating: Slot(), count: Self.most)
        }
        var number = Int(hash >> 53)
        for _ in 0..<4 where !slots[number].name.isEmpty {
            if isName(slots[number].name, name, bytes) { return slots[number].facts }
            number = (number + 1) % Self.most
        }
        let facts = NameFacts(bytes.text(name))
        slots[number] = Slot(name: names.count..<names.count + name.count, facts: facts)
        names += bytes[name]
        return facts
    }

    private func isName(_ known: Range<Int>, _ name: Range<Int>, _ bytes: [UInt8]) -> Bool {
        guard known.count == name.count else { return false }
        for offset in 0..<name.count where names[known.lowerBound + offset] != bytes[name.lowerBound + offset] {
            return false
        }
        return true
    }
}
