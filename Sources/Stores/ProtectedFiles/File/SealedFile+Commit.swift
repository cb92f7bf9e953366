// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files

/// Participates in a file's commits, before and after them.
protocol CommitWitness: Sendable {
    /// `body` brings the file into `state`, durably. An error of `body` or of the witness ends the commit.
    func committing(to state: FileState, _ body: () throws -> Void) throws
    /// What the file is to remember of its folder; nil: what it remembers already.
    var memory: FolderMemory? { get }
}

extension SealedFile {
    /// How many seals one header counts in advance, so that a crash loses none of their count.
    private static let sealsGranted = 1 << 16

    /// Commits the change in progress, durably. Does nothing if there is none.
    mutating func commit() throws {
        guard change?.isDirty == true else { return abandon() }
        do {
            let keys = try keys()
            try flushCurrent()
            try flushNodes()
            guard let change else { return }
            var next = header
            next.generation += 1
            next.length = change.length
            next.height = change.height
            next.root = change.root
            next.isUnsettled = header.isUnsettled || change.cutsEnd
            if next.isUnsettled {
                let chunks = FileFormat.chunkCount(change.length)
                let last = chunks == 0 ? .none : try entry(ofChunk: chunks - 1)
                next.end = change.allocator.end(
                    lastChunk: last.offset, count: FileFormat.chunkLength(chunks - 1, of: change.length)
                )
            }
            if let witness {
                next.memory = witness.memory ?? header.memory
                try witness.committing(to: FileState(next)) { try publish(next, keys) }
            } else {
                try publish(next, keys)
            }
            // Content that can't be read any more must not count as written.
            try keybag.checkExists(ClassKeyID(header.key.classKeyID))
        } catch {
            abandon()
            throw (error as? BlockFault).map { ProtectedFileError.damaged("\(path)", $0.text) } ?? error
        }
        change?.allocator.commit()
        spareAllocator = change?.allocator
        change = nil
        file.unlock()
        keybag.countChange(.files)
    }

    private mutating func publish(_ next: FileHeader, _ keys: FileKeys) throws {
        try file.syncData()
        try writeSlots(next, keys, durably: true)
    }

    /// Cuts off bytes after the end, and clears the header's flag that there may be some. Called after the last commit
    /// of a handle, and for folder records.
    mutating func settle() throws {
        guard change == nil, header.isUnsettled || header.seals > usedSeals else { return }
        try file.lock(waiting: .seconds(10))
        defer { file.unlock() }
        _ = try reload()
        var next = header
        next.seals = max(usedSeals, 0)
        if header.isUnsettled {
            if try file.status().size > header.end {
                try file.truncate(to: header.end)
                try file.syncData()
            }
            next.isUnsettled = false
        }
        try writeSlots(next, try keys(), durably: false)
        keybag.countChange(.files)
    }

    /// Records the file's folder in the other slot only. That needs no order of writes on disk: the present slot is
    /// intact and describes the same content.
    mutating func remember(_ memory: FolderMemory) throws {
        guard header.memory != memory else { return }
        try file.lock(waiting: .seconds(10))
        defer { file.unlock() }
        _ = try reload()
        var next = header
        next.memory = memory
        next.sequence += 1
        let bytes = try keys().slot(next)
        let other = 1 - slot
        try file.write(bytes, at: other * FileFormat.slotSize)
        header = next
        slot = other
        slots.replaceSubrange(other * FileFormat.slotSize..<(other + 1) * FileFormat.slotSize, with: bytes)
        keybag.countChange(.files)
    }

    /// Verifies all content, then removes bytes after the end and rewrites a damaged half of the header. Returns how
    /// many bytes were removed, and whether a half was damaged.
    mutating func repair() throws -> (bytes: Int, half: Bool) {
        try file.lock(waiting: .seconds(10))
        defer { file.unlock() }
        _ = try reload()
        try forEachChunk { _, _ in }
        let surplus = try file.status().size - header.end
        let half = !hasWholeHeader
        if surplus > 0 {
            try file.truncate(to: header.end)
            try file.syncData()
        }
        if half || header.isUnsettled {
            var next = header
            next.isUnsettled = false
            try writeSlots(next, try keys(), durably: true)
        }
        keybag.countChange(.files)
        return (max(0, surplus), half)
    }

    /// Rewraps the file key if its class key is retired; nothing else changes. Returns false if there was nothing
    /// to do.
    mutating func rewrap() throws -> Bool {
        try file.lock(waiting: .seconds(10))
        defer { file.unlock() }
        _ = try reload()
        let use = try keybag.keyUse()
        defer { withExtendedLifetime(use) {} }
        guard let key = try FileKeys.rewrapped(header, in: keybag) else { return false }
        var next = header
        next.key = key
        try writeSlots(next, try keys(), durably: true)
        try keybag.checkExists(ClassKeyID(header.key.classKeyID))
        keybag.countChange(.files)
        return true
    }

    /// Called before the file grows beyond its end, and before seals that no header counts yet.
    mutating func announce(endingAt end: Int, seals: Int, _ keys: FileKeys) throws {
        guard usedSeals + seals < FileFormat.greatestSeals else {
            throw ProtectedFileError(
                .tooLarge, "\(path) was changed too often under one key; open it again, then it gets a new one"
            )
        }
        let grows = end > header.end && !header.isUnsettled
        guard grows || usedSeals + seals > header.seals else { return }
        var next = header
        next.isUnsettled = header.isUnsettled || grows
        next.seals = min(usedSeals + Self.sealsGranted, FileFormat.greatestSeals)
        try writeSlots(next, keys, durably: true)
        keybag.countChange(.files)
    }

    private mutating func writeSlots(_ state: FileHeader, _ keys: FileKeys, durably: Bool) throws {
        var next = state
        next.sequence = header.sequence + 1
        let bytes = try keys.slot(next)
        let other = 1 - slot
        try file.write(bytes, at: other * FileFormat.slotSize)
        if durably { try file.syncData() }
        // From here on the new state is in force, even if writing the second slot fails.
        let first = slot
        header = next
        slot = other
        slots = bytes + bytes
        hasWholeHeader = true
        try file.write(bytes, at: first * FileFormat.slotSize)
    }

    // MARK: Nodes

    /// Writes changed nodes from the leaves to the root.
    private mutating func flushNodes() throws {
        guard height > 0 else { return }
        for level in 1...height {
            for name in nodes.dirtyNames(level: level) { try writeNode(name) }
        }
    }

    /// Writes changed leaves, which bounds the memory of a large change.
    mutating func flushLeaves() throws {
        for name in nodes.dirtyNames(level: 1) { try writeNode(name) }
    }

    private mutating func writeNode(_ name: NodeName) throws {
        guard let node = nodes.find(name), var offset = nodes.offset(of: name) else { return }
        if offset == 0 { offset = change?.allocator.takeNode() ?? 0 }
        try announce(endingAt: offset + FileFormat.nodeSize, seals: 0, try keys())
        try file.write(node.bytes, at: offset)
        nodes.markWritten(name, at: offset)
        let entry = BlockEntry(offset: offset, digest: node.digest)
        if name.level == height {
            change?.root = entry
        } else {
            try setEntry(name.parent, name.position, to: entry)
        }
    }
}
