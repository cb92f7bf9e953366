// SPDX-License-Identifier: Apache-2.0

/// Nodes of one file that were verified, or changed and not written yet; a bounded number of them.
struct NodeCache {
    struct Cached {
        var node: TreeNode
        /// Where it lies in the file; 0: nowhere yet.
        var offset: Int
        var isDirty = false
        var lastUse: UInt64 = 0
    }

    private var capacity: Int
    private var nodes: [NodeName: Cached] = [:]
    private var clock: UInt64 = 0
    private(set) var dirtyCount = 0

    init(capacity: Int) { self.capacity = max(capacity, 8) }

    /// For a pass from the beginning to the end: a node that was passed is not needed again, so that a large file takes no
    /// more memory than a small one.
    mutating func expectOnePass() { capacity = 8 }

    /// Enough are changed that some should be written.
    var isCrowded: Bool { dirtyCount > capacity / 2 }

    mutating func find(_ name: NodeName) -> TreeNode? {
        guard let position = nodes.index(forKey: name) else { return nil }
        clock += 1
        nodes.values[position].lastUse = clock
        return nodes.values[position].node
    }

    func offset(of name: NodeName) -> Int? { nodes[name]?.offset }
    func isDirty(_ name: NodeName) -> Bool { nodes[name]?.isDirty ?? false }

    /// A clean node.
    mutating func insert(_ node: TreeNode, _ name: NodeName, at offset: Int) {
        makeRoom()
        clock += 1
        nodes[name] = Cached(node: node, offset: offset, lastUse: clock)
    }

    /// A node that is not in the file yet.
    mutating func insertNew(_ name: NodeName) {
        makeRoom()
        clock += 1
        dirtyCount += 1
        nodes[name] = Cached(node: TreeNode(name), offset: 0, isDirty: true, lastUse: clock)
    }

    /// Changes an entry of a node in the cache. It will be written at `offset`; 0: a place for it is found then.
    mutating func change(_ name: NodeName, at offset: Int, _ position: Int, to entry: BlockEntry) {
        guard let index = nodes.index(forKey: name) else { return }
        if !nodes.values[index].isDirty { dirtyCount += 1 }
        nodes.values[index].isDirty = true
        nodes.values[index].offset = offset
        nodes.values[index].node[position] = entry
    }

    mutating func markWritten(_ name: NodeName, at offset: Int) {
        guard let index = nodes.index(forKey: name), nodes.values[index].isDirty else { return }
        dirtyCount -= 1
        nodes.values[index].isDirty = false
        nodes.values[index].offset = offset
    }

    mutating func remove(_ name: NodeName) {
        if let removed = nodes.removeValue(forKey: name), removed.isDirty { dirtyCount -= 1 }
    }

    mutating func removeAll() {
        nodes = [:]
        dirtyCount = 0
    }

    /// The changed nodes of a level, in order.
    func dirtyNames(level: Int) -> [NodeName] {
        guard dirtyCount > 0 else { return [] }
        return nodes.filter { $0.key.level == level && $0.value.isDirty }.map(\.key).sorted { $0.index < $1.index }
    }

    /// Drops a quarter of the clean ones, those that were not used for the longest time.
    private mutating func makeRoom() {
        guard nodes.count >= capacity else { return }
        let clean = nodes.filter { !$0.value.isDirty }.sorted { $0.value.lastUse < $1.value.lastUse }
        for name in clean.prefix(max(1, capacity / 4)).map(\.key) { nodes[name] = nil }
    }
}
