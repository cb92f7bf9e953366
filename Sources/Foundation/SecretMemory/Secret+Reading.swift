// SPDX-License-Identifier: Apache-2.0

import CPlatform

extension Secret {
    /// Everything up to the end of an open file, byte for byte, straight into secret memory.
    ///
    /// - Parameters:
    ///   - descriptor: An open file, pipe or terminal; standard input is 0. It stays open.
    ///   - limit: How many bytes there may be at most.
    /// - Returns: The secret; nil when there are more than `limit` bytes.
    /// - Throws: ``SecretMemoryError`` with the codes `unreadable`, `outOfMemory`, `forked`.
    public static func read(from descriptor: Int32, limit: Int) throws -> Secret? {
        var parts: [(secret: Secret, count: Int)] = []
        var total = 0
        while total <= limit {
            // Every part is as large as all before it together, and at most one byte is read beyond the limit.
            let capacity = min(max(4096, total), limit + 1 - total)
            var count = 0
            let part = try SecretBytes(count: capacity) { count = try fill(&$0, from: descriptor) }
            parts.append((Secret(part), count))
            total += count
            if count < capacity { return try joined(parts, total) }
        }
        return nil
    }

    private static func joined(_ parts: [(secret: Secret, count: Int)], _ total: Int) throws -> Secret {
        let whole = try SecretBytes(count: total) { whole in
            try unsafe whole.withUnsafeMutableBytes { whole in
                var offset = 0
                for part in parts {
                    try part.secret.withBytes { bytes in
                        unsafe bytes.withUnsafeBytes { bytes in
                            unsafe UnsafeMutableRawBufferPointer(rebasing: whole[offset..<offset + part.count])
                                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<part.count]))
                        }
                    }
                    offset += part.count
                }
            }
        }
        return Secret(whole)
    }

    /// Fills `span` until it is full or the file ends, and returns how many bytes were read.
    private static func fill(_ span: inout MutableRawSpan, from descriptor: Int32) throws -> Int {
        let count = unsafe span.withUnsafeMutableBytes { bytes in
            unsafe zamok_read_at(descriptor, bytes.baseAddress, bytes.count, -1)
        }
        guard count >= 0 else {
            throw SecretMemoryError(.unreadable, "It can't be read (error \(-count)).")
        }
        return Int(count)
    }
}
