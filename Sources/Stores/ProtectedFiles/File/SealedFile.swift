// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing
import SecretMemory

/// One open protected file: its state, its verified nodes and the change in progress.
///
/// Not thread-safe; a handle guards it with its lock. `keys()` checks the lock state, and `refresh()` detects changes
/// by other processes.
struct SealedFile: ~Copyable {
    let file: OpenFile
    let keybag: Keybag
    let keeping: KeyKeeping

    /// The committed state.
    var header: FileHeader
    /// The number of the slot that the last commit wrote first.
    var slot: Int
    /// Both slots as last read or written.
    var slots: [UInt8]
    /// Whether both slots are authentic.
    var hasWholeHeader: Bool
    var context: ChunkContext
    var nodes: NodeCache
    var change: Change?
    /// The committed state's allocator, kept for the next change.
    var spareAllocator: BlockAllocator?
    /// The known number of seals under the file key; `header.seals` on disk is never lower.
    var usedSeals: Int
    /// Participates in commits, for example for the folder's index.
    var witness: (any CommitWitness)?
    /// A buffer for ciphertext.
    var sealedChunk = SealedChunk()
    var current = CurrentChunk()
    /// The shared page's change counter when `slots` were read.
    var seenChanges: UInt64
    var keptKeys: KeptKeys?
    /// Bytes read ahead, including the header; used once.
    var beginning: [UInt8] = []

    /// The chunk that was last read or changed, as plaintext.
    struct CurrentChunk: ~Copyable {
        var index = -1
        var content = ChunkContent(zeros: 0)
        /// Changed, and not sealed yet.
        var isDirty = false
    }

    struct KeptKeys {
        let keys: FileKeys
        let lastUsable: ContinuousClock.Instant
    }

    private init(
        _ file: OpenFile, page: HeaderPage, state: HeaderPage.State, keybag: Keybag, grace: Duration,
        seenChanges: UInt64
    ) {
        self.file = file
        self.keybag = keybag
        self.seenChanges = seenChanges
        header = state.header
        usedSeals = state.header.seals
        slot = state.slot
        slots = page.slots
        hasWholeHeader = state.isWhole
        keeping = KeyKeeping(state.header.protection, grace: grace)
        context = ChunkContext(state.header)
        nodes = NodeCache(capacity: file.hooks.sealing.cachedNodes)
        keptKeys = KeptKeys(keys: state.keys, lastUsable: .now)
    }

    /// Verifies the file. `trailing`: accept bytes after the end of a settled file. `ahead`: read this many bytes after
    /// the header with it, for the first chunk that is read.
    static func verify(
        _ file: OpenFile, _ keybag: Keybag, grace: Duration = .zero, trailing: Bool = false, ahead: Int = 0
    ) throws -> SealedFile {
        try settled(file, ahead: ahead) { bytes in
            let seen = keybag.changeCount(.files)
            let page = try HeaderPage(bytes, file.path)
            let state = try page.verified(keybag, file.path)
            var sealed = SealedFile(file, page: page, state: state, keybag: keybag, grace: grace, seenChanges: seen)
            // Fewer bytes than requested are the whole file. If they end where the header says, no `fstat` is needed.
            if bytes.count == FileFormat.headerSize + ahead || bytes.count != state.header.end {
                try sealed.checkSize(trailing: trailing)
            }
            if bytes.count > FileFormat.headerSize { sealed.beginning = bytes }
            return sealed
        }
    }

    /// How much is read ahead for files that may be short: one page of content.
    static let aheadOfShortFiles = FileFormat.nodeSize

    /// Runs `body` on the beginning of a file. Writers don't wait for readers. A beginning that fails to verify was
    /// read during a change, unless a second read gives the same bytes (ProtectedFile.md, "Reading"). `ahead`: the
    /// first read includes this many bytes more.
    static func settled<R: ~Copyable>(_ file: OpenFile, ahead: Int = 0, _ body: ([UInt8]) throws -> R) throws -> R {
        var last: [UInt8]?
        if ahead > 0 {
            let bytes = try file.readBeginning(count: FileFormat.headerSize + ahead)
            do { return try body(bytes) } catch { last = Array(bytes.prefix(FileFormat.headerSize)) }
        }
        for _ in 0..<1000 {
            let bytes = try file.read(count: FileFormat.headerSize, at: 0)
            do {
                return try body(bytes)
            } catch {
                if let last, bytes.hasBytes(of: last) { throw error }
                last = bytes
            }
        }
        throw ProtectedFileError(.busy, "\(file.path) changes faster than it can be read; try again")
    }

    /// Opens the file that was just created. Its keys are in memory, regardless of the lock state.
    init(made fresh: consuming FreshFile, _ keybag: Keybag, grace: Duration) {
        seenChanges = keybag.changeCount(.files)
        file = fresh.file
        self.keybag = keybag
        header = fresh.header
        usedSeals = fresh.header.seals
        slot = 0
        slots = fresh.slots
        hasWholeHeader = true
        keeping = KeyKeeping(fresh.header.protection, grace: grace)
        context = ChunkContext(fresh.header)
        nodes = NodeCache(capacity: fresh.file.hooks.sealing.cachedNodes)
        keptKeys = KeptKeys(keys: fresh.keys, lastUsable: .now)
    }

    /// Opens the file at `path` for reading or for changes.
    static func open(
        _ path: FileLocation, mode: OpenFile.Mode, keybag: Keybag, hooks: FileHooks, grace: Duration = .zero
    ) throws -> SealedFile {
        try verify(try OpenFile.open(path, mode: mode, hooks: hooks), keybag, grace: grace)
    }

    var path: FileLocation { file.path }

    /// The length of the content, including the change in progress.
    var length: Int { change?.length ?? header.length }

    /// Detects that the file was cut, or that bytes were appended, before any content is read.
    func checkSize(trailing: Bool = false) throws { try Self.checkSize(of: file, header, trailing: trailing) }

    static func checkSize(of file: OpenFile, _ header: FileHeader, trailing: Bool = false) throws {
        let size = try file.status().size
        guard size >= header.end else { throw ProtectedFileError.damaged("\(file.path)", "it is cut") }
        guard trailing || header.isUnsettled || size == header.end else {
            throw ProtectedFileError.lengthened("\(file.path)", by: size - header.end)
        }
    }
}

// MARK: Keys

/// How long the keys of an open file are kept, by class.
enum KeyKeeping: Equatable {
    /// `complete`: fetched for each operation, or kept for a grace period after they were last usable.
    case forOperation(grace: Duration)
    /// `completeUntilFirstUserAuthentication`: kept, and checked at each operation.
    case whileUnlockedOnce
    /// `completeUnlessOpen` and `none`: kept for as long as the file is open.
    case whileOpen

    init(_ protection: ProtectionClass, grace: Duration) {
        switch protection {
        case .complete, .whenPasscodeSet: self = .forOperation(grace: grace)
        case .completeUntilFirstUserAuthentication: self = .whileUnlockedOnce
        case .completeUnlessOpen, .none: self = .whileOpen
        }
    }
}

extension SealedFile {
    /// The keys, if the class allows it now. Errors: `.locked` and those of the keybag.
    mutating func keys() throws -> FileKeys {
        if let kept = keptKeys, try mayUse(kept) { return kept.keys }
        keptKeys = nil
        if keeping != .whileOpen { forgetContent() }
        let keys = try FileKeys.fetch(header, from: keybag)
        keptKeys = KeptKeys(keys: keys, lastUsable: .now)
        return keys
    }

    private mutating func mayUse(_ kept: KeptKeys) throws -> Bool {
        switch keeping {
        case .whileOpen: return true
        case .whileUnlockedOnce: return keybag.lockState != .beforeFirstUnlock
        case .forOperation(let grace):
            if keybag.lockState == .unlocked {
                keptKeys = KeptKeys(keys: kept.keys, lastUsable: .now)
                return true
            }
            return ContinuousClock.now - kept.lastUsable < grace
        }
    }

    /// Called after an operation: wipes what the class doesn't allow to be kept.
    mutating func end() {
        guard case .forOperation(let grace) = keeping, grace <= .zero else { return }
        keptKeys = nil
        if !current.isDirty { current = CurrentChunk() }
    }

    private mutating func forgetContent() {
        if !current.isDirty { current = CurrentChunk() }
    }
}

// MARK: What other processes did

extension SealedFile {
    /// Makes sure that the state is the file's present one. Not needed during a change, when no other process writes.
    mutating func refresh() throws {
        guard change == nil, seenChanges != keybag.changeCount(.files) else { return }
        _ = try reload()
    }

    /// Reads the header again; returns true if it has changed.
    mutating func reload() throws -> Bool {
        let seen = keybag.changeCount(.files)
        let bytes = try file.read(count: HeaderPage.size, at: 0)
        seenChanges = seen
        beginning = []
        if bytes.hasBytes(of: slots) { return false }
        let known = try keptKeys.flatMap { try mayUse($0) ? (header, $0.keys) : nil }
        let (keybag, path, before) = (keybag, path, header)
        let (page, state) = try Self.settled(file) { bytes in
            let page = try HeaderPage(bytes, path)
            let state = try page.verified(keybag, path, known: known)
            guard state.header.isSameFile(before) else {
                throw ProtectedFileError.damaged("\(path)", "another file was written over it")
            }
            guard state.header.sequence >= before.sequence else {
                throw ProtectedFileError.damaged("\(path)", "it was put back to an older state while it was open")
            }
            return (page, state)
        }
        slots = page.slots
        slot = state.slot
        hasWholeHeader = state.isWhole
        let isOther = state.header.sequence != header.sequence
        header = state.header
        if isOther {
            nodes.removeAll()
            current = CurrentChunk()
            spareAllocator = nil
            usedSeals = header.seals
        }
        keptKeys = KeptKeys(keys: state.keys, lastUsable: .now)
        return isOther
    }

    /// Runs a read that needs one consistent state. Repeats it if a block fails to verify because of a
    /// concurrent writer.
    mutating func consistently<R>(_ body: (inout SealedFile) throws -> R) throws -> R {
        for _ in 0..<16 {
            do {
                return try body(&self)
            } catch let fault as BlockFault {
                guard change == nil, try reload() else { throw ProtectedFileError.damaged("\(path)", fault.text) }
            }
        }
        throw ProtectedFileError(.busy, "\(path) changes faster than it can be read; try again")
    }
}

/// A block differs from its parent's entry: the file is damaged, or a writer has changed it.
struct BlockFault: Error {
    let text: String
}
