// SPDX-License-Identifier: Apache-2.0

/// The numbers of Documentation/Formats/ProtectedFile.md.
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
    /// From here on a file gets a new key when it is opened for changes.
    static let manySeals = 1 << 30

    static func chunkCount(_ length: Int) -> Int { (length + chunkSize - 1) / chunkSize }

    /// How many bytes chunk `index` has in content of this length.
    static func chunkLength(_ index: Int, of length: Int) -> Int { min(chunkSize, length - index * chunkSize) }

    /// The smallest number h with fanout^h at least the number of chunks.
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
