// SPDX-License-Identifier: Apache-2.0

import Files

/// Bytes that can be read in pieces: a file, an entry of an archive, or memory. Used from one thread at a time.
protocol ByteSource: AnyObject {
    var size: UInt64 { get }

    /// Reads exactly `count` bytes.
    ///
    /// - Throws: ``ProfileError`` if the source ends earlier or can't be read.
    func read(at offset: UInt64, count: Int) throws(ProfileError) -> [UInt8]
}

extension ByteSource {
    /// The whole content, unless it is larger than `limit`.
    func readAll(limit: Int, _ what: String) throws(ProfileError) -> [UInt8] {
        guard size <= UInt64(limit) else {
            throw ProfileError(.tooLarge, "\(what) of \(size) bytes; the limit is \(limit)")
        }
        return try read(at: 0, count: Int(size))
    }
}

/// A regular file, opened for reading. Pipes and devices are refused, so that opening one never blocks. Inside a
/// bundle, ``FolderFiles`` refuses links too.
final class FileBytes: ByteSource {
    private let file: OpenFile
    let size: UInt64
    /// The number of bytes read so far.
    private(set) var bytesRead: UInt64 = 0

    /// Follows links: the user named the path.
    convenience init(_ path: String) throws(ProfileError) {
        let file: OpenFile
        do { file = try OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks()) } catch {
            throw ProfileError(.io, "\(path) can't be opened: \(error.text)")
        }
        try self.init(file)
    }

    init(_ file: OpenFile) throws(ProfileError) {
        guard let status = try? file.status(), status.kind == .file else {
            throw ProfileError(.io, "\(file.path) is not a regular file")
        }
        self.file = file
        size = UInt64(status.size)
    }

    func read(at offset: UInt64, count: Int) throws(ProfileError) -> [UInt8] {
        guard offset <= size, count >= 0, UInt64(count) <= size - offset else {
            throw ProfileError(.io, "cut short: \(count) bytes wanted at \(offset), \(size) there")
        }
        let bytes: [UInt8]
        do { bytes = try file.read(count: count, at: Int(offset)) } catch {
            throw ProfileError(.io, "\(file.path) can't be read: \(error.text)")
        }
        guard bytes.count == count else {
            throw ProfileError(.io, "\(file.path) became shorter while it was read")
        }
        bytesRead += UInt64(count)
        return bytes
    }
}

/// Whether `path` is a folder; nil if nothing is there.
func isFolder(_ path: String) -> Bool? {
    do throws(FileError) {
        _ = try OpenFile.open(FileLocation(path), mode: .place, hooks: FileHooks())
        return true
    } catch {
        return error.isNoFolder ? false : nil
    }
}

final class MemoryBytes: ByteSource {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: UInt64 { UInt64(bytes.count) }

    func read(at offset: UInt64, count: Int) throws(ProfileError) -> [UInt8] {
        guard offset <= size, count >= 0, UInt64(count) <= size - offset else {
            throw ProfileError(.io, "it ends too early")
        }
        return Array(bytes[Int(offset)..<Int(offset) + count])
    }
}

/// A part of another source, whose own offsets begin at zero.
final class ByteWindow: ByteSource {
    private let whole: any ByteSource
    private let start: UInt64
    let size: UInt64

    init(_ whole: any ByteSource, at start: UInt64, size: UInt64) throws(ProfileError) {
        guard start <= whole.size, size <= whole.size - start else {
            throw ProfileError(.machO, "a part of the file lies outside it")
        }
        (self.whole, self.start, self.size) = (whole, start, size)
    }

    func read(at offset: UInt64, count: Int) throws(ProfileError) -> [UInt8] {
        guard offset <= size, count >= 0, UInt64(count) <= size - offset else {
            throw ProfileError(.machO, "cut short: \(count) bytes wanted at \(offset), \(size) there")
        }
        return try whole.read(at: start + offset, count: count)
    }
}
