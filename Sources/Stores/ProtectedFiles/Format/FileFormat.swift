// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing

/// The constants of Documentation/Formats/ProtectedFile.md.
enum FileFormat {
    static let version: UInt8 = 1
    static let chunkExponent: UInt8 = 15
    static let chunkSize = 1 << 15
    static let headerSize = 4096
    static let slotSize = 512
    static let nodeSize = 4096
    static let nodesPerPlace = chunkSize / nodeSize
    /// Entries of a node.
    static let fanout = 102
    static let entrySize = 40
    static let digestSize = 32
    static let greatestLength = 1 << 44
    static let greatestSeals = 1 << 31
    /// With this many seals or more, a file gets a new key when it is opened for changes.
    static let manySeals = 1 << 30

    static func chunkCount(_ length: Int) -> Int { (length + chunkSize - 1) / chunkSize }

    /// How many bytes chunk `index` has in content of this length.
    static func chunkLength(_ index: Int, of length: Int) -> Int { min(chunkSize, length - index * chunkSize) }

    /// The smallest h for which fanout^h is at least the number of chunks.
    static func height(chunks: Int) -> Int {
        var height = 0
        var capacity = 1
        while capacity < chunks {
            capacity *= fanout
            height += 1
        }
        return height
    }

    static func offset(ofPlace place: Int) -> Int { headerSize + place * chunkSize }
    static func place(of offset: Int) -> Int { (offset - headerSize) / chunkSize }
    static func isPlace(_ offset: Int) -> Bool { offset >= headerSize && (offset - headerSize) % chunkSize == 0 }
    static func isPage(_ offset: Int) -> Bool { offset >= headerSize && offset % nodeSize == 0 }
}

/// The associated data of chunks (ProtectedFile.md, "Chunks"). Built once per file; only its last bytes change.
struct ChunkContext {
    private var bytes: [UInt8]
    private let last: Int

    init(_ header: FileHeader) {
        let fixed = KeyLabel.fileChunk.info(header.fileID + [header.protection.rawValue, FileFormat.chunkExponent])
        last = fixed.count
        bytes = fixed + [UInt8](repeating: 0, count: 9)
    }

    mutating func authenticated(_ index: Int, isLast: Bool) -> [UInt8] {
        bytes[last] = isLast ? 1 : 0
        for i in 0..<8 { bytes[last + 1 + i] = UInt8(truncatingIfNeeded: index >> (56 - 8 * i)) }
        return bytes
    }
}

/// An entry of the tree: a block's offset, and the digest that it must have.
struct BlockEntry: Equatable, Sendable {
    var offset: Int
    /// 32 bytes: nonce || tag || zeros for a chunk, SHA-256 for a node.
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

/// Identifies a node by its level and its index among the nodes of that level.
struct NodeName: Hashable {
    let level: Int
    let index: Int

    /// The node that contains the entry of this one.
    var parent: NodeName { NodeName(level: level + 1, index: index / FileFormat.fanout) }
    /// The position of that entry.
    var position: Int { index % FileFormat.fanout }

    /// The node that contains the entry of a chunk.
    static func ofChunk(_ index: Int) -> NodeName { NodeName(level: 1, index: index / FileFormat.fanout) }
}

/// A node of the tree with up to 102 entries (ProtectedFile.md, "Tree").
struct TreeNode {
    private(set) var bytes: [UInt8]

    init(_ name: NodeName) {
        bytes = [UInt8](repeating: 0, count: FileFormat.nodeSize)
        bytes[0] = UInt8(name.level)
        for i in 0..<8 { bytes[8 + i] = UInt8(truncatingIfNeeded: name.index >> (56 - 8 * i)) }
    }

    /// Parses a node read from a file; nil if it isn't the node of that name with that many entries.
    init?(_ bytes: [UInt8], _ name: NodeName, entries: Int) {
        guard bytes.count == FileFormat.nodeSize, bytes[..<16] == TreeNode(name).bytes[..<16],
            bytes[(16 + entries * FileFormat.entrySize)...].allSatisfy({ $0 == 0 })
        else { return nil }
        self.bytes = bytes
    }

    var digest: [UInt8] { Digest.sha256(bytes) }

    subscript(position: Int) -> BlockEntry {
        get {
            let begin = Self.begin(position)
            let offset = bytes[begin..<begin + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return BlockEntry(
                offset: Int(clamping: offset), digest: Array(bytes[begin + 8..<begin + FileFormat.entrySize])
            )
        }
        set {
            let begin = Self.begin(position)
            for i in 0..<8 { bytes[begin + i] = UInt8(truncatingIfNeeded: newValue.offset >> (56 - 8 * i)) }
            bytes.replaceSubrange(begin + 8..<begin + FileFormat.entrySize, with: newValue.digest)
        }
    }

    private static func begin(_ position: Int) -> Int { 16 + position * FileFormat.entrySize }
}
