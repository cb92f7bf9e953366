// SPDX-License-Identifier: Apache-2.0

/// A window of bytes from outside. Nothing is read past its end: such a read throws with the window's code.
struct BoundedBytes: Sendable {
    enum Order: Sendable {
        case big
        case little
    }

    let bytes: ArraySlice<UInt8>
    let code: ProfileError.Code

    init(_ bytes: ArraySlice<UInt8>, failingAs code: ProfileError.Code) {
        self.bytes = bytes
        self.code = code
    }

    init(_ bytes: [UInt8], failingAs code: ProfileError.Code) { self.init(bytes[...], failingAs: code) }

    var count: Int { bytes.count }

    var array: [UInt8] { Array(bytes) }

    func window(at offset: Int, count length: Int) throws(ProfileError) -> BoundedBytes {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            throw ProfileError(code, "cut short: \(length) bytes wanted at \(offset), \(count) there")
        }
        let start = bytes.startIndex + offset
        return BoundedBytes(bytes[start..<start + length], failingAs: code)
    }

    func window(from offset: Int) throws(ProfileError) -> BoundedBytes {
        try window(at: offset, count: max(0, count - max(0, offset)))
    }

    func uint8(at offset: Int) throws(ProfileError) -> UInt8 {
        UInt8(truncatingIfNeeded: try integer(at: offset, 1, .big))
    }

    func uint16(at offset: Int, _ order: Order) throws(ProfileError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(at: offset, 2, order))
    }

    func uint32(at offset: Int, _ order: Order) throws(ProfileError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(at: offset, 4, order))
    }

    func uint64(at offset: Int, _ order: Order) throws(ProfileError) -> UInt64 { try integer(at: offset, 8, order) }

    /// A 32-bit offset or length as Int.
    func length32(at offset: Int, _ order: Order) throws(ProfileError) -> Int { Int(try uint32(at: offset, order)) }

    /// The bytes up to the first NUL, which must be inside the window, as UTF-8.
    func string(at offset: Int) throws(ProfileError) -> String {
        let tail = try window(from: offset)
        guard let end = tail.bytes.firstIndex(of: 0), let text = String(validating: tail.bytes[..<end], as: UTF8.self)
        else {
            throw ProfileError(code, "a name at \(offset) does not end or is not UTF-8")
        }
        return text
    }

    private func integer(at offset: Int, _ width: Int, _ order: Order) throws(ProfileError) -> UInt64 {
        let field = try window(at: offset, count: width).bytes
        return order == .big
            ? field.reduce(0) { $0 << 8 | UInt64($1) } : field.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
