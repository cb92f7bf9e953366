// SPDX-License-Identifier: Apache-2.0

/// Where a block lies, and what it must be: an entry of the tree.
struct BlockEntry: Equatable, Sendable {
    var offset: Int
    /// 32 bytes: nonce || tag || zero of a chunk, SHA-256 of a node.
    var digest: [UInt8]

    static let none = BlockEntry(offset: 0, digest: [UInt8](repeating: 0, count: FileFormat.digestSize))

    init(offset: Int, digest: [UInt8]) {
        self.offset = offset
        self.digest = digest
    }

    init(chunkAt offset: Int, nonceAndTag: [UInt8]) {
        self.init(offset: offset, digest: nonceAndTag + [0, 0, 0, 0])
    }

    /// Nil if this can't be the digest of a chunk.
    var nonceAndTag: [UInt8]? { digest[28...].allSatisfy { $0 == 0 } ? Array(digest[..<28]) : nil }
}
