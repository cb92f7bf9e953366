// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing
import SecretMemory

/// Writes a new protected file sequentially, in bounded memory. No other process can open the file yet: its header is
/// written last.
struct FreshFile: ~Copyable {
    let unplaced: UnplacedFile
    let file: OpenFile
    let keys: FileKeys
    private(set) var header: FileHeader
    /// Both header slots as `finish` wrote them.
    private(set) var slots: [UInt8] = []
    private var context: ChunkContext
    /// Held until the file is renamed into place.
    private let use: KeyUse?
    private var tree: FreshTree
    private var chunks = 0
    /// Content that doesn't fill a chunk yet, or may be the last chunk.
    private var pending: [UInt8] = []

    /// Generates the keys, and creates the file only if the class is usable now. `memory`: what the file remembers of
    /// its folder.
    init(
        _ protection: ProtectionClass, keybag: Keybag, memory: FolderMemory, making make: () throws -> UnplacedFile
    ) throws {
        let use = try keybag.keyUse()
        let fileID = Self.randomIdentifier()
        let (key, keys) = try FileKeys.draw(for: protection, fileID, in: keybag)
        let made = try make()
        // After the folder was noted: a home with keys of files has a list of folders.
        try keybag.rememberFile(under: ClassKeyID(key.classKeyID))
        unplaced = made
        file = unplaced.file
        self.use = use
        self.keys = keys
        header = FileHeader(protection: protection, fileID: fileID, home: keybag.homeIdentifier, key: key)
        header.memory = memory
        context = ChunkContext(header)
        tree = FreshTree()
    }

    static func randomIdentifier() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Appends the next part of the content.
    mutating func append(_ bytes: RawSpan) throws {
        var position = 0
        while position < bytes.byteCount {
            if pending.count == FileFormat.chunkSize { try sealPending(isLast: false) }
            let count = min(FileFormat.chunkSize - pending.count, bytes.byteCount - position)
            // A full chunk that isn't the last one needs no copy.
            if pending.isEmpty, bytes.byteCount - position > FileFormat.chunkSize {
                try seal(bytes.extracting(position..<position + count), isLast: false)
            } else {
                pending.append(copying: bytes.extracting(position..<position + count))
            }
            position += count
        }
    }

    /// Completes the file and returns its state. The file is durable once it is synced.
    mutating func finish() throws -> FileState {
        if !pending.isEmpty { try sealPending(isLast: true) }
        header.height = FileFormat.height(chunks: chunks)
        header.root = try tree.finish(chunks, file)
        header.end = tree.end
        let slot = try keys.slot(header)
        slots = slot + slot
        try file.write(slots + [UInt8](repeating: 0, count: FileFormat.headerSize - HeaderPage.size), at: 0)
        return FileState(header)
    }

    private mutating func sealPending(isLast: Bool) throws {
        var taken: [UInt8] = []
        swap(&taken, &pending)
        try taken.withSpan(taken.count) { try seal($0, isLast: isLast) }
        taken.wipe()
        if !isLast {
            taken.removeAll(keepingCapacity: true)
            swap(&taken, &pending)
        }
    }

    private mutating func seal(_ content: RawSpan, isLast: Bool) throws {
        let offset = tree.takeChunks(1)
        let entry = try ChunkCipher.with(keys.content) { cipher in
            try Self.seal(
                content, index: chunks, isLast: isLast, at: offset, cipher: &cipher, context: &context, file: file,
                keys: keys)
        }
        try add([entry], length: content.byteCount)
    }

    private mutating func add(_ entries: [BlockEntry], length: Int) throws {
        for entry in entries { try tree.add(entry, file) }
        tree.noteEnd(ofLastChunk: length - (entries.count - 1) * FileFormat.chunkSize)
        chunks += entries.count
        header.length += length
        header.seals += entries.count
    }

    fileprivate static func seal(
        _ content: RawSpan, index: Int, isLast: Bool, at offset: Int, cipher: inout ChunkCipher,
        context: inout ChunkContext, file: OpenFile, keys: FileKeys
    ) throws -> BlockEntry {
        let nonceAndTag = try cipher.seal(content, authenticating: context.authenticated(index, isLast: isLast)) {
            try file.write($0, at: offset)
        }
        if let sealed = file.hooks.sealing.sealed { sealed(try keys.fingerprint(), Array(nonceAndTag[..<12])) }
        return BlockEntry(chunkAt: offset, nonceAndTag: nonceAndTag)
    }
}

// MARK: From another file

extension FreshFile {
    /// Appends the whole content of `source`, which has `length` bytes, on `threads` threads. `progress` receives the
    /// bytes done; if it throws, the work ends.
    mutating func append(
        contentsOf source: OpenFile, length: Int, threads: Int, _ progress: (Int) throws -> Void
    ) throws {
        source.adviseSequential()
        let count = FileFormat.chunkCount(length)
        while chunks < count {
            let units = FileUnits(from: chunks, to: count, threads: threads)
            let unit = SealingUnit(
                source: source, length: length, target: file, keys: keys, context: context, first: chunks,
                offset: tree.takeChunks(units.all.count)
            )
            let entries = try units.map { try unit.seal($0) }.flatMap { try $0.get() }
            let done = min(length, units.all.upperBound * FileFormat.chunkSize)
            try add(entries, length: done - header.length)
            try progress(done)
        }
    }
}

/// What a thread needs to seal some chunks of a file.
private struct SealingUnit: Sendable {
    let source: OpenFile
    let length: Int
    let target: OpenFile
    let keys: FileKeys
    let context: ChunkContext
    /// The first chunk of the round; `offset` is its offset.
    let first: Int
    let offset: Int

    func seal(_ range: Range<Int>) throws -> [BlockEntry] {
        var context = context
        var buffer = [UInt8](repeating: 0, count: FileFormat.chunkSize)
        defer { buffer.wipe() }
        return try ChunkCipher.with(keys.content, expecting: range.count) { cipher in
            try range.map { index in
                let size = FileFormat.chunkLength(index, of: length)
                guard try source.read(into: &buffer, count: size, at: index * FileFormat.chunkSize) == size else {
                    throw ProtectedFileError(.changed, "\(source.path) became shorter while it was read")
                }
                let isLast = index == FileFormat.chunkCount(length) - 1
                let place = offset + (index - first) * FileFormat.chunkSize
                return try buffer.withSpan(size) {
                    try FreshFile.seal(
                        $0, index: index, isLast: isLast, at: place, cipher: &cipher, context: &context, file: target,
                        keys: keys)
                }
            }
        }
    }
}
