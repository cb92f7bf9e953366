// SPDX-License-Identifier: Apache-2.0

import CPlatform
import SecretMemory

/// Talks with the test that started this program. Keys are read straight into secret memory, since the search would
/// find a copy anywhere else.
enum Conversation {
    /// One line, at once. The reader may have ended.
    static func say(_ word: String) {
        var rest = Array("\(word)\n".utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe zamok_write_at(1, $0.baseAddress, $0.count, -1) }
            guard count > 0 else { return }
            rest = rest.dropFirst(Int(count))
        }
    }

    /// The next line, cut at each `separator`; nil at the end.
    static func words(separator: Character, keepingEmpty: Bool) -> [String]? {
        readLine()?.split(separator: separator, omittingEmptySubsequences: !keepingEmpty).map(String.init)
    }

    /// Says that a point is reached and waits to be told to go on.
    static func pause(at word: String) {
        say(word)
        var byte: UInt8 = 0
        _ = unsafe zamok_read_at(0, &byte, 1, -1)
    }

    /// The next `count` bytes of standard input.
    static func readKey(count: Int = 32) throws -> SecretBytes {
        try SecretBytes(count: count) { span in
            unsafe span.withBuffer { bytes in _ = unsafe zamok_read_at(0, bytes.baseAddress, bytes.count, -1) }
        }
    }
}

extension MutableRawSpan {
    mutating func withBuffer<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe withUnsafeMutableBytes { unsafe try body($0) }
    }
}

extension SecretBytes {
    borrowing func withBuffer<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try withBytes { span in unsafe try span.withUnsafeBytes { unsafe try body($0) } }
    }
}
