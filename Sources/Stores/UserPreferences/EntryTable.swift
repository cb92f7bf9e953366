// SPDX-License-Identifier: Apache-2.0

import Logging
import SecretMemory

/// Cached entries by name, found by a hash that the caller supplies. A typed key carries its hash, because hashing a
/// name costs as much as the rest of a warm read.
struct EntryTable: Sendable {
    enum Entry: Sendable {
        case unread
        case absent
        case value(PropertyValue)
        case corrupt
    }

    /// A name. Two names are equal if their bytes are: `String` alone treats canonically equivalent texts as equal.
    private struct Name: Hashable, Sendable {
        let text: String
        let hash: Int

        static func == (left: Name, right: Name) -> Bool {
            left.hash == right.hash && left.text.utf8.elementsEqual(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    private struct Known {
        var entry: Entry
        /// The tag that identifies the name in the file, if it was computed already.
        var tag: [UInt8]?
    }

    private var known: [Name: Known] = [:]

    static func hash(_ name: String) -> Int { name.hashValue }

    /// The entry of a name; `.unread` if it is unknown.
    func entry(_ name: String, _ hash: Int) -> Entry { known[Name(text: name, hash: hash)]?.entry ?? .unread }

    func tag(_ name: String, _ hash: Int) -> [UInt8]? { known[Name(text: name, hash: hash)]?.tag }

    mutating func set(_ entry: Entry, name: String, hash: Int, tag: [UInt8]? = nil) {
        let name = Name(text: name, hash: hash)
        known[name] = Known(entry: entry, tag: tag ?? known[name]?.tag)
    }

    /// Forgets the value of a name; the name and its tag stay.
    mutating func forget(_ name: String) { known[Name(text: name, hash: Self.hash(name))]?.entry = .unread }
}

/// Recognises names whose value probably belongs in the keychain.
enum SecretName {
    private static let words = [
        "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "api_key", "privatekey",
        "private_key",
        "credential", "pincode", "pin_code", "cardnumber", "cvv",
    ]

    static func looksSecret(_ name: String) -> Bool {
        let folded = name.lowercased()
        return folded == "pin" || words.contains { folded.contains($0) }
    }

    private static let warned = Locked<Set<String>>([])

    /// Warns once for each name, in debug builds.
    static func warn(about name: String) {
        #if DEBUG
        guard looksSecret(name), warned.withLock({ $0.insert(name).inserted }) else { return }
        Logger(label: "zamok.preferences").warning(
            "the preference \"\(name)\" sounds like a secret; keep it in the keychain instead")
        #endif
    }
}
