// SPDX-License-Identifier: Apache-2.0

import CPlatform
import SecretMemory

/// An open file or folder, closed with its owner. Pass it whole, not its number: a value of this kind ends with its last use.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { _ = zamok_close(number) }
}

/// How a file is to be opened. Symbolic links are never followed, except where a person named the path.
struct OpenMode {
    let flags: Int32
    static let read = OpenMode(flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    static let readAndWrite = OpenMode(flags: O_RDWR | O_NOFOLLOW | O_NONBLOCK)
    static let readThroughLinks = OpenMode(flags: O_RDONLY | O_NONBLOCK)
    static let folder = OpenMode(flags: O_RDONLY | O_DIRECTORY)
    static let folderWithin = OpenMode(flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
}

extension FileSystem {
    /// Relative paths start here when no folder is given.
    static var anywhere: Int32 { AT_FDCWD }

    func open(_ path: String, in folder: Int32 = anywhere, _ mode: OpenMode) throws(FileError) -> Descriptor {
        try pass(.open, path)
        return Descriptor(try check(unsafe zamok_open(folder, path, mode.flags, 0), .open, path))
    }

    /// Nil where there is none.
    func openIfPresent(_ path: String, in folder: Int32 = anywhere, _ mode: OpenMode) throws(FileError) -> Descriptor? {
        do {
            return try open(path, in: folder, mode)
        } catch let error {
            if error.number == ENOENT { return nil }
            throw error
        }
    }

    /// The folder that `folder` lies in, to look at and pass through; the root is its own.
    func openParent(of folder: borrowing Descriptor, _ path: String) throws(FileError) -> Descriptor {
        Descriptor(try check(zamok_open_parent(folder.number), .open, "\(path)/.."))
    }

    /// A new file of mode 0600 whatever the umask; fails where there is one.
    func make(_ path: String, in folder: Int32 = anywhere) throws(FileError) -> Descriptor {
        try pass(.make, path)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = Descriptor(try check(unsafe zamok_open(folder, path, flags, 0o600), .make, path))
        try pass(.setMode, path)
        try check(zamok_set_mode(file.number, 0o600), .setMode, path)
        return file
    }

    /// A new folder of mode 0700 whatever the umask; true if it wasn't there.
    @discardableResult
    func makeFolder(_ path: String, in folder: Int32 = anywhere) throws(FileError) -> Bool {
        try pass(.makeFolder, path)
        let result = unsafe zamok_make_folder(folder, path, 0o700)
        if result == -EEXIST { return false }
        try check(result, .makeFolder, path)
        let made = try open(path, in: folder, .folderWithin)
        try check(zamok_set_mode(made.number, 0o700), .setMode, path)
        return true
    }

    func status(of file: borrowing Descriptor, _ name: String) throws(FileError) -> FileStatus {
        try pass(.status, name)
        var status = zamok_file_status()
        try check(unsafe zamok_status(file.number, &status), .status, name)
        return FileStatus(status)
    }

    func status(of path: String, in folder: Int32) throws(FileError) -> FileStatus? {
        try pass(.status, path)
        var status = zamok_file_status()
        let result = unsafe zamok_status_at(folder, path, &status)
        if result == -ENOENT { return nil }
        try check(result, .status, path)
        return FileStatus(status)
    }

    /// What the file lies on. A test's EREMOTE makes it one of another machine, its ENOTBLK one that is FUSE.
    func kind(of file: borrowing Descriptor, _ name: String) throws(FileError) -> FileSystemKind {
        do {
            try pass(.status, "file system of \(name)")
        } catch let error {
            if error.number == EREMOTE { return FileSystemKind(0x6969) }
            if error.number == ENOTBLK { return FileSystemKind(0x6573_5546) }
            throw error
        }
        var number: UInt32 = 0
        try check(unsafe zamok_file_system_type(file.number, &number), .status, name)
        return FileSystemKind(number)
    }

    /// Whether a group has nobody in it but this process's user.
    static func isPrivateGroup(_ group: UInt32) -> Bool { zamok_is_private_group(group) == 1 }

    /// At most `count` bytes from `offset` on.
    func read(_ file: borrowing Descriptor, _ name: String, count: Int, offset: Int = 0) throws(FileError) -> [UInt8] {
        try pass(.read, name)
        var result: Int64 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            unsafe result = zamok_read_at(file.number, buffer.baseAddress, count, Int64(offset))
            used = max(0, Int(result))
        }
        try check(result, .read, name)
        return bytes
    }

    /// Exactly `count` bytes from `offset` on, straight into guarded memory; nil if there are fewer.
    func readSecret(_ file: borrowing Descriptor, _ name: String, count: Int, offset: Int = 0) throws -> SecretBytes? {
        try pass(.read, name)
        var result: Int64 = 0
        let secret = try SecretBytes(count: count) { span in
            unsafe span.withUnsafeMutableBytes {
                unsafe result = zamok_read_at(file.number, $0.baseAddress, count, Int64(offset))
            }
        }
        guard try check(result, .read, name) == count else { return nil }
        return secret
    }

    func write(_ bytes: [UInt8], to file: borrowing Descriptor, _ name: String, offset: Int = 0) throws(FileError) {
        try pass(.write, name)
        let result = unsafe bytes.withUnsafeBytes {
            unsafe zamok_write_at(file.number, $0.baseAddress, $0.count, Int64(offset))
        }
        try check(result, .write, name)
    }

    func write(_ secret: borrowing SecretBytes, to file: borrowing Descriptor, _ name: String, offset: Int = 0) throws {
        try pass(.write, name)
        let result = try secret.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe zamok_write_at(file.number, $0.baseAddress, $0.count, Int64(offset)) }
        }
        try check(result, .write, name)
    }

    /// Data and metadata of a file, or the entries of a folder.
    func sync(_ file: borrowing Descriptor, _ name: String) throws(FileError) {
        try pass(.sync, name)
        try check(zamok_sync(file.number), .sync, name)
    }

    /// The data of a file whose size doesn't change.
    func syncData(_ file: borrowing Descriptor, _ name: String) throws(FileError) {
        try pass(.sync, name)
        try check(zamok_sync_data(file.number), .sync, name)
    }

    func rename(_ from: String, to: String, in folder: Int32, replacing: Bool) throws(FileError) {
        try pass(.rename, to)
        let result =
            replacing
            ? unsafe zamok_rename(folder, from, folder, to) : unsafe zamok_rename_new(folder, from, folder, to)
        try check(result, .rename, to)
    }

    /// True if there was one.
    @discardableResult
    func remove(_ path: String, in folder: Int32) throws(FileError) -> Bool {
        try pass(.remove, path)
        let result = unsafe zamok_unlink(folder, path)
        if result == -ENOENT { return false }
        try check(result, .remove, path)
        return true
    }

    /// The names in a folder.
    func list(_ folder: Int32, _ name: String) throws(FileError) -> [String] {
        try pass(.read, name)
        var names: [String] = []
        let result = unsafe withUnsafeMutablePointer(to: &names) { names in
            unsafe zamok_list_folder(
                folder,
                { context, name in
                    guard let context = unsafe context, let name = unsafe name else { return }
                    unsafe context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
                }, names
            )
        }
        try check(result, .read, name)
        return names
    }

    /// Waits until nobody else holds the lock of `file`; false if `waiting` is not wanted and somebody does.
    /// `shared`: beside others who share it.
    func lock(
        _ file: borrowing Descriptor, _ name: String, waiting: Bool, shared: Bool = false
    ) throws(FileError) -> Bool {
        try pass(.lock, name)
        let kind = shared ? LOCK_SH : LOCK_EX
        let result = zamok_lock_file(file.number, waiting ? kind : kind | LOCK_NB)
        if result == -EWOULDBLOCK { return false }
        try check(result, .lock, name)
        return true
    }

    func unlock(_ file: borrowing Descriptor) { _ = zamok_lock_file(file.number, LOCK_UN) }

    @discardableResult
    private func check<I: FixedWidthInteger>(_ result: I, _ operation: Operation, _ name: String) throws(FileError) -> I
    {
        if result < 0 { throw FileError(number: Int32(0 - result), operation: operation, name: name) }
        return result
    }
}

extension FileStatus {
    fileprivate init(_ status: zamok_file_status) {
        switch status.mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): kind = .file
        case UInt32(S_IFDIR): kind = .folder
        case UInt32(S_IFLNK): kind = .symbolicLink
        default: kind = .other
        }
        owner = status.owner
        group = status.group
        permissions = status.mode & 0o7777
        size = Int(status.size)
        device = status.device
        inode = status.inode
        modified = status.modified_nanoseconds
    }
}

extension FileError {
    /// What a person reads of it.
    package var text: String { unsafe String(cString: strerror(number)) }

    var isFull: Bool { number == ENOSPC || number == EDQUOT }
    var isReadOnly: Bool { number == EROFS }
    var isForbidden: Bool { number == EACCES || number == EPERM }
    var isLink: Bool { number == ELOOP }
    var isPresentAlready: Bool { number == EEXIST }
    var isMissing: Bool { number == ENOENT }
    var isNoFolder: Bool { number == ENOTDIR }
}
