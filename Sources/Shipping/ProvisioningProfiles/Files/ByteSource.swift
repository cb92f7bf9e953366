// SPDX-License-Identifier: Apache-2.0

/// Bytes that can be read in pieces: a file, an entry of an archive, or memory. Used from one thread at a time.
protocol ByteSource: AnyObject {
    var size: UInt64 { get }

    /// Exactly `count` bytes.
    ///
    /// - Throws: ``ProfileError`` where the source ends earlier or can't be read.
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
            throw ProfileError(.machO, "a part of the file lies outside of it")
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
