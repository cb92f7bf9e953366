// SPDX-License-Identifier: Apache-2.0

/// What is known of names, found by a hash that the caller brings: a typed key carries its own, and hashing a name costs as much as
/// all the rest of a warm read.
///
/// Open addressing. A name stays in the table until all of it is dropped; forgetting one only drops what is known of it. Names are
/// equal when their bytes are: `String` alone would take two spellings of one text for the same.
struct EntryTable: Sendable {
    enum Entry: Sendable {
        case unread
        case absent
        case value(PropertyValue)
        case corrupt
    }

    /// 0: free.
    private var hashes: [Int] = []
    private var names: [String] = []
    private var entries: [Entry] = []
    /// What stands for the name in the file, where it was made once.
    private var tags: [[UInt8]?] = []
    /// ASCII alone. What is equal to such a text and of the same length has the same bytes: all else that is equal to it is longer.
    private var arePlain: [Bool] = []
    private(set) var count = 0

    static func hash(_ name: String) -> Int {
        let hash = name.hashValue
        return hash == 0 ? 1 : hash
    }

    /// `.unread` for a name that is not there.
    func entry(_ name: String, _ hash: Int) -> Entry {
        guard let slot = slot(name, hash), hashes[slot] != 0 else { return .unread }
        return entries[slot]
    }

    func tag(_ name: String, _ hash: Int) -> [UInt8]? {
        guard let slot = slot(name, hash), hashes[slot] != 0 else { return nil }
        return tags[slot]
    }

    mutating func set(_ entry: Entry, name: String, hash: Int, tag: [UInt8]? = nil) {
        if (count + 1) * 2 > hashes.count { grow() }
        guard let slot = slot(name, hash) else { return }
        if hashes[slot] == 0 {
            hashes[slot] = hash
            names[slot] = name
            arePlain[slot] = name.utf8.allSatisfy { $0 < 0x80 }
            count += 1
        }
        entries[slot] = entry
        if let tag { tags[slot] = tag }
    }

    mutating func forget(_ name: String) {
        let hash = Self.hash(name)
        guard let slot = slot(name, hash), hashes[slot] != 0 else { return }
        entries[slot] = .unread
    }

    /// Where the name is, or the free place where it belongs; nil only of a table without places.
    private func slot(_ name: String, _ hash: Int) -> Int? {
        guard !hashes.isEmpty else { return nil }
        let mask = hashes.count - 1
        var slot = hash & mask
        // At least half of the places are free.
        while hashes[slot] != 0 {
            if hashes[slot] == hash, isSame(slot, name) { return slot }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private func isSame(_ slot: Int, _ name: String) -> Bool {
        names[slot] == name && names[slot].utf8.count == name.utf8.count
            && (arePlain[slot] || names[slot].utf8.elementsEqual(name.utf8))
    }

    private mutating func grow() {
        let old = (hashes, names, entries, tags)
        let places = max(16, hashes.count * 2)
        hashes = Array(repeating: 0, count: places)
        names = Array(repeating: "", count: places)
        entries = Array(repeating: .unread, count: places)
        tags = Array(repeating: nil, count: places)
        arePlain = Array(repeating: false, count: places)
        count = 0
        for index in old.0.indices where old.0[index] != 0 {
            set(old.2[index], name: old.1[index], hash: old.0[index], tag: old.3[index])
        }
    }
}
