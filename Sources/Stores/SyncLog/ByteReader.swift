// SPDX-License-Identifier: Apache-2.0

/// Reads untrusted bytes: every length is checked before it is used.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var at: Int

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = ArraySlice(bytes)
        at = self.bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - at }

    mutating func take(_ count: Int) throws(SyncLogError) -> [UInt8] {
        guard count >= 0, count <= remaining else { throw .short }
        defer { at += count }
        return Array(bytes[at..<at + count])
    }

    mutating func number(_ count: Int) throws(SyncLogError) -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func byte() throws(SyncLogError) -> UInt8 { UInt8(try number(1)) }
    mutating func short() throws(SyncLogError) -> Int { Int(try number(2)) }
    mutating func word() throws(SyncLogError) -> UInt32 { UInt32(try number(4)) }
    mutating func long() throws(SyncLogError) -> UInt64 { try number(8) }

    /// Bytes after their length, which must be within `limits`.
    mutating func take(lengthOf count: Int, _ limits: ClosedRange<Int>) throws(SyncLogError) -> [UInt8] {
        let length = try number(count)
        guard length <= UInt64(limits.upperBound), Int(length) >= limits.lowerBound else { throw .outside }
        return try take(Int(length))
    }

    func end() throws(SyncLogError) {
        if remaining != 0 { throw SyncLogError(.malformed, "bytes are left over") }
    }
}

extension SyncLogError {
    static var short: Self { Self(.malformed, "the bytes end too early") }
    static var outside: Self { Self(.malformed, "a number or length is outside its limits") }
    static func malformed(_ what: String) -> Self { Self(.malformed, what) }
}
