// SPDX-License-Identifier: Apache-2.0

/// A bounded cache of one file's nodes: verified ones, and changed ones that are not written yet.
struct NodeCache {
    struct Cached {
        var node: TreeNode
        /// Its offset in the file; 0: none yet.
        var offset: Int
        var isDirty = false
        var lastUse: UInt64 = 0
    }

    private var capacity: Int
    private var nodes: [NodeName: Cached] = [:]
    private var clock: UInt64 = 0
    private(set) var dirtyCount = 0

    init(capacity: Int) { self.capacity = max(capacity, 8) }

    /// For one sequential pass: passed nodes are not needed again, so a large file takes no more memory than a
    /// small one.
    mutating func expectOnePass() { capacity = 8 }

    /// Whether enough nodes are changed that some should be written.
    var isCrowded: Bool { dirtyCount > capacity / 2 }

    mutating func find(_ name: NodeName) -> TreeNode? {
        guard let position = nodes.index(forKey: name) else { return nil }
        clock += 1
        nodes.values[position].lastUse = clock
        return nodes.values[position].node
    }

    func offset(of name: NodeName) -> Int? { nodes[name]?.offset }
    func isDirty(_ name: NodeName) -> Bool { nodes[name]?.isDirty ?? false }

    /// Inserts a clean node.
    mutating func insert(_ node: TreeNode, _ name: NodeName, at offset: Int) {
        makeRoom()
        clock += 1
        nodes[name] = Cached(node: node, offset: offset, lastUse: clock)
    }

    /// Inserts a node that is not in the file yet.
    mutating func insertNew(_ name: NodeName) {
        makeRoom()
        clock += 1
        dirtyCount += 1
        nodes[name] = Cached(node: TreeNode(name), offset: 0, isDirty: true, lastUse: clock)
    }

    /// Changes an entry of a cached node. The node will be written at `offset`; 0: its place is allocated when it
    /// is written.
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

    /// Drops the least recently used clean nodes, up to a quarter of the capacity.
    private mutating func makeRoom() {
        guard nodes.count >= capacity else { return }
        let clean = nodes.filter { !$0.value.isDirty }.sorted { $0.value.lastUse < $1.value.lastUse }
        for name in clean.prefix(max(1, capacity / 4)).map(\.key) { nodes[name] = nil }
    }
}
