// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation

// The one file of this module that talks to the kernel and to zlib; nothing unsafe leaves it.

/// A regular file, opened for reading. Links, pipes and devices are refused, so that no path inside a bundle leads out
/// of it or blocks.
final class OpenFile: ByteSource {
    private let descriptor: Int32
    let size: UInt64
    /// How much was read so far.
    private(set) var bytesRead: UInt64 = 0

    /// - Parameter followsLinks: only for a path that a person named.
    init(_ path: String, followsLinks: Bool = true) throws(ProfileError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw Self.failure(path) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
            close(descriptor)
            throw ProfileError(.io, "\(path) is no regular file")
        }
        size = UInt64(status.st_size)
    }

    deinit { close(descriptor) }

    func read(at offset: UInt64, count: Int) throws(ProfileError) -> [UInt8] {
        guard offset <= size, count >= 0, UInt64(count) <= size - offset else {
            throw ProfileError(.io, "cut short: \(count) bytes wanted at \(offset), \(size) there")
        }
        let descriptor = descriptor
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
                    off_t(offset) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
        }
        guard bytes.count == count else { throw ProfileError(.io, "the file became shorter while it was read") }
        bytesRead += UInt64(count)
        return bytes
    }

    private static func failure(_ path: String) -> ProfileError {
        let code = errno
        return ProfileError(.io, "\(path) can't be opened: \(unsafe String(cString: strerror(code)))")
    }
}

/// Whether `path` is a folder; nil where nothing is there.
func isFolder(_ path: String) -> Bool? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR
}

/// zlib's inflater for raw deflate streams, as zip has them.
@safe final class Inflater {
    /// At one address for its whole life: zlib's state points back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private(set) var isAtEnd = false

    init() throws(ProfileError) {
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw ProfileError(.archive, "zlib can't start (\(status))") }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates from `input` into at most `capacity` bytes. Returns them and how much of the input was used.
    func inflate(_ input: ArraySlice<UInt8>, capacity: Int) throws(ProfileError) -> (output: [UInt8], used: Int) {
        var status = Z_OK
        var used = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            unsafe input.withUnsafeBufferPointer { source in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(capacity)
                status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                used = source.count - Int(unsafe stream.pointee.avail_in)
                filled = capacity - Int(unsafe stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
            }
        }
        isAtEnd = status == Z_STREAM_END
        // Z_BUF_ERROR only says that nothing could be done in this call; the caller then sees no progress.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw ProfileError(.archive, "an entry's compressed bytes are damaged")
        }
        return (output, used)
    }
}

/// The CRC-32 of zip, continued from `previous`.
func crc32(_ bytes: [UInt8], continuing previous: UInt32) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
        UInt32(truncatingIfNeeded: unsafe CZlib.crc32(UInt(previous), buffer.baseAddress, UInt32(buffer.count)))
    }
}
