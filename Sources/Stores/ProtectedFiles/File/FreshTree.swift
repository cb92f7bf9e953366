// SPDX-License-Identifier: Apache-2.0

import Files

/// The tree of a file that is written sequentially: each node is written once, when it is full or the file ends.
struct FreshTree {
    /// For each level, from 1: the node being filled, and its number of entries.
    private var open: [(node: TreeNode, name: NodeName, count: Int)] = []
    private var nextPlace = 0
    /// The offset of the next node, and how many free pages follow there.
    private var nodePage = 0
    private var nodePagesLeft = 0
    private var only: BlockEntry?
    private(set) var end = FileFormat.headerSize
    private var lastChunk = 0

    /// Allocates `count` consecutive chunks; returns the offset of the first.
    mutating func takeChunks(_ count: Int) -> Int {
        defer { nextPlace += count }
        return FileFormat.offset(ofPlace: nextPlace)
    }

    /// Adds the next chunk, in order.
    mutating func add(_ entry: BlockEntry, _ file: OpenFile) throws {
        lastChunk = entry.offset
        if let first = only {
            only = nil
            try add(first, level: 1, file: file)
        } else if open.isEmpty {
            only = entry
            return
        }
        try add(entry, level: 1, file: file)
    }

    mutating func noteEnd(ofLastChunk count: Int) { end = max(end, lastChunk + count) }

    /// Writes the nodes that are still open and returns the root.
    mutating func finish(_ chunks: Int, _ file: OpenFile) throws -> BlockEntry {
        if let only { return only }
        guard chunks > 0 else { return .none }
        let height = FileFormat.height(chunks: chunks)
        var level = 1
        while level < height {
            if open[level - 1].count > 0 { try add(write(level, file), level: level + 1, file: file) }
            level += 1
        }
        return try write(height, file)
    }

    private mutating func add(_ entry: BlockEntry, level: Int, file: OpenFile) throws {
        if level > open.count {
            let name = NodeName(level: level, index: 0)
            open.append((TreeNode(name), name, 0))
        }
        if open[level - 1].count == FileFormat.fanout {
            try add(write(level, file), level: level + 1, file: file)
        }
        open[level - 1].node[open[level - 1].count] = entry
        open[level - 1].count += 1
    }

    /// Writes the open node of a level and begins the next one.
    private mutating func write(_ level: Int, _ file: OpenFile) throws -> BlockEntry {
        if nodePagesLeft == 0 {
            nodePage = FileFormat.offset(ofPlace: nextPlace)
            nodePagesLeft = FileFormat.nodesPerPlace
            nextPlace += 1
        }
        let offset = nodePage
        nodePage += FileFormat.nodeSize
        nodePagesLeft -= 1
        end = max(end, offset + FileFormat.nodeSize)
        let (node, name, _) = open[level - 1]
        try file.write(node.bytes, at: offset)
        let next = NodeName(level: level, index: name.index + 1)
        open[level - 1] = (TreeNode(next), next, 0)
        return BlockEntry(offset: offset, digest: node.digest)
    }
}
