// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing

extension SealedFile {
    mutating func setEntry(ofChunk index: Int, to entry: BlockEntry) throws {
        guard height > 0 else {
            change?.root = entry
            return
        }
        try setEntry(NodeName.ofChunk(index), index % FileFormat.fanout, to: entry)
    }

    /// The tree's entry for a chunk before it is written; `.none` for a new chunk.
    mutating func oldEntry(ofChunk index: Int) throws -> BlockEntry {
        if height > 0, try isNew(NodeName.ofChunk(index)) { return .none }
        return try entry(ofChunk: index)
    }

    /// Changes an entry. The node will be written where no node of the committed state is.
    mutating func setEntry(_ name: NodeName, _ position: Int, to entry: BlockEntry) throws {
        if try !isNew(name) { _ = try node(name) } else if nodes.find(name) == nil { nodes.insertNew(name) }
        var offset = nodes.offset(of: name) ?? 0
        if !nodes.isDirty(name), offset != 0, change?.allocator.isFreshNode(at: offset) == false {
            change?.allocator.releaseNode(at: offset)
            offset = 0
        }
        nodes.change(name, at: offset, position, to: entry)
    }

    /// Whether the node is not in the file yet: its parent has no entry for it.
    private mutating func isNew(_ name: NodeName) throws -> Bool {
        if nodes.find(name) != nil { return false }
        if name.level == height { return root.offset == 0 }
        if try isNew(name.parent) { return true }
        return try node(name.parent)[name.position].offset == 0
    }

    // MARK: Growing and shrinking

    /// Sets the new length and raises the tree's height as needed. The chunk that was the last one is sealed again: it
    /// becomes longer, or is no longer marked as the last.
    mutating func grow(to length: Int, _ keys: FileKeys) throws {
        let oldCount = FileFormat.chunkCount(self.length)
        let newCount = FileFormat.chunkCount(length)
        let oldHeight = height
        if oldCount > 0 { try holdForSealing(oldCount - 1, keys) }
        change?.length = length
        if oldCount > 0 { current.content.resize(to: FileFormat.chunkLength(oldCount - 1, of: length)) }
        let newHeight = FileFormat.height(chunks: newCount)
        guard oldCount > 0 else {
            change?.height = newHeight
            return
        }
        for level in oldHeight..<newHeight {
            let top = NodeName(level: level + 1, index: 0)
            let below = root
            nodes.insertNew(top)
            nodes.change(top, at: 0, 0, to: below)
            change?.height = level + 1
            change?.root = .none
        }
    }

    /// Makes the chunk the current one, to be sealed again before another chunk takes its place.
    private mutating func holdForSealing(_ index: Int, _ keys: FileKeys) throws {
        if current.index != index {
            try flushCurrent()
            current = CurrentChunk(index: index, content: try content(index, keys))
        }
        current.isDirty = true
    }

    mutating func shrink(to length: Int, _ keys: FileKeys) throws {
        let newCount = FileFormat.chunkCount(length)
        if current.index >= newCount { current = CurrentChunk() }
        try flushCurrent()
        if newCount > 0 { try holdForSealing(newCount - 1, keys) }
        try dropChunks(newCount..<FileFormat.chunkCount(self.length))
        change?.length = length
        change?.cutsEnd = true
        if newCount > 0 {
            current.content.resize(to: FileFormat.chunkLength(newCount - 1, of: length))
        }
        try lower(to: FileFormat.height(chunks: newCount))
        if newCount == 0 { change?.root = .none }
    }

    /// Releases chunks at the end, and nodes that have no entry any more.
    private mutating func dropChunks(_ chunks: Range<Int>) throws {
        guard height > 0 else {
            let offset = root.offset
            if chunks.lowerBound == 0, offset != 0 { change?.allocator.releaseChunk(at: offset) }
            return
        }
        for index in chunks {
            let old = try entry(ofChunk: index)
            if old.offset != 0 { change?.allocator.releaseChunk(at: old.offset) }
        }
        var kept = chunks.lowerBound
        var count = chunks.upperBound
        for level in 1...height {
            try dropEntries(level, kept..<count)
            kept = (kept + FileFormat.fanout - 1) / FileFormat.fanout
            count = (count + FileFormat.fanout - 1) / FileFormat.fanout
            for index in kept..<max(kept, count) { try dropNode(NodeName(level: level, index: index)) }
        }
    }

    /// Clears the dropped entries in the one remaining node that has some of them.
    private mutating func dropEntries(_ level: Int, _ range: Range<Int>) throws {
        guard range.lowerBound % FileFormat.fanout != 0 else { return }
        let name = NodeName(level: level, index: range.lowerBound / FileFormat.fanout)
        let last = min(range.upperBound, (name.index + 1) * FileFormat.fanout)
        for index in range.lowerBound..<max(last, range.lowerBound) {
            try setEntry(name, index % FileFormat.fanout, to: .none)
        }
    }

    private mutating func dropNode(_ name: NodeName) throws {
        let offset: Int
        if let known = nodes.offset(of: name) {
            offset = known
        } else {
            offset = try name.level == height ? root.offset : node(name.parent)[name.position].offset
        }
        nodes.remove(name)
        if offset != 0 { change?.allocator.releaseNode(at: offset) }
    }

    /// Removes the levels that shorter content doesn't need.
    private mutating func lower(to newHeight: Int) throws {
        while height > newHeight {
            let top = NodeName(level: height, index: 0)
            guard newHeight > 0 || length > 0 else {
                change?.height = newHeight
                return
            }
            let first = try node(top)[0]
            try dropNode(top)
            let lower = height - 1
            change?.height = lower
            change?.root = first
        }
    }
}
