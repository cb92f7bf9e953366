// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing

extension SealedFile {
    var height: Int { change?.height ?? header.height }
    var root: BlockEntry { change?.root ?? header.root }

    /// Appends content from `offset` on to `target`, at most `count` bytes, and fewer only at the end. All of it is of
    /// one state.
    mutating func read(into target: inout [UInt8], count: Int, at offset: Int) throws {
        try refresh()
        let keys = try keys()
        let begin = target.count
        try consistently { file in
            target.removeLast(target.count - begin)
            let end = min(file.length, offset + min(count, file.length))
            var position = offset
            while position < end {
                let index = position / FileFormat.chunkSize
                let begin = index * FileFormat.chunkSize
                let part = position - begin..<min(FileFormat.chunkSize, end - begin)
                try file.makeCurrent(index, keys)
                try file.current.content.withBytes { target.append(copying: $0.extracting(part)) }
                position += part.count
            }
        }
    }

    /// Calls `body` with each chunk's content from `first` on, in order, and keeps none of it.
    mutating func forEachChunk(
        from first: Int = 0, _ body: (_ index: Int, RawSpan) throws -> Void
    ) throws {
        nodes.expectOnePass()
        for index in first..<max(first, FileFormat.chunkCount(length)) {
            do {
                // Fetched again each time, so that a lock ends the work.
                try content(index, try keys()).withBytes { try body(index, $0) }
            } catch let fault as BlockFault {
                throw try changedOrDamaged(fault)
            }
        }
    }

    /// Reads chunk `index` unless it is the current one.
    private mutating func makeCurrent(_ index: Int, _ keys: FileKeys) throws {
        guard current.index != index else { return }
        try flushCurrent()
        current = CurrentChunk(index: index, content: try content(index, keys))
    }

    /// The content of a chunk, verified against the root. Throws `BlockFault`.
    mutating func content(_ index: Int, _ keys: FileKeys) throws -> ChunkContent {
        let entry = try entry(ofChunk: index)
        let count = FileFormat.chunkLength(index, of: length)
        let authenticated = context.authenticated(index, isLast: index == FileFormat.chunkCount(length) - 1)
        let (file, bound) = (file, bound)
        let beginning = beginning
        self.beginning = []
        var taken = SealedChunk()
        swap(&taken, &sealedChunk)
        defer { swap(&taken, &sealedChunk) }
        return try ChunkCipher.with(keys.content) {
            try Self.open(
                file, entry: entry, index: index, count: count, end: bound, authenticated: authenticated, cipher: $0,
                sealed: &taken, beginning: beginning)
        }
    }

    /// Reads and opens one chunk. Uses only its arguments, so several threads may call it at once.
    static func open(
        _ file: OpenFile, entry: BlockEntry, index: Int, count: Int, end: Int, authenticated: [UInt8],
        cipher: borrowing ChunkCipher, sealed: inout SealedChunk, beginning: [UInt8] = []
    ) throws -> ChunkContent {
        guard FileFormat.isPlace(entry.offset), entry.offset <= end - count, let nonceAndTag = entry.nonceAndTag else {
            throw BlockFault(text: "chunk \(index) is not where it should be")
        }
        let isThere = entry.offset + count <= beginning.count
        let found = try sealed.withCiphertext(count) {
            isThere ? $0.copy(from: beginning, at: entry.offset) : try file.read(into: &$0, at: entry.offset)
        }
        guard found == count else {
            throw BlockFault(text: "chunk \(index) is cut")
        }
        do {
            return try cipher.open(&sealed, nonceAndTag: nonceAndTag, authenticating: authenticated)
        } catch SealingError.cannotOpen {
            throw BlockFault(text: "chunk \(index) was changed")
        }
    }

    /// The chunk's offset, nonce and tag.
    mutating func entry(ofChunk index: Int) throws -> BlockEntry {
        if height == 0 { return root }
        let leaf = NodeName.ofChunk(index)
        return try node(leaf)[index % FileFormat.fanout]
    }

    /// A node, verified by its parents up to the root. Throws `BlockFault`.
    mutating func node(_ name: NodeName) throws -> TreeNode {
        if let known = nodes.find(name) { return known }
        let entry = name.level == height ? root : try node(name.parent)[name.position]
        guard FileFormat.isPage(entry.offset), entry.offset <= bound - FileFormat.nodeSize else {
            throw BlockFault(text: "a part of its tree is not where it should be")
        }
        let bytes = try file.read(count: FileFormat.nodeSize, at: entry.offset)
        guard let node = TreeNode(bytes, name, entries: entryCount(of: name)), node.digest == entry.digest else {
            throw BlockFault(text: "a part of its tree was changed")
        }
        nodes.insert(node, name, at: entry.offset)
        return node
    }

    /// The limit for the end of a block. Blocks of a change may be anywhere.
    private var bound: Int { change == nil ? header.end : .max }

    /// How many entries a node has in content of this length.
    func entryCount(of name: NodeName) -> Int {
        var below = FileFormat.chunkCount(max(length, change?.base.length ?? 0))
        for _ in 1..<name.level { below = (below + FileFormat.fanout - 1) / FileFormat.fanout }
        return max(0, min(FileFormat.fanout, below - name.index * FileFormat.fanout))
    }
}

extension SealedFile {
    /// Writes the whole content to `target`, opened on `threads` threads. Each chunk is written after it is verified.
    mutating func copyContent(
        to target: OpenFile, threads: Int, _ progress: (Int) throws -> Void
    ) throws {
        try refresh()
        file.adviseSequential()
        nodes.expectOnePass()
        let count = FileFormat.chunkCount(length)
        var next = 0
        while next < count {
            let units = FileUnits(from: next, to: count, threads: threads)
            do {
                try copy(units, to: target)
            } catch let fault as BlockFault {
                throw try changedOrDamaged(fault)
            }
            next = units.all.upperBound
            try progress(min(length, next * FileFormat.chunkSize))
        }
    }

    private mutating func copy(_ units: FileUnits, to target: OpenFile) throws {
        // Fetched again each time, so that a lock ends the work.
        let keys = try keys()
        let entries = try units.all.map { try entry(ofChunk: $0) }
        let (length, bound, first) = (length, header.end, units.all.lowerBound)
        let (file, context) = (file, context)
        let results = units.map { range in
            var context = context
            var sealed = SealedChunk()
            try ChunkCipher.with(keys.content) { cipher in
                for index in range {
                    let isLast = index == FileFormat.chunkCount(length) - 1
                    let content = try Self.open(
                        file, entry: entries[index - first], index: index,
                        count: FileFormat.chunkLength(index, of: length),
                        end: bound, authenticated: context.authenticated(index, isLast: isLast), cipher: cipher,
                        sealed: &sealed
                    )
                    try content.withBytes { try target.write($0, at: index * FileFormat.chunkSize) }
                }
            }
        }
        for result in results { try result.get() }
    }

    /// The error for a block that fails to verify in the middle of a long read.
    mutating func changedOrDamaged(_ fault: BlockFault) throws -> ProtectedFileError {
        if try reload() { return ProtectedFileError(.changed, "\(path) was changed while it was read; begin again") }
        return .damaged("\(path)", fault.text)
    }
}
