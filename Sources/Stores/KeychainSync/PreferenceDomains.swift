// SPDX-License-Identifier: Apache-2.0

import Readers
import Sealing
import UserPreferences

/// The registers of preferences, and the domains that a home chose (Documentation/Formats/SyncItem.md, "Preferences").
struct PreferenceDomains: Equatable {
    /// The first byte of a register's key.
    static let kind: UInt8 = 0x10
    static let most = 1_000
    private static let version: UInt8 = 1

    /// Each domain, with whether a round has included it.
    private(set) var chosen: [[UInt8]: Bool] = [:]
    /// The place of the log up to which they are applied.
    var place: UInt64 = 0
    /// The change up to which edits were sent.
    var mark = PreferencesMark.none

    init() {}

    /// Whether none is chosen now.
    var isEmpty: Bool { chosen.isEmpty }

    static func key(_ name: [UInt8]) -> [UInt8] { [kind] + name }

    static func isKey(_ key: [UInt8]) -> Bool { key.first == kind }

    /// A domain has the preference with exactly its name, and those whose names continue with a dot. The empty one
    /// has all.
    private static func has(_ domain: [UInt8], _ name: ArraySlice<UInt8>) -> Bool {
        guard name.starts(with: domain) else { return false }
        return domain.isEmpty || name.count == domain.count || name[name.startIndex + domain.count] == UInt8(ascii: ".")
    }

    /// Whether a register's preference travels from and to this home.
    func has(key: [UInt8]) -> Bool {
        Self.isKey(key) && chosen.keys.contains { Self.has($0, key.dropFirst()) }
    }

    /// Whether a round has included it, so that its applied state is known.
    func isSettled(key: [UInt8]) -> Bool {
        Self.isKey(key) && chosen.contains { $0.value && Self.has($0.key, key.dropFirst()) }
    }

    /// False if it was already chosen.
    mutating func add(_ domain: [UInt8]) -> Bool {
        guard chosen[domain] == nil else { return false }
        chosen[domain] = false
        return true
    }

    /// False if it was not chosen.
    mutating func remove(_ domain: [UInt8]) -> Bool { chosen.removeValue(forKey: domain) != nil }

    /// Marks all of them as included by a round.
    mutating func settle(at place: UInt64, _ mark: PreferencesMark) {
        for domain in chosen.keys { chosen[domain] = true }
        (self.place, self.mark) = (place, mark)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.integer(Self.version)
        writer.integer(place)
        writer.integer(mark.sequence)
        writer.append(mark.bytes)
        writer.integer(UInt32(chosen.count))
        for (domain, isSettled) in chosen.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.prefixed(domain)
            writer.integer(UInt8(isSettled ? 1 : 0))
        }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.integer(UInt8.self) == Self.version else { throw SealingError.malformed }
        place = try reader.integer()
        mark = PreferencesMark(sequence: try reader.integer(), bytes: try reader.read(PreferencesMark.size))
        for _ in 0..<(try reader.integer(UInt32.self)) {
            chosen[try reader.prefixed(limit: 4096)] = try reader.integer(UInt8.self) == 1
        }
        try reader.end()
    }
}

/// A travelling preference: the version, and the bytes of its value in the store.
enum TravellingPreference {
    private static let version: UInt8 = 1

    static func bytes(_ value: [UInt8]) -> [UInt8] { [version] + value }

    /// The value; the caller checks its form.
    static func value(_ bytes: [UInt8]) -> [UInt8]? { bytes.first == version ? Array(bytes.dropFirst()) : nil }

    /// Nil if it is no valid name.
    static func name(_ key: [UInt8]) -> String? { String(validUTF8: key.dropFirst()) }

    /// The value for display: text and data unchanged, everything else as a property list.
    static func shown(_ bytes: [UInt8], name: String) -> [UInt8] {
        guard let value = value(bytes).flatMap({ Preferences.value(ofSynced: $0, for: name) }) else { return [] }
        return value.shownBytes
    }
}
