// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system calls of the file engine.
enum Disk {
    /// Creates a file whole, or not at all: a temporary one, synced, linked to its name. False if the name is taken.
    static func create(_ folder: String, _ name: String, _ bytes: [UInt8]) throws(SyncEngineError) -> Bool {
        let temporary = try written(folder, name, bytes)
        defer { _ = unsafe unlink(temporary) }
        if unsafe link(temporary, "\(folder)/\(name)") == 0 {
            try sync(folder)
            return true
        }
        guard errno == EEXIST else { throw failed("create", "\(folder)/\(name)") }
        return false
    }

    /// Replaces a file.
    static func replace(_ folder: String, _ name: String, _ bytes: [UInt8]) throws(SyncEngineError) {
        let temporary = try written(folder, name, bytes)
        guard unsafe rename(temporary, "\(folder)/\(name)") == 0 else { throw failed("replace", "\(folder)/\(name)") }
        try sync(folder)
    }

    /// At most `most` bytes of a file; nil if there is none.
    static func read(_ path: String, most: Int) throws(SyncEngineError) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
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

    /// Names in a folder; none if it isn't there.
    static func names(_ folder: String) throws(SyncEngineError) -> [String] {
        guard let stream = unsafe opendir(folder) else {
            if errno == ENOENT { return [] }
            throw failed("read", folder)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    /// Removes a file, or a folder with all in it; what is gone already is no error.
    static func remove(_ path: String, isTree: Bool) throws(SyncEngineError) {
        if isTree {
            for name in try names(path) where name != "." && name != ".." {
                try remove("\(path)/\(name)", isTree: isFolder("\(path)/\(name)"))
            }
        }
        let failed = isTree ? unsafe rmdir(path) : unsafe unlink(path)
        guard failed == 0 || errno == ENOENT else { throw self.failed("remove", path) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) throws(SyncEngineError) -> Bool {
        if unsafe access(path, F_OK) == 0 { return true }
        guard errno == ENOENT else { throw failed("look at", path) }
        return false
    }

    private static func written(_ folder: String, _ name: String, _ bytes: [UInt8]) throws(SyncEngineError) -> String {
        try makeFolders(folder)
        let temporary = "\(folder)/.new-\(name)-\(getpid())-\(UInt64.random(in: 0 ... .max).digits(16))"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failed("create", temporary) }
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe write(file, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failed("write", temporary) }
            done += count
        }
        guard fsync(file) == 0 else { throw failed("sync", temporary) }
        return temporary
    }

    private static func makeFolders(_ folder: String) throws(SyncEngineError) {
        if unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        let parent = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard errno == ENOENT, !parent.isEmpty else { throw failed("create", folder) }
        try makeFolders(parent)
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failed("create", folder) }
        try sync(parent)
    }

    private static func sync(_ folder: String) throws(SyncEngineError) {
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failed("open", folder) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failed("sync", folder) }
    }

    private static func failed(_ what: String, _ path: String) -> SyncEngineError {
        let number = errno
        let code: SyncEngineError.Code = number == EACCES || number == EPERM ? .refused : .unreachable
        return SyncEngineError(code, "can't \(what) \(path): error \(number) of the system")
    }
}

private func readSome(_ file: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
    unsafe buffer.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, count) }
}
