// SPDX-License-Identifier: Apache-2.0

import CZlib

// Only this file of the module uses zlib; nothing unsafe leaves it.

/// zlib's inflater for the raw deflate streams of zip.
@safe final class Inflater {
    /// At a fixed address for its whole lifetime: zlib's state points back to it.
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

    /// Inflates `input` into at most `capacity` bytes. Returns them and the number of input bytes used.
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
        // Z_BUF_ERROR only means that this call could do nothing; the caller then sees no progress.
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
