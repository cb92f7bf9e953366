// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing

/// A change in progress: the next state. The whole file is locked.
struct Change {
    /// The committed state that the change started from, valid until the commit.
    let base: FileHeader
    var length: Int
    var height: Int
    var root: BlockEntry
    var allocator: BlockAllocator
    /// Whether bytes after the new end must be cut off.
    var cutsEnd = false
    /// Whether there is anything to commit.
    var isDirty = false
}

extension SealedFile {
    /// Writes `bytes` at `offset`; a gap between the old end and `offset` is filled with zeros.
    mutating func write(_ bytes: RawSpan, at offset: Int) throws {
        guard bytes.byteCount > 0 else { return }
        guard offset >= 0, offset <= FileFormat.greatestLength - bytes.byteCount else { throw tooLong }
        let keys = try keys()
        try changing { file in
            let oldCount = FileFormat.chunkCount(file.length)
            let end = offset + bytes.byteCount
            if end > file.length {
                try file.grow(to: end, keys)
                try file.putZeros(oldCount..<max(oldCount, offset / FileFormat.chunkSize), keys)
            }
            try file.put(bytes, at: offset, existing: oldCount, keys)
        }
    }

    /// Extends the content with zeros, or shortens it.
    mutating func setLength(_ length: Int) throws {
        guard length >= 0, length <= FileFormat.greatestLength else { throw tooLong }
        let keys = try keys()
        try changing { file in
            let oldCount = FileFormat.chunkCount(file.length)
            if length > file.length {
                try file.grow(to: length, keys)
                try file.putZeros(oldCount..<FileFormat.chunkCount(length), keys)
            } else if length < file.length {
                try file.shrink(to: length, keys)
            }
        }
    }

    private var tooLong: ProtectedFileError {
        ProtectedFileError(.tooLarge, "\(path): a protected file has at most 16 TiB")
    }

    /// Runs a step of the change, and begins a change if there is none. A step that fails undoes the whole change; the
    /// committed state stays.
    private mutating func changing(_ body: (inout SealedFile) throws -> Void) throws {
        if change == nil { try beginChange() }
        do {
            change?.isDirty = true
            try body(&self)
            if nodes.isCrowded { try flushLeaves() }
        } catch {
            abandon()
            throw (error as? BlockFault).map { ProtectedFileError.damaged("\(path)", $0.text) } ?? error
        }
    }

    /// Undoes everything that is not committed.
    mutating func abandon() {
        guard change != nil else { return }
        change = nil
        nodes.removeAll()
        current = CurrentChunk()
        spareAllocator = nil
        file.unlock()
    }

    // MARK: Beginning

    mutating func beginChange() throws {
        try file.lock(waiting: .seconds(10))
        do {
            // A commit to a file without a name would be lost.
            guard try file.status().links > 0 else {
                throw ProtectedFileError(
                    .changed, "\(path) was replaced or removed while it was open; open it again and repeat the change")
            }
            _ = try reload()
            try checkSize()
            // A killed writer left these bytes: it can't be running, since we hold the lock.
            if header.isUnsettled, try file.status().size > header.end { try file.truncate(to: header.end) }
            let base = header
            change = Change(
                base: base, length: base.length, height: base.height, root: base.root,
                allocator: spareAllocator ?? BlockAllocator()
            )
            if spareAllocator == nil { try markTaken() }
            spareAllocator = nil
        } catch {
            abandon()
            file.unlock()
            throw error
        }
    }

    /// Marks every block of the committed state in the allocator.
    private mutating func markTaken() throws {
        do {
            let chunks = FileFormat.chunkCount(length)
            guard height > 0 else {
                let offset = root.offset
                if chunks > 0 { change?.allocator.markChunk(at: offset) }
                return
            }
            try mark(NodeName(level: height, index: 0), at: root.offset)
        } catch let fault as BlockFault {
            throw ProtectedFileError.damaged("\(path)", fault.text)
        }
    }

    private mutating func mark(_ name: NodeName, at offset: Int) throws {
        change?.allocator.markNode(at: offset)
        let node = try node(name)
        for position in 0..<entryCount(of: name) {
            let below = node[position].offset
            if name.level == 1 {
                guard FileFormat.isPlace(below), below < header.end else {
                    throw BlockFault(text: "a chunk is not where it should be")
                }
                change?.allocator.markChunk(at: below)
            } else {
                try mark(NodeName(level: name.level - 1, index: name.index * FileFormat.fanout + position), at: below)
            }
        }
    }

    // MARK: Content

    private mutating func put(_ bytes: RawSpan, at offset: Int, existing: Int, _ keys: FileKeys) throws {
        var position = 0
        while position < bytes.byteCount {
            let index = (offset + position) / FileFormat.chunkSize
            let begin = (offset + position) % FileFormat.chunkSize
            let size = FileFormat.chunkLength(index, of: length)
            let count = min(size - begin, bytes.byteCount - position)
            let part = bytes.extracting(position..<position + count)
            if count == FileFormat.chunkSize {
                if current.index == index { current = CurrentChunk() }
                try putChunk(index, content: part, keys: keys)
            } else {
                try makeCurrentForChange(index, size: size, isNew: index >= existing, keys: keys)
                try current.content.withMutableBytes { $0.copy(part, at: begin) }
                current.isDirty = true
            }
            position += count
        }
    }

    private mutating func makeCurrentForChange(_ index: Int, size: Int, isNew: Bool, keys: FileKeys) throws {
        if current.index != index {
            try flushCurrent()
            let content = try isNew ? ChunkContent(zeros: size) : content(index, keys)
            current = CurrentChunk(index: index, content: content)
        }
        if current.content.count != size { current.content.resize(to: size) }
    }

    /// Seals the current chunk if it was changed.
    mutating func flushCurrent() throws {
        guard current.isDirty else { return }
        let keys = try keys()
        var taken = CurrentChunk()
        swap(&taken, &current)
        try taken.content.withBytes { try putChunk(taken.index, content: $0, keys: keys) }
        taken.isDirty = false
        swap(&taken, &current)
    }

    private mutating func putZeros(_ chunks: Range<Int>, _ keys: FileKeys) throws {
        guard !chunks.isEmpty else { return }
        let zeros = ChunkContent(zeros: FileFormat.chunkSize)
        for index in chunks {
            let size = FileFormat.chunkLength(index, of: length)
            try zeros.withBytes { try putChunk(index, content: $0.extracting(0..<size), keys: keys) }
        }
    }

    /// Seals a whole chunk and writes it where no block of the committed state is.
    private mutating func putChunk(_ index: Int, content: RawSpan, keys: FileKeys) throws {
        let old = try oldEntry(ofChunk: index)
        var offset = old.offset
        if offset == 0 || change?.allocator.isFreshChunk(at: offset) == false {
            if offset != 0 { change?.allocator.releaseChunk(at: offset) }
            offset = change?.allocator.takeChunk() ?? 0
        }
        try announce(endingAt: offset + content.byteCount, seals: 1, keys)
        usedSeals += 1
        let isLast = index == FileFormat.chunkCount(length) - 1
        let authenticated = context.authenticated(index, isLast: isLast)
        let file = file
        let nonceAndTag = try ChunkCipher.with(keys.content) { cipher in
            try cipher.seal(content, authenticating: authenticated) { try file.write($0, at: offset) }
        }
        if let sealed = file.hooks.sealing.sealed { sealed(try keys.fingerprint(), Array(nonceAndTag[..<12])) }
        try setEntry(ofChunk: index, to: BlockEntry(chunkAt: offset, nonceAndTag: nonceAndTag))
    }
}
