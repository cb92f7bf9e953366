// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing

/// The associated data of chunks (ProtectedFile.md, "Chunks"): built once for a file, then only its last bytes change.
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
