// SPDX-License-Identifier: Apache-2.0

import Files

/// A folder of a home, open for as long as this lives. Its files are reached through it alone, so that exchanging the
/// folder under a running process changes nothing.
final class HomeFolder: Sendable {
    let path: String
    let files: FileSystem
    /// Tells the folder from every other one of this machine.
    let identity: Identity
    private let folder: Descriptor
    private let isUnchecked: Bool

    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    /// What it lies on.
    let kind: FileSystemKind
    private let owner: UInt32

    /// Whose it is, if it is another user's.
    var otherOwner: UInt32? { owner == ThisProcess.user ? nil : owner }

    /// Opens the folder at `path`. Refused: another owner, itself or a folder above writable by others, not on this machine.
    convenience init(at path: String, in files: FileSystem) throws {
        try self.init(path, try files.open(path, .folder), files, isUnchecked: false)
        try ParentFolders.check(above: folder, path, files)
    }

    /// The folder in whatever state it is: a lock must not be kept by what is wrong with it.
    convenience init(lockingAt path: String, in files: FileSystem) throws {
        try self.init(path, try files.open(path, .folder), files, isUnchecked: true)
    }

    /// Opens the folder `name` in this one, and makes it first if wanted; nil if there is none. A symbolic link is
    /// refused.
    func folder(_ name: String, making: Bool) throws -> HomeFolder? {
        if making, try files.makeFolder(name, in: folder.number) { try files.sync(folder, path) }
        guard let inner = try files.openIfPresent(name, in: folder.number, .folderWithin) else { return nil }
        return try HomeFolder("\(path)/\(name)", inner, files, isUnchecked: isUnchecked)
    }

    /// The same, in whatever state it is.
    func folderForLocking(_ name: String) throws -> HomeFolder? {
        guard let inner = try files.openIfPresent(name, in: folder.number, .folderWithin) else { return nil }
        return try HomeFolder("\(path)/\(name)", inner, files, isUnchecked: true)
    }

    private init(_ path: String, _ folder: consuming Descriptor, _ files: FileSystem, isUnchecked: Bool) throws {
        let status = try files.status(of: folder, path)
        kind = isUnchecked ? FileSystemKind(0) : try files.kind(of: folder, path)
        if !isUnchecked { try Self.check(status, kind, path, files) }
        self.path = path
        self.files = files
        self.folder = folder
        self.isUnchecked = isUnchecked
        identity = Identity(device: status.device, inode: status.inode)
        owner = status.owner
    }

    private static func check(_ status: FileStatus, _ kind: FileSystemKind, _ path: String, _ files: FileSystem) throws
    {
        guard status.owner == ThisProcess.user else {
            throw DataProtectionError(
                .unsafeHome,
                "\(path) belongs to user id \(status.owner), not to this process's user \(ThisProcess.user)"
            )
        }
        guard status.permissions & 0o022 == 0 else {
            throw DataProtectionError(.unsafeHome, "\(path) can be written to by others; run: chmod 700 \(path)")
        }
        switch kind.verdict {
        case .local: return
        case .remote:
            throw DataProtectionError(
                .unsafeHome,
                "\(path) lies on a network file system (\(kind.name)), where locks don't hold; set ZAMOK_HOME to a folder on a local disk"
            )
        case .odd:
            guard !files.acceptsOddFileSystems else { return }
            throw DataProtectionError(
                .unsafeHome,
                "\(path) lies on \(kind.name), where locks between processes may not hold; set ZAMOK_HOME to a folder on a local disk, or take the loss: \(HomeLocation.anyFileSystem)=1"
            )
        }
    }

    /// Whether people other than the owner may look into the folder.
    var isOpenToOthers: Bool { get throws { try files.status(of: folder, path).permissions & 0o077 != 0 } }

    /// Opens a file of the home; nil if there is none. Refused: symbolic links, other owners, files that others can
    /// read or write.
    func openFile(_ name: String, _ mode: OpenMode) throws -> Descriptor? {
        let file: Descriptor
        do {
            guard let found = try files.openIfPresent(name, in: folder.number, mode) else { return nil }
            file = found
        } catch let error {
            guard error.isLink else { throw error }
            throw DataProtectionError(.unsafeHome, "\(path)/\(name) is a symbolic link; put the file itself there")
        }
        try refuseForeign(try files.status(of: file, name), name)
        return file
    }

    /// Throws `.unsafeHome` for what is not a file of ours alone.
    func refuseForeign(_ status: FileStatus, _ name: String) throws {
        guard status.kind == .file, status.owner == ThisProcess.user else {
            throw DataProtectionError(
                .unsafeHome, "\(path)/\(name) is not a regular file of this process's user; move it away")
        }
        guard status.permissions & 0o077 == 0 else {
            throw DataProtectionError(
                .unsafeHome,
                "\(path)/\(name) can be used by others; if nobody else had it, run: chmod 600 \(path)/\(name)"
            )
        }
    }

    /// A file of the folder's owner, of whatever mode; nil if there is none that is one. For locking and destroying alone.
    func openForLocking(_ name: String, _ mode: OpenMode) throws(FileError) -> Descriptor? {
        guard let file = try files.openIfPresent(name, in: folder.number, mode) else { return nil }
        let status = try files.status(of: file, name)
        guard status.kind == .file, status.owner == owner else { return nil }
        return file
    }

    /// The whole file; nil if there is none. One that is longer than `limit` answers `limit` + 1 bytes.
    func read(_ name: String, limit: Int) throws -> [UInt8]? {
        guard let file = try openFile(name, .read) else { return nil }
        return try files.read(file, name, count: limit + 1)
    }

    /// What lies there, a symbolic link itself; nil if nothing does.
    func status(of name: String) throws -> FileStatus? { try files.status(of: name, in: folder.number) }

    func exists(_ name: String) throws -> Bool { try files.status(of: name, in: folder.number) != nil }

    /// Puts a whole file in the place of `name`, durably: after a crash it is there, or the old one is. The lock is
    /// held by the caller.
    func replace(_ name: String, with bytes: [UInt8]) throws {
        try prepare(name) { try files.write(bytes, to: $0, name) }
        try commit(name, replacing: true)
    }

    /// The same for what may be written without the lock, since a lock of the keys waits for nobody: whoever writes at the same moment may take the temporary
    /// file away, or put it in the place before it is whole. Then once more.
    func replaceBesideOthers(_ name: String, with bytes: [UInt8]) throws {
        for _ in 0..<8 {
            do { return try replace(name, with: bytes) } catch let error as FileError {
                guard error.isMissing || error.isPresentAlready else { throw error }
            }
        }
        try replace(name, with: bytes)
    }

    /// Writes what is to become the file `name`, durably, but leaves it beside its place.
    func prepare(_ name: String, writing: (borrowing Descriptor) throws -> Void) throws {
        let temporary = name + Self.temporarySuffix
        try files.remove(temporary, in: folder.number)
        do {
            let file = try files.make(temporary, in: folder.number)
            try writing(file)
            try files.sync(file, temporary)
        } catch {
            discard(name)
            throw error
        }
    }

    /// Puts what `prepare` wrote in its place, durably.
    func commit(_ name: String, replacing: Bool) throws {
        try files.rename(name + Self.temporarySuffix, to: name, in: folder.number, replacing: replacing)
        try sync()
    }

    /// A new file, whole from the first moment; not durable. The lock is held by the caller.
    func make(_ name: String, with bytes: [UInt8]) throws {
        let temporary = name + Self.temporarySuffix
        try files.remove(temporary, in: folder.number)
        do {
            let file = try files.make(temporary, in: folder.number)
            try files.write(bytes, to: file, temporary)
            try files.rename(temporary, to: name, in: folder.number, replacing: false)
        } catch {
            discard(name)
            throw error
        }
    }

    /// Drops what `prepare` wrote.
    func discard(_ name: String) { _ = try? files.remove(name + Self.temporarySuffix, in: folder.number) }

    /// What a file is called until it takes its place.
    static let temporarySuffix = ".new"

    /// Removes a file if it is there; not durable before the next `sync`.
    @discardableResult
    func remove(_ name: String) throws -> Bool { try files.remove(name, in: folder.number) }

    /// Removes what has this name, a folder with everything in it, however deep; symbolic links themselves, never what they point to.
    func removeTree(_ name: String) throws {
        try files.pass(.remove, name)
        do {
            try FolderRemoval.remove(Array(name.utf8), in: folder.number, path: FileLocation(path))
        } catch {
            throw FileError(number: error.number, operation: .remove, name: name)
        }
    }

    /// The names in the folder, in no order.
    func names() throws -> [String] { try files.list(folder.number, path) }

    func sync() throws { try files.sync(folder, path) }

    /// Gives a file another name, which nothing has; not durable before the next `sync`.
    func rename(_ name: String, toNew new: String) throws {
        try files.rename(name, to: new, in: folder.number, replacing: false)
    }

    /// Runs `body` while this thread alone, of all threads and processes, holds the lock `name`; waits for it.
    ///
    /// The file is opened anew each time: flock belongs to the open file, so that two threads of one process exclude
    /// each other too.
    func withLock<R: ~Copyable>(_ name: String, _ body: () throws -> R) throws -> R {
        let file = try lockFile(name)
        _ = try files.lock(file, name, waiting: true)
        defer { files.unlock(file) }
        return try body()
    }

    /// The same, but waits for at most so many seconds: whoever holds the lock may be stopped.
    func withLock<R>(_ name: String, atMost seconds: Int, _ body: () throws -> R) throws -> R {
        for _ in 0..<seconds * 50 {
            // In a box, since nil is an answer of `body` too.
            if let done = try tryLock(name, { [try body()] }) { return done[0] }
            ThisProcess.pause(milliseconds: 20)
        }
        throw DataProtectionError(
            .io,
            "everything is destroyed, but files of the home \(path) are left: another process holds \(name); end it and try again"
        )
    }

    /// The same, but nil at once if somebody else holds the lock.
    func tryLock<R>(_ name: String, _ body: () throws -> R) throws -> R? {
        let file = try lockFile(name)
        guard try files.lock(file, name, waiting: false) else { return nil }
        defer { files.unlock(file) }
        return try body()
    }

    /// Holds the lock `name` beside others who share it, for as long as the file is open; waits for who holds it alone.
    func shareLock(_ name: String) throws -> Descriptor {
        let file = try lockFile(name)
        _ = try files.lock(file, name, waiting: true, shared: true)
        return file
    }

    private func lockFile(_ name: String) throws -> Descriptor {
        if let file = try openFile(name, .readAndWrite) { return file }
        do {
            _ = try files.make(name, in: folder.number)
        } catch let error {
            // Another process was faster.
            guard error.isPresentAlready else { throw error }
        }
        guard let file = try openFile(name, .readAndWrite) else {
            throw DataProtectionError(.io, "\(path)/\(name) could not be made")
        }
        return file
    }
}
