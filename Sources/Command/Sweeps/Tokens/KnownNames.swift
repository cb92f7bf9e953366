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
        /// A key of what another word of the line says.
        case key
        /// The same as elsewhere.
        case other
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8
        /// `auth`, `.login`: behind it may be a user and a password in parentheses.
        static let isTuple = Traits(rawValue: 1)
        static let isBearer = Traits(rawValue: 2)
        /// In the line of a device it may mean a password.
        static let isOfDevice = Traits(rawValue: 4)
        /// `pin`, `code`: a few digits may be its value.
        static let isOfNumber = Traits(rawValue: 8)
        static let hasKey = Traits(rawValue: 16)
    }

    /// Whether nothing beside the name makes it mean a secret.
    var isPlain: Bool { meaning == nil && prose == .other && traits.isEmpty }

    init() {}

    init(_ name: String) {
        let text = name.lowercased()
        meaning = SecretName.judged(name)
        if text == "passe" {
            prose = .passe
        } else if ["wifi", "wlan", "wi-fi"].contains(text) {
            prose = .network
        } else if Self.keyWords.contains(text) || text.hasSuffix("schlüssel") || text.hasSuffix("schluessel") {
            prose = .key
        }
        if text == "auth" || [".auth", ".login", "basic_auth", "basicauth"].contains(where: text.hasSuffix) {
            traits.insert(.isTuple)
        }
        if text == "bearer" { traits.insert(.isBearer) }
        if text.hasSuffix("community") || Self.deviceNames.contains(text) { traits.insert(.isOfDevice) }
        if Self.numberNames.contains(text) { traits.insert(.isOfNumber) }
        if text.contains("key") { traits.insert(.hasKey) }
    }

    private static let keyWords: Set<String> = [
        "key", "clé", "cle", "clave", "chiave", "schlüssel", "schluessel", "ключ", "klucz", "sleutel", "chave",
        "nøgle", "nyckel", "schl\u{FFFD}ssel",
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
