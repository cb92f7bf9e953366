// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files

#if os(Linux)
extension OpenFile {
    /// Has the kernel read the beginning of the file while others are searched.
    func willBeRead() { _ = posix_fadvise(number, 0, 1 << 20, POSIX_FADV_WILLNEED) }
}
#else
extension OpenFile {
    func willBeRead() {}
}
#endif

extension RawSpan {
    /// The first byte; there must be one.
    var withByte: UInt8 { unsafe unsafeLoad(fromByteOffset: 0, as: UInt8.self) }
}

extension [UInt8] {
    /// The first place of a byte in a range.
    func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = unsafe memchr(start + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    /// The last place in a range whose byte is wanted.
    @inline(__always)
    func last(in range: Range<Int>, where isWanted: (UInt8) -> Bool) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe withUnsafeBufferPointer { bytes in
            var at = range.upperBound
            while at > range.lowerBound {
                at -= 1
                if unsafe isWanted(bytes[at]) { return at }
            }
            return nil
        }
    }

    /// How many bytes of a range are control characters that texts don't have.
    func controls(in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe withUnsafeBufferPointer { bytes in
            var controls = 0
            for index in range {
                let byte = unsafe bytes[index]
                controls &+= byte < 0x09 || byte &- 0x0E < 0x0D ? 1 : 0
            }
            return controls
        }
    }

    /// Copies bytes within the array to its beginning.
    mutating func moveDown(from start: Int, count: Int) {
        guard start >= 0, count > 0, start + count <= self.count else { return }
        unsafe withUnsafeMutableBytes { bytes in
            let source = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
            unsafe bytes.copyMemory(from: source)
        }
    }

    /// Whether the bytes at `index` are these of ASCII, regardless of case.
    func matches(_ text: StaticString, at index: Int, end: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index >= 0, count <= end - index else { return false }
        return text.withUTF8Buffer { text in
            for offset in 0..<count {
                guard unsafe Byte.lower(self[index + offset]) == Byte.lower(text[offset]) else { return false }
            }
            return true
        }
    }
}
