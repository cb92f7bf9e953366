// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system calls of the file engine.
///
/// Another user with write access to the engine's folder may replace a folder or file by a link.
/// No link below that folder is followed, so that nothing elsewhere is read, written or removed.
enum Disk {
    /// An open folder, below `root` along the names in `parts`.
    struct Folder: ~Copyable {
        fileprivate let descriptor: Int32
        let path: String

        deinit { close(descriptor) }
    }

    /// Nil if the folder doesn't exist. Throws if the root doesn't exist.
    static func folder(_ root: String, _ parts: [Substring]) throws(SyncEngineError) -> Folder? {
        var folder = try opened(root)
        for part in parts {
            guard let next = try inner(folder, String(part)) else { return nil }
            folder = next
        }
        return folder
    }

    /// Creates the missing folders.
    static func madeFolder(_ root: String, _ parts: [Substring]) throws(SyncEngineError) -> Folder {
        var folder = try opened(root)
        for part in parts {
            let name = String(part)
            if unsafe mkdirat(folder.descriptor, name, 0o700) == 0 {
                try sync(folder)
            } else if errno != EEXIST {
                throw failed("create", "\(folder.path)/\(name)")
            }
            guard let next = try inner(folder, name) else { throw failed("open", "\(folder.path)/\(name)") }
            folder = next
        }
        return folder
    }

    private static func opened(_ root: String) throws(SyncEngineError) -> Folder {
        let descriptor = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failed("open", root) }
            throw SyncEngineError(.unreachable, "the folder \(root) is not there: is its disk mounted?")
        }
        return Folder(descriptor: descriptor, path: root)
    }

    private static func inner(_ folder: borrowing Folder, _ name: String) throws(SyncEngineError) -> Folder? {
        let path = "\(folder.path)/\(name)"
        let descriptor = unsafe openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            guard errno == ELOOP || errno == ENOTDIR else { throw failed("open", path) }
            throw SyncEngineError(.unreachable, "\(path) is a link or a file where a folder has to be")
        }
        return Folder(descriptor: descriptor, path: path)
    }

    /// Creates a file atomically: a temporary file is written, synced and linked to the name. Returns false if the
    /// name exists.
    static func create(
        _ folder: borrowing Folder, _ name: String, _ bytes: [UInt8]
    ) throws(SyncEngineError) -> Bool {
        let temporary = try written(folder, name, bytes)
        defer { _ = unsafe unlinkat(folder.descriptor, temporary, 0) }
        if unsafe linkat(folder.descriptor, temporary, folder.descriptor, name, 0) == 0 {
            try sync(folder)
            return true
        }
        guard errno == EEXIST else { throw failed("create", "\(folder.path)/\(name)") }
        return false
    }

    /// Replaces a file atomically.
    static func replace(_ folder: borrowing Folder, _ name: String, _ bytes: [UInt8]) throws(SyncEngineError) {
        let temporary = try written(folder, name, bytes)
        guard unsafe renameat(folder.descriptor, temporary, folder.descriptor, name) == 0 else {
            throw failed("replace", "\(folder.path)/\(name)")
        }
        try sync(folder)
    }

    /// Up to `most` bytes of a file; nil if there is none.
    static func read(
        _ folder: borrowing Folder, _ name: String, most: Int
    ) throws(SyncEngineError) -> [UInt8]? {
        let path = "\(folder.path)/\(name)"
        let file = unsafe openat(folder.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failed("read", path)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < most {
            let count = readSome(file, &buffer, min(buffer.count, most - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failed("read", path) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    /// The names in a folder, without `.` and `..`.
    static func names(_ folder: borrowing Folder) throws(SyncEngineError) -> [String] {
        // A separate open file description, because reading a folder moves its offset.
        let descriptor = unsafe openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed("read", folder.path) }
        guard let stream = unsafe fdopendir(descriptor) else {
            close(descriptor)
            throw failed("read", folder.path)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a file or a link. With `isTree`, also removes a folder with its content. A missing name is no error.
    static func remove(_ folder: borrowing Folder, _ name: String, isTree: Bool) throws(SyncEngineError) {
        let isFolder = isTree && isFolder(folder, name)
        if isFolder, let inside = try inner(folder, name) {
            for name in try names(inside) { try remove(inside, name, isTree: true) }
        }
        guard unsafe unlinkat(folder.descriptor, name, isFolder ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT else {
            throw failed("remove", "\(folder.path)/\(name)")
        }
    }

    private static func isFolder(_ folder: borrowing Folder, _ name: String) -> Bool {
        var facts = stat()
        return unsafe fstatat(folder.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
            && facts.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ folder: borrowing Folder, _ name: String) throws(SyncEngineError) -> Bool {
        if unsafe faccessat(folder.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return true }
        guard errno == ENOENT else { throw failed("look at", "\(folder.path)/\(name)") }
        return false
    }

    private static func written(
        _ folder: borrowing Folder, _ name: String, _ bytes: [UInt8]
    ) throws(SyncEngineError) -> String {
        let temporary = ".new-\(name)-\(getpid())-\(UInt64.random(in: 0 ... .max).digits(16))"
        let path = "\(folder.path)/\(temporary)"
        let file = unsafe openat(folder.descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failed("create", path) }
        defer { close(file) }
        do throws(SyncEngineError) {
            try write(bytes, to: file, path)
        } catch {
            // On a full disk each attempt would leave another file.
            _ = unsafe unlinkat(folder.descriptor, temporary, 0)
            throw error
        }
        return temporary
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(SyncEngineError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe writeSome(file, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failed("write", path) }
            done += count
        }
        guard fsync(file) == 0 else { throw failed("sync", path) }
    }

    private static func sync(_ folder: borrowing Folder) throws(SyncEngineError) {
        guard fsync(folder.descriptor) == 0 else { throw failed("sync", folder.path) }
    }

    private static func failed(_ what: String, _ path: String) -> SyncEngineError {
        let number = errno
        let code: SyncEngineError.Code = number == EACCES || number == EPERM ? .refused : .unreachable
        return SyncEngineError(code, "can't \(what) \(path): \(reason(number))")
    }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case ENOSPC: "the disk is full"
        case EDQUOT: "the quota of this user is used up"
        case EROFS: "the disk is read-only"
        case EACCES, EPERM: "this user may not do that"
        case EISDIR: "it is a folder"
        case ENOTDIR: "it is no folder"
        case EIO: "the disk fails"
        default: "error \(number) of the system"
        }
    }
}

private func writeSome(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
}

private func readSome(_ file: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
    unsafe buffer.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, count) }
}
