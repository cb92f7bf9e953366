// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files
import SecretMemory

/// An open protected file: reading and writing at any position.
///
/// Changes are collected until `synchronize()` or `close()`, and then take effect atomically. After a crash the file
/// has the content of the last of these calls, never a mixture. Until then other handles and processes read the old
/// content. A handle that is freed without either call loses its changes. So does a handle whose class is locked before
/// the call, which throws `.locked`.
///
/// One change at a time: while a handle has unsynchronised changes, other handles that want to change the file wait up
/// to ten seconds, then throw `.busy`. Any thread may call; the calls of one handle are serialised.
///
/// After a lock, an open handle of class `complete` refuses from the next call on, unless the store has a grace period.
/// `completeUnlessOpen` and `none` continue. `completeUntilFirstUserAuthentication` continues until the home is as
/// before its first unlock.
public final class ProtectedFileHandle: Sendable {
    /// Where the file is.
    public let location: FileLocation
    /// The class of the file.
    public let protection: ProtectionClass
    private let isWritable: Bool
    private let state: Locked<State>

    private struct State: ~Copyable {
        var file: SealedFile?
        var position = 0
    }

    init(_ file: consuming SealedFile, _ location: FileLocation, isWritable: Bool) {
        self.location = location
        protection = file.header.protection
        self.isWritable = isWritable
        state = Locked(State(file: file))
    }

    // MARK: Position and length

    /// Where the next sequential read or write begins.
    public var offset: Int { state.withLock { $0.position } }

    /// The length of the content, including unsynchronised changes.
    public var length: Int {
        get throws(ProtectedFileError) {
            try use { file, _ in
                try file.refresh()
                return file.length
            }
        }
    }

    /// Moves the position, which may be past the end.
    public func seek(toOffset offset: Int) throws(ProtectedFileError) {
        guard offset >= 0 else { throw negative }
        try use { _, position in position = offset }
    }

    /// Moves the position to the end and returns it.
    @discardableResult
    public func seekToEnd() throws(ProtectedFileError) -> Int {
        try use { file, position in
            try file.refresh()
            position = file.length
            return position
        }
    }

    // MARK: Reading

    /// The next `count` bytes from the position on; fewer only at the end, none past it.
    public func read(upToCount count: Int) throws(ProtectedFileError) -> [UInt8] {
        guard count >= 0 else { throw negative }
        return try use { file, position in
            var bytes: [UInt8] = []
            try file.read(into: &bytes, count: count, at: position)
            position += bytes.count
            return bytes
        }
    }

    /// Reads `count` bytes from `offset` on, all of one state of the file; fewer only at the end. The position stays.
    public func read(count: Int, at offset: Int) throws(ProtectedFileError) -> [UInt8] {
        guard count >= 0, offset >= 0 else { throw negative }
        return try use { file, _ in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(min(count, max(0, file.length - offset)))
            try file.read(into: &bytes, count: count, at: offset)
            return bytes
        }
    }

    /// Reads from the position to the end.
    public func readToEnd() throws(ProtectedFileError) -> [UInt8] { try read(upToCount: .max) }

    // MARK: Changing

    /// Writes at the position and moves it to the end of the written bytes.
    public func write(_ bytes: [UInt8]) throws(ProtectedFileError) {
        try change { file, position in
            let begin = position
            try bytes.withSpan(bytes.count) { try file.write($0, at: begin) }
            position += bytes.count
        }
    }

    /// Writes at `offset`; if that is past the end, the gap is filled with zeros. The position stays.
    public func write(_ bytes: [UInt8], at offset: Int) throws(ProtectedFileError) {
        guard offset >= 0 else { throw negative }
        try change { file, _ in try bytes.withSpan(bytes.count) { try file.write($0, at: offset) } }
    }

    /// Like `write(_:at:)` for an array, but takes bytes from a span.
    public func write(_ bytes: RawSpan, at offset: Int) throws(ProtectedFileError) {
        guard offset >= 0 else { throw negative }
        try change { file, _ in try file.write(bytes, at: offset) }
    }

    /// Appends to the file, regardless of the position, even if another process has extended the file meanwhile.
    public func append(_ bytes: [UInt8]) throws(ProtectedFileError) {
        try change { file, _ in
            if file.change == nil { try file.beginChange() }
            let end = file.length
            try bytes.withSpan(bytes.count) { try file.write($0, at: end) }
        }
    }

    /// Shortens the content, or extends it with zeros.
    public func truncate(atOffset length: Int) throws(ProtectedFileError) {
        guard length >= 0 else { throw negative }
        try change { file, _ in try file.setLength(length) }
    }

    /// Makes the changes take effect, durably.
    public func synchronize() throws(ProtectedFileError) {
        try use { file, _ in try file.commit() }
    }

    /// Makes the changes take effect, durably, and closes the handle. If that fails, the handle is closed too, and the
    /// last synchronised content stays.
    public func close() throws(ProtectedFileError) {
        do {
            try use { file, _ in
                try file.commit()
                if isWritable { try file.settle() }
            }
        } catch let error {
            state.withLock { $0.file = nil }
            if error.code == .closed { return }
            throw error
        }
        state.withLock { $0.file = nil }
    }

    /// Undoes unsynchronised changes.
    public func discardChanges() throws(ProtectedFileError) {
        try use { file, _ in file.abandon() }
    }

    // MARK: Parts

    private func change(_ body: (inout SealedFile, inout Int) throws -> Void) throws(ProtectedFileError) {
        guard isWritable else {
            throw ProtectedFileError(.invalidArgument, "\(location) was opened for reading only")
        }
        try use(body)
    }

    /// Runs `body` with exclusive access to the open file and the position.
    private func use<R: Sendable>(
        _ body: (inout SealedFile, inout Int) throws -> R
    ) throws(ProtectedFileError) -> R {
        do {
            return try state.withLock { state in
                guard var file = state.file.take() else {
                    throw ProtectedFileError(.closed, "\(location): the handle was closed")
                }
                let result = Result { try body(&file, &state.position) }
                file.end()
                state.file = consume file
                return try result.get()
            }
        } catch {
            throw ProtectedFileError(error, about: "\(location)")
        }
    }

    private var negative: ProtectedFileError {
        ProtectedFileError(.invalidArgument, "\(location): offsets and counts are not negative")
    }
}

extension ProtectedFileStore {
    /// A handle for reading.
    public func handle(forReadingFrom path: FileLocation) throws(ProtectedFileError) -> ProtectedFileHandle {
        try reaching(reading: path) { ProtectedFileHandle(try open($0), path, isWritable: false) }
    }

    /// A handle for reading and changing an existing file. A file with very many seals under its key first gets a new
    /// key. One under a retired class key is rewrapped under the present one.
    public func handle(forUpdating path: FileLocation) throws(ProtectedFileError) -> ProtectedFileHandle {
        try reaching(path, following: true) { held in
            try refuseRecord(held)
            try renewIfWorn(held)
            var file = try open(held, .change)
            if file.header.isUnder(retiredKeyOf: keybag) { _ = try file.rewrap() }
            return ProtectedFileHandle(file, path, isWritable: true)
        }
    }

    /// Gives a file with very many seals a new key. If other handles have it open, that happens the next time, long
    /// before the seals run out.
    private func renewIfWorn(_ path: FileLocation) throws {
        let bytes = try OpenFile.open(path, mode: .read, hooks: hooks).read(count: FileFormat.headerSize, at: 0)
        guard let header = (try? HeaderPage(bytes, path))?.claimed, header.seals >= hooks.sealing.manySeals else {
            return
        }
        do {
            try reseal(path, protection: try open(path, .read).header.protection)
        } catch let error as ProtectedFileError {
            guard error.code == .busy || error.code == .changed else { throw error }
        }
    }

    /// A handle on a new, empty file, which replaces the file of that name. While locked, a file of class
    /// `completeUnlessOpen` can be created and written through this handle.
    public func handle(
        forWritingTo path: FileLocation, protection: ProtectionClass? = nil, options: WritingOptions = []
    ) throws(ProtectedFileError) -> ProtectedFileHandle {
        try reaching(path) { held in
            let fresh = try make(held, protection: protection, options: options) { _ in }
            var file = SealedFile(made: fresh, keybag, grace: configuration.lockGrace)
            file.witness = FolderWitness(held, folders)
            return ProtectedFileHandle(file, path, isWritable: true)
        }
    }
}
