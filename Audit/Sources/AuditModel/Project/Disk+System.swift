// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads folders and files; follows no links below the folder that it was given.
package enum Disk {
    package enum Entry: Equatable {
        case folder, link, other
        case file(size: Int)
    }

    package static func entry(_ path: String, followingLinks: Bool = false) -> Entry? {
        var info = stat()
        guard unsafe (followingLinks ? stat(path, &info) : lstat(path, &info)) == 0 else { return nil }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .file(size: Int(info.st_size))
        case S_IFLNK: return .link
        default: return .other
        }
    }

    /// The path without links in it; nil if it leads nowhere or in a circle.
    package static func resolved(_ path: String) -> String? {
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// Whether the user owns a file or folder, and no other user may write to it.
    package static func isOwn(_ path: String) -> Bool {
        var info = stat()
        return unsafe lstat(path, &info) == 0 && info.st_uid == geteuid() && info.st_mode & 0o022 == 0
            && info.st_mode & S_IFMT != S_IFLNK
    }

    /// The first 2 KB of a file.
    static func head(of path: String) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return unsafe [UInt8](unsafeUninitializedCapacity: 2048) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = max(0, unsafe read(descriptor, start, 2048))
        }
    }

    /// The names in a folder, sorted, and those, repaired, that are no UTF-8, by which nothing can be opened; nil if it can't be read.
    package static func names(in folder: String) -> (names: [String], others: [String])? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { _ = unsafe closedir(stream) }
        var (names, others): ([String], [String]) = ([], [])
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                others.append(String(decoding: bytes, as: UTF8.self))
                continue
            }
            if name != ".", name != ".." { names.append(name) }
        }
        // Names that differ in Unicode's normal form alone are equal to `<`.
        return (names.sorted { $0 == $1 ? $0.utf8.lexicographicallyPrecedes($1.utf8) : $0 < $1 }, others.sorted())
    }

    /// A pipe or a device, open for writing; nil if no process reads the pipe, which would be waited for otherwise.
    package static func writer(of path: String) -> Int32? {
        let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard fcntl(descriptor, F_SETFL, 0) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// A file's bytes, at most `most`; nil if it can't be read or is larger.
    package static func bytes(of path: String, most: Int) -> [UInt8]? {
        // Not blocking: a pipe put in a file's place would wait for ever.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        guard unsafe fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, Int(info.st_size) <= most else {
            return nil
        }
        let wanted = Int(info.st_size)
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < wanted, let start = buffer.baseAddress {
                let got = unsafe read(descriptor, start + count, wanted - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failed = true }
                if got <= 0 { break }
                count += got
            }
        }
        return failed ? nil : bytes
    }
}
