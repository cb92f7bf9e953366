// SPDX-License-Identifier: Apache-2.0

/// The names in a folder and the states of their files. A record is read while another copy of it is changed. So a
/// change copies what it changes: few names each time, and all of them seldom, as in a log-structured merge tree
/// (O'Neil et al., 1996).
struct KnownNames: Equatable {
    private typealias Level = [[UInt8]: FolderRecord.Known?]

    /// The newest changes first; the last has the names that were there earlier. Nil: removed.
    private var levels: [Level] = [[:]]
    private(set) var count = 0
    /// How many names the first level may have, and how many times more each next one.
    private static let limit = 32, growth = 8

    init() {}

    subscript(name: [UInt8]) -> FolderRecord.Known? {
        get {
            for level in levels {
                if let known = level[name] { return known }
            }
            return nil
        }
        set {
            count += (newValue == nil ? 0 : 1) - (self[name] == nil ? 0 : 1)
            levels[0].updateValue(newValue, forKey: name)
            var (index, limit) = (0, Self.limit)
            while levels[index].count > limit {
                if index + 1 == levels.count { levels.append([:]) }
                merge(index)
                (index, limit) = (index + 1, limit * Self.growth)
            }
        }
    }

    /// Moves a level into the next one.
    private mutating func merge(_ index: Int) {
        let isLast = index + 2 == levels.count
        for (name, known) in levels[index] {
            if isLast, known == nil {
                levels[index + 1].removeValue(forKey: name)
            } else {
                levels[index + 1].updateValue(known, forKey: name)
            }
        }
        levels[index] = [:]
    }

    /// All names and states.
    var all: [[UInt8]: FolderRecord.Known] {
        var settled = self
        for index in levels.indices.dropLast() { settled.merge(index) }
        return settled.levels.last?.compactMapValues(\.self) ?? [:]
    }

    static func == (left: Self, right: Self) -> Bool { left.all == right.all }
}
