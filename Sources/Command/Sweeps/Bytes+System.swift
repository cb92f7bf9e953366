// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
    /// The first byte; there must be one.
    var withByte: UInt8 { unsafe unsafeLoad(fromByteOffset: 0, as: UInt8.self) }
}

extension [UInt8] {
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
