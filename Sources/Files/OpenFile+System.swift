// SPDX-License-Identifier: Apache-2.0
//
// The one file of this module that talks to the kernel.

import CPlatform

/// An open file or folder, closed with its last owner.
package final class OpenFile: Sendable {
    package let number: Int32
    package let path: FileLocation
    package let hooks: FileHooks

    package init(_ number: Int32, _ path: FileLocation, _ hooks: FileHooks) {
        self.number = number
        self.path = path
        self.hooks = hooks
    }

    deinit { _ = zamok_close(number) }
}

/// What the kernel says of a file.
package struct FileStatus: Sendable {
    package enum Kind: Sendable { case file, folder, link, other }
    package let kind: Kind
    package let size: Int
    package let permissions: UInt32
    package let links: Int
    package let device: UInt64
    package let inode: UInt64
    /// Nanoseconds since 1970.
    package let modified: Int64
}

// MARK: Opening

extension OpenFile {
    package enum Mode: Sendable {
        case read, change, folder
        var flags: Int32 {
            switch self {
            case .read: O_RDONLY | O_NONBLOCK | O_NOCTTY
            case .change: O_RDWR | O_NONBLOCK | O_NOCTTY
            case .folder: O_RDONLY | O_DIRECTORY
            }
        }
    }

    package static func open(
        _ path: FileLocation, _ mode: Mode, _ hooks: FileHooks, in folder: OpenFile? = nil
    ) throws(FileError) -> OpenFile {
        try hooks.pass(.open, path)
        let result = unsafe path.withText { unsafe zamok_open(folder?.number ?? AT_FDCWD, $0, mode.flags, 0) }
        return OpenFile(try check(result, .open, path), path, hooks)
    }

    /// A new file of mode 0600 whatever the umask; fails where there is one.
    package static func make(_ path: FileLocation, _ hooks: FileHooks) throws(FileError) -> OpenFile {
        try hooks.pass(.make, path)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        let result = unsafe path.withText { unsafe zamok_open(AT_FDCWD, $0, flags, 0o600) }
        let file = OpenFile(try check(result, .make, path), path, hooks)
        try check(zamok_set_mode(file.number, 0o600), .make, path)
        return file
    }

    /// A new file of mode 0600 in `folder` without a name; nil where the file system has no such files.
    package static func makeUnnamed(in folder: FileLocation, _ hooks: FileHooks) throws(FileError) -> OpenFile? {
        try hooks.pass(.make, folder)
        let result = unsafe folder.withText { unsafe zamok_open_unnamed(AT_FDCWD, $0, 0o600) }
        if [-EOPNOTSUPP, -EISDIR, -ENOENT, -EINVAL, -ENOSYS].contains(result) { return nil }
        return OpenFile(try check(result, .make, folder), folder, hooks)
    }

    package static func makeFolder(_ path: FileLocation, _ hooks: FileHooks) throws(FileError) {
        try hooks.pass(.makeFolder, path)
        try check(unsafe path.withText { unsafe zamok_make_folder(AT_FDCWD, $0, 0o700) }, .make, path)
    }

    /// Nil where there is none. A link itself, not what it points to, unless `following`.
    package static func status(of path: FileLocation, _ hooks: FileHooks) throws(FileError) -> FileStatus? {
        var status = zamok_file_status()
        let result = unsafe path.withText { unsafe zamok_status_at(AT_FDCWD, $0, &status) }
        if result == -ENOENT || result == -ENOTDIR { return nil }
        try check(result, .status, path)
        return FileStatus(status)
    }

    package func status() throws(FileError) -> FileStatus {
        var status = zamok_file_status()
        let result = unsafe zamok_status(number, &status)
        try check(result, .status, path)
        return FileStatus(status)
    }
}

// MARK: Reading and writing

extension OpenFile {
    /// Fills the beginning of `buffer` with at most `count` bytes; fewer only at the end of the file.
    @discardableResult
    package func read(into buffer: inout [UInt8], count: Int, at offset: Int) throws(FileError) -> Int {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        let limit = min(count, buffer.count)
        let result = unsafe buffer.withUnsafeMutableBytes {
            unsafe zamok_read_at(number, $0.baseAddress, limit, Int64(offset))
        }
        return Int(try check(result, .read, path))
    }

    /// Fills the beginning of `span`; how much of it: fewer bytes only at the end of the file.
    package func read(into span: inout MutableRawSpan, at offset: Int) throws(FileError) -> Int {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        let result = unsafe span.withUnsafeMutableBytes {
            unsafe zamok_read_at(number, $0.baseAddress, $0.count, Int64(offset))
        }
        return Int(try check(result, .read, path))
    }

    /// At most `count` bytes.
    package func read(count: Int, at offset: Int) throws(FileError) -> [UInt8] {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        var result: Int64 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            unsafe result = zamok_read_at(number, buffer.baseAddress, count, Int64(offset))
            used = max(0, Int(result))
        }
        try check(result, .read, path)
        return bytes
    }

    package func write(_ span: RawSpan, at offset: Int) throws(FileError) {
        try hooks.pass(.write, path, offset: offset, bytes: unsafe span.withUnsafeBytes { unsafe Array($0) })
        let result = unsafe span.withUnsafeBytes {
            unsafe zamok_write_at(number, $0.baseAddress, $0.count, Int64(offset))
        }
        try check(result, .write, path)
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try hooks.pass(.write, path, offset: offset, bytes: bytes)
        let result = unsafe bytes.withUnsafeBytes {
            unsafe zamok_write_at(number, $0.baseAddress, $0.count, Int64(offset))
        }
        try check(result, .write, path)
    }

    package func truncate(to size: Int) throws(FileError) {
        try hooks.pass(.truncate, path, offset: size)
        try check(zamok_truncate(number, Int64(size)), .truncate, path)
    }

    /// Data and metadata of a file, or the entries of a folder, are on the disk when this returns.
    package func sync() throws(FileError) {
        try hooks.pass(.sync, path)
        try check(zamok_sync(number), .sync, path)
    }

    /// The data, and what is needed to read it.
    package func syncData() throws(FileError) {
        try hooks.pass(.sync, path)
        try check(zamok_sync_data(number), .sync, path)
    }

    /// False if somebody else holds the lock.
    package func tryLock() throws(FileError) -> Bool {
        let result = zamok_lock_file(number, LOCK_EX | LOCK_NB)
        if result == -EWOULDBLOCK { return false }
        try check(result, .lock, path)
        return true
    }

    /// Waits at most `limit` for the lock.
    package func lock(waiting limit: Duration) throws(FileError) {
        let begin = ContinuousClock.now
        var pause: UInt32 = 500
        while try !tryLock() {
            guard ContinuousClock.now - begin < limit else {
                throw FileError(EWOULDBLOCK, .lock, path)
            }
            usleep(pause)
            pause = min(2 * pause, 20_000)
        }
    }

    package func unlock() { _ = zamok_lock_file(number, LOCK_UN) }

    package func setMode(_ mode: UInt32) throws(FileError) {
        try hooks.pass(.setMode, path)
        try check(zamok_set_mode(number, mode), .setMode, path)
    }

    /// Whether the system protects files by itself.
    package static var systemProtects: Bool { zamok_protection_class(-1) != -ENOSYS }

    package func setSystemProtection(_ code: UInt8) throws(FileError) {
        try check(zamok_set_protection_class(number, Int32(code)), .protect, path)
    }

    package func systemProtection() throws(FileError) -> UInt8 {
        UInt8(truncatingIfNeeded: try check(zamok_protection_class(number), .status, path))
    }

    /// Tells the kernel that the file will be read from its beginning on.
    package func adviseSequential() { zamok_advise_sequential(number) }
}

// MARK: Names

extension FileHooks {
    package func rename(_ from: FileLocation, to: FileLocation, replacing: Bool) throws(FileError) {
        try pass(.rename, to, from: from)
        let result = unsafe from.withText { from in
            unsafe to.withText { to in
                replacing
                    ? unsafe zamok_rename(AT_FDCWD, from, AT_FDCWD, to)
                    : unsafe zamok_rename_new(AT_FDCWD, from, AT_FDCWD, to)
            }
        }
        try check(result, .rename, to)
    }

    /// Gives a file without a name one; fails where there is a file of that name.
    package func link(_ file: OpenFile, to: FileLocation) throws(FileError) {
        try pass(.link, to, from: file.path)
        try check(unsafe to.withText { unsafe zamok_link_unnamed(file.number, AT_FDCWD, $0) }, .make, to)
    }

    /// True if there was one.
    @discardableResult
    package func remove(_ path: FileLocation) throws(FileError) -> Bool {
        try pass(.remove, path)
        let result = unsafe path.withText { unsafe zamok_unlink(AT_FDCWD, $0) }
        if result == -ENOENT { return false }
        try check(result, .remove, path)
        return true
    }

    /// Makes what was renamed, made or removed in `folder` durable.
    package func syncFolder(_ folder: FileLocation) throws(FileError) {
        try OpenFile.open(folder, .folder, self).sync()
    }

    /// The absolute path of a folder, without links.
    package func resolve(_ folder: FileLocation) throws(FileError) -> FileLocation {
        // Says why, where it can't be looked into.
        _ = try OpenFile.open(folder, .folder, self)
        let found: [UInt8]? = unsafe folder.withText { text in
            guard let path = unsafe realpath(text, nil) else { return nil }
            defer { unsafe free(path) }
            return unsafe Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
        }
        guard let found else { throw FileError(ENOENT, .open, folder) }
        return FileLocation(bytes: found)
    }

    /// The names in a folder, sorted by their bytes.
    package func names(in folder: FileLocation) throws(FileError) -> [[UInt8]] {
        try OpenFile.open(folder, .folder, self).entries().sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension OpenFile {
    /// The names in this folder, in no order.
    package func entries() throws(FileError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        let result = unsafe withUnsafeMutablePointer(to: &names) { names in
            unsafe zamok_list(
                number,
                { context, name in
                    guard let name = unsafe name, let names = unsafe context?.assumingMemoryBound(to: [[UInt8]].self)
                    else { return }
                    unsafe names.pointee.append(Array(UnsafeRawBufferPointer(start: name, count: strlen(name))))
                }, names
            )
        }
        try check(result, .list, path)
        return names
    }
}

extension FileLocation {
    fileprivate func withText<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        unsafe (bytes + [0]).withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                // Never nil: there is at least the zero byte.
                guard let base = text.baseAddress else { return unsafe body("") }
                return unsafe body(base)
            }
        }
    }
}

// MARK: Failures

@discardableResult
private func check<I: FixedWidthInteger>(
    _ result: I, _ operation: FileHooks.Operation, _ path: FileLocation
) throws(FileError) -> I {
    if result < 0 { throw FileError(Int32(0 - result), operation, path) }
    return result
}

extension FileStatus {
    fileprivate init(_ status: zamok_file_status) {
        kind =
            switch status.mode & UInt32(S_IFMT) {
            case UInt32(S_IFREG): .file
            case UInt32(S_IFDIR): .folder
            case UInt32(S_IFLNK): .link
            default: .other
            }
        size = Int(status.size)
        permissions = status.mode & 0o7777
        links = Int(status.links)
        device = status.device
        inode = status.inode
        modified = status.modified_nanoseconds
    }
}
