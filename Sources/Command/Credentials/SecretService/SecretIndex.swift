// SPDX-License-Identifier: Apache-2.0

/// An index of items by attributes. It contains no text, only a hash of each attribute under a key of this process.
/// It is built from the keychain's rows, and kept until another process changes them.
/// A search for some of an item's attributes therefore need not open all items.
struct SecretIndex {
    typealias Tag = UInt64

    private struct Entry {
        let account: String
        var tags: [Tag]
    }

    /// The entries in the order in which they were added.
    private var entries: [Entry?] = []
    private var places: [String: Int32] = [:]
    private var postings: [Tag: [Int32]] = [:]

    /// Hashes of attributes. Each process draws a new key for `Hasher`.
    static func tags(_ attributes: [String: String]) -> [Tag] {
        attributes.map { name, value in
            var hasher = Hasher()
            // Hashed by bytes, since equal strings in different Unicode forms have the same hash.
            for part in [name, value] {
                hasher.combine(part.utf8.count)
                for byte in part.utf8 { hasher.combine(byte) }
            }
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }

    var count: Int { places.count }

    func contains(_ account: String) -> Bool { places[account] != nil }

    mutating func set(_ account: String, _ tags: [Tag]) {
        if let place = places[account] {
            removePostings(place)
            entries[Int(place)]?.tags = tags
        } else {
            places[account] = Int32(clamping: entries.count)
            entries.append(Entry(account: account, tags: tags))
        }
        guard let place = places[account] else { return }
        for tag in tags { postings[tag, default: []].append(place) }
    }

    mutating func remove(_ account: String) {
        guard let place = places.removeValue(forKey: account) else { return }
        removePostings(place)
        entries[Int(place)] = nil
        if entries.count > 64, entries.count > 2 * places.count { self = compacted() }
    }

    private func compacted() -> SecretIndex {
        var index = SecretIndex()
        for case let entry? in entries { index.set(entry.account, entry.tags) }
        return index
    }

    private mutating func removePostings(_ place: Int32) {
        for tag in entries[Int(place)]?.tags ?? [] {
            postings[tag]?.removeAll { $0 == place }
            if postings[tag]?.isEmpty == true { postings[tag] = nil }
        }
    }

    /// The accounts of the items that have all these attributes.
    func accounts(_ tags: [Tag]) -> [String] {
        let rarest = tags.min { postings[$0]?.count ?? 0 < postings[$1]?.count ?? 0 }
        guard let rarest else { return accounts }
        return (postings[rarest] ?? []).sorted().compactMap { place in
            guard let entry = entries[Int(place)], tags.allSatisfy(entry.tags.contains) else { return nil }
            return entry.account
        }
    }

    /// The accounts that `other` has and this index lacks, and the reverse.
    func differences(_ other: SecretIndex) -> (created: [String], deleted: [String]) {
        (other.accounts.filter { places[$0] == nil }, accounts.filter { other.places[$0] == nil })
    }

    var accounts: [String] { entries.compactMap { $0?.account } }

    func accounts(in collection: String) -> [String] {
        entries.compactMap { entry in
            guard let account = entry?.account, account.hasPrefix("\(collection)/") else { return nil }
            return account
        }
    }
}
