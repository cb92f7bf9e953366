// SPDX-License-Identifier: Apache-2.0

/// The names in a folder and the states of their files. A record is read while another copy of it is changed. What a
/// change copies grows with the square root of the number of names.
struct KnownNames: Equatable {
    private var base: [[UInt8]: FolderRecord.Known] = [:]
    /// Changes since `base`; nil: removed.
    private var changes: [[UInt8]: FolderRecord.Known?] = [:]
    private(set) var count = 0

    init() {}

    subscript(name: [UInt8]) -> FolderRecord.Known? {
        get { changes[name] ?? base[name] }
        set {
            count += (newValue == nil ? 0 : 1) - (self[name] == nil ? 0 : 1)
            changes.updateValue(newValue, forKey: name)
            if changes.count * changes.count > base.count + 4096 { settle() }
        }
    }

    private mutating func settle() {
        for (name, known) in changes { base[name] = known }
        changes = [:]
    }

    /// All names and states.
    var all: [[UInt8]: FolderRecord.Known] {
        var settled = self
        settled.settle()
        return settled.base
    }

    static func == (left: Self, right: Self) -> Bool { left.all == right.all }
}
