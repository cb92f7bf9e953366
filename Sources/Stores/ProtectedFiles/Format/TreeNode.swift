// SPDX-License-Identifier: Apache-2.0

import Sealing

/// Names a node: its level and its index among the nodes of that level.
struct NodeName: Hashable {
    let level: Int
    let index: Int

    /// The node that has the entry of this one.
    var parent: NodeName { NodeName(level: level + 1, index: index / FileFormat.fanout) }
    /// Its position there.
    var position: Int { index % FileFormat.fanout }

    /// The node that has the entry of a chunk.
    static func ofChunk(_ index: Int) -> NodeName { NodeName(level: 1, index: index / FileFormat.fanout) }
}

/// 102 entries of the tree (ProtectedFile.md, "Tree").
struct TreeNode {
    private(set) var bytes: [UInt8]

    init(_ name: NodeName) {
        bytes = [UInt8](repeating: 0, count: FileFormat.nodeSize)
        bytes[0] = UInt8(name.level)
        for i in 0..<8 { bytes[8 + i] = UInt8(truncatingIfNeeded: name.index >> (56 - 8 * i)) }
    }

    /// A node read from a file; nil if it isn't the one of that name with that many entries.
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
