// SPDX-License-Identifier: Apache-2.0

import Files
import Readers

/// A folder of a home, open for as long as this object lives. Its files are reached only through it, so that replacing
/// the folder under a running process has no effect.
final class HomeFolder: Sendable {
    let path: String
    let files: FileHooks
    /// Distinguishes the folder from every other one on this machine.
    let identity: FileIdentity
    private let folder: OpenFile
    private let isUnchecked: Bool

    /// The file system that contains the folder.
    let kind: FileSystemKind
    private let owner: UInt32

    /// The folder's owner, if that is another user.
    var otherOwner: UInt32? { owner == ThisProcess.user ? nil : owner }

    /// Opens the folder at `path`. Refuses a folder of another owner, and one that is not on this machine. Also
    /// refuses a folder if others can write to it or to a folder above it.
    convenience init(at path: String, in files: FileHooks) throws {
        try self.init(path, OpenFile.open(FileLocation(path), mode: .folder, hooks: files), isUnchecked: false)
        try ParentFolders.check(above: folder, path)
    }

    /// Opens the folder regardless of its state: a defect must not prevent a lock.
    convenience init(lockingAt path: String, in files: FileHooks) throws {
        try self.init(path, OpenFile.open(FileLocation(path), mode: .folder, hooks: files), isUnchecked: true)
    }

    /// Opens the folder `name` in this one, and makes it first if `making` is true; nil if there is none. Refuses a
    /// symbolic link.
    func folder(_ name: String, making: Bool) throws -> HomeFolder? {
        if making, try at(name).makeFolderIfMissing(files) { try sync() }
        guard let inner = try openIfPresent(name, .folder) else { return nil }
        return try HomeFolder("\(path)/\(name)", inner, isUnchecked: isUnchecked)
    }

    /// Like `folder`, but regardless of the folder's state.
    func folderForLocking(_ name: String) throws -> HomeFolder? {
        guard let inner = try openIfPresent(name, .folder) else { return nil }
        return try HomeFolder("\(path)/\(name)", inner, isUnchecked: true)
    }

    private init(_ path: String, _ folder: OpenFile, isUnchecked: Bool) throws {
        files = folder.hooks
        let status = try folder.status()
        kind = FileSystemKind(isUnchecked ? 0 : try folder.fileSystemType())
        if !isUnchecked { try Self.check(status, kind: kind, path: path, files: files) }
        self.path = path
        self.folder = folder
        self.isUnchecked = isUnchecked
        identity = status.identity
        owner = status.owner
    }

    /// The folder itself.
    var file: OpenFile { folder }

    /// The location of the name in this folder.
    func at(_ name: String) -> FileLocation { .below(folder, Array(name.utf8)) }

    /// Nil if there is none. Refuses symbolic links.
    private func openIfPresent(_ name: String, _ mode: OpenFile.Mode) throws(FileError) -> OpenFile? {
        try OpenFile.openIfPresent(
            FileLocation(name), mode: mode, hooks: files, in: folder, named: FileLocation("\(path)/\(name)"))
    }

    private static func check(_ status: FileStatus, kind: FileSystemKind, path: String, files: FileHooks) throws {
        guard status.owner == ThisProcess.user else {
            throw DataProtectionError(
                .unsafeHome,
                "\(path) belongs to user id \(status.owner), not to this process's user \(ThisProcess.user)"
            )
        }
        guard status.permissions & 0o022 == 0 else {
            throw DataProtectionError(
                .unsafeHome, "\(path) can be written to by others; run: chmod 700 \(path.shellWord)")
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

    /// Whether others have any permission on the folder.
    var isOpenToOthers: Bool { get throws { try folder.status().permissions & 0o077 != 0 } }

    /// Opens a file of the home; nil if there is none. Refuses symbolic links, files of other owners, and files that
    /// others can read or write.
    func openFile(_ name: String, _ mode: OpenFile.Mode) throws -> OpenFile? {
        let file: OpenFile?
        do { file = try openIfPresent(name, mode) } catch {
            guard error.isLink else { throw error }
            throw DataProtectionError(.unsafeHome, "\(path)/\(name) is a symbolic link; put the file itself there")
        }
        if let file { try refuseForeign(try file.status(), name) }
        return file
    }

    /// Throws `.unsafeHome` for anything but a file that is exclusively this user's.
    func refuseForeign(_ status: FileStatus, _ name: String) throws {
        guard status.kind == .file else {
            throw DataProtectionError(.unsafeHome, "\(path)/\(name) is not a regular file; move it away")
        }
        guard status.owner == ThisProcess.user else {
            throw DataProtectionError(
                .unsafeHome,
                "\(path)/\(name) belongs to the user \(status.owner), not to \(ThisProcess.user), who runs this; after a restore run, as root: chown \(ThisProcess.user) \("\(path)/\(name)".shellWord)"
            )
        }
        guard status.permissions & 0o077 == 0 else {
            throw DataProtectionError(
                .unsafeHome,
                "\(path)/\(name) can be used by others; if no other user had it, run: chmod 600 \("\(path)/\(name)".shellWord)"
            )
        }
    }

    /// Opens a file of the folder's owner, of any mode; nil if there is none. Only for locking and destroying.
    func openForLocking(_ name: String, _ mode: OpenFile.Mode) throws(FileError) -> OpenFile? {
        guard let file = try openIfPresent(name, mode) else { return nil }
        let status = try file.status()
        guard status.kind == .file, status.owner == owner else { return nil }
        return file
    }

    /// The content of a file; nil if there is none. Of a file longer than `limit`, the first `limit` + 1 bytes.
    func read(_ name: String, limit: Int) throws -> [UInt8]? {
        try openFile(name, .read)?.read(count: limit + 1)
    }

    /// The status of the entry, of a symbolic link itself; nil if there is none.
    func status(of name: String) throws -> FileStatus? { try OpenFile.status(of: at(name), files) }

    func exists(_ name: String) throws -> Bool { try status(of: name) != nil }

    /// A command for this home, for messages. In a home with users it names the user, because it would otherwise apply
    /// to the current user's home.
    func command(_ name: String, _ options: String = "") -> String {
        let user = path.split(separator: "/").suffix(2).map(String.init)
        var named = ""
        if user.first == Home.usersName, let name = user.last, UniqueIdentifier(text: name) != nil {
            named = " --user \(name)"
        } else if (try? exists(Home.usersName)) != false {
            named = " --user -"
        }
        return "zamok \(name)\(named)\(options.isEmpty ? "" : " \(options)")"
    }

    /// The command that accepts the home in its present state.
    var acceptCommand: String { command("doctor", "--accept-restored") }

    /// Replaces `name` by a whole file, durably. After a crash, either the new or the old file is there. The caller
    /// holds the lock.
    func replace(_ name: String, with bytes: [UInt8]) throws {
        try prepare(name) { try $0.write(bytes) }
        try commit(name, replacing: true)
    }

    /// Like `replace`, for files that may be written without the lock, because a lock of the keys waits for no process.
    /// Another writer may remove the temporary file, or rename it into place before it is whole. Then this tries again,
    /// up to 8 times.
    func replaceBesideOthers(_ name: String, with bytes: [UInt8]) throws {
        for _ in 0..<8 {
            do { return try replace(name, with: bytes) } catch let error as FileError {
                guard error.isMissing || error.isPresentAlready else { throw error }
            }
        }
        try replace(name, with: bytes)
    }

    /// Writes the future file `name`, durably, under its temporary name.
    func prepare(_ name: String, writing: (OpenFile) throws -> Void) throws {
        let temporary = at(name + Self.temporarySuffix)
        try files.remove(temporary)
        do {
            let file = try OpenFile.make(temporary, files)
            try writing(file)
            try file.sync()
        } catch {
            discard(name)
            throw error
        }
    }

    /// Renames the file that `prepare` wrote into place, durably.
    func commit(_ name: String, replacing: Bool) throws {
        try files.rename(at(name + Self.temporarySuffix), to: at(name), replacing: replacing)
        try sync()
    }

    /// Removes the file that `prepare` wrote.
    func discard(_ name: String) { _ = try? files.remove(at(name + Self.temporarySuffix)) }

    /// The suffix of a file's name until it is renamed into place.
    static let temporarySuffix = ".new"

    /// Removes a file if it exists. Not durable before the next `sync`.
    @discardableResult
    func remove(_ name: String) throws -> Bool { try files.remove(at(name)) }

    /// Removes an entry: a folder with everything in it, however deep, and symbolic links themselves, never
    /// their targets.
    func removeTree(_ name: String) throws {
        try files.pass(.remove, at(name))
        try FolderRemoval.remove(Array(name.utf8), in: folder)
    }

    /// The names in the folder, in no particular order.
    func names() throws -> [String] { try folder.entries().map { String(decoding: $0, as: UTF8.self) } }

    func sync() throws { try folder.sync() }

    /// Renames a file to an unused name. Not durable before the next `sync`.
    func rename(_ name: String, toNew new: String) throws {
        try files.rename(at(name), to: at(new), replacing: false)
    }

    /// Runs `body` while this thread is the only one, in any process, that holds the lock `name`; waits for it.
    ///
    /// The file is opened each time: flock(2) belongs to the open file, so that two threads of one process exclude each
    /// other too.
    func withLock<R: ~Copyable>(_ name: String, _ body: () throws -> R) throws -> R {
        let file = try lockFile(name)
        try file.lock()
        defer { file.unlock() }
        return try body()
    }

    /// Like `withLock`, but waits at most `limit`. Errors: `FileError` with `EWOULDBLOCK`, and those of `body`.
    func withLock<R: ~Copyable>(_ name: String, waiting limit: Duration, _ body: () throws -> R) throws -> R {
        let file = try lockFile(name)
        try file.lock(waiting: limit)
        defer { file.unlock() }
        return try body()
    }

    /// Like `withLock`, but waits at most `seconds`, because the process that holds the lock may be stopped.
    func withLock<R>(_ name: String, atMost seconds: Int, _ body: () throws -> R) throws -> R {
        for _ in 0..<seconds * 50 {
            // In an array, because `body` may return nil too.
            if let done = try tryLock(name, { [try body()] }) { return done[0] }
            ThisProcess.pause(milliseconds: 20)
        }
        throw DataProtectionError(
            .io,
            "everything is destroyed, but files of the home \(path) are left: another process holds \(name); end it and try again"
        )
    }

    /// Like `withLock`, but returns nil immediately if another thread or process holds the lock.
    func tryLock<R>(_ name: String, _ body: () throws -> R) throws -> R? {
        let file = try lockFile(name)
        guard try file.tryLock() else { return nil }
        defer { file.unlock() }
        return try body()
    }

    /// Shares the lock `name` with other holders, for as long as the returned file is open. Waits for an
    /// exclusive holder.
    func shareLock(_ name: String) throws -> OpenFile {
        let file = try lockFile(name)
        try file.lock(shared: true)
        return file
    }

    private func lockFile(_ name: String) throws -> OpenFile {
        do {
            if let file = try openFile(name, .change) { return file }
        } catch let error as FileError {
            // A process that can't write to the file can hold the lock too.
            guard error.isReadOnly, let file = try openFile(name, .read) else { throw error }
            return file
        }
        do {
            _ = try OpenFile.make(at(name), files)
        } catch let error {
            // Another process was faster.
            guard error.isPresentAlready else { throw error }
        }
        guard let file = try openFile(name, .change) else {
            throw DataProtectionError(.io, "\(path)/\(name) could not be made")
        }
        return file
    }
}

extension FileLocation {
    /// Makes a folder of mode 0700, regardless of the umask. True if it didn't exist.
    func makeFolderIfMissing(_ files: FileHooks) throws(FileError) -> Bool {
        do { try OpenFile.makeFolder(self, files) } catch {
            guard error.isPresentAlready else { throw error }
            return false
        }
        try OpenFile.open(self, mode: .folder, hooks: files).setMode(0o700)
        return true
    }
}
