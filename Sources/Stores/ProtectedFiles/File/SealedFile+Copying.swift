// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing

extension SealedFile {
    /// Writes the whole content to `target`, opened on `threads` threads, each chunk when it was verified.
    mutating func copyContent(
        to target: OpenFile, threads: Int, _ progress: (Int) throws -> Void
    ) throws {
        try refresh()
        file.adviseSequential()
        nodes.expectOnePass()
        let count = FileFormat.chunkCount(length)
        var next = 0
        while next < count {
            let units = FileUnits(from: next, to: count, threads: threads)
            do {
                try copy(units, to: target)
            } catch let fault as BlockFault {
                throw try changedOrDamaged(fault)
            }
            next = units.all.upperBound
            try progress(min(length, next * FileFormat.chunkSize))
        }
    }

    private mutating func copy(_ units: FileUnits, to target: OpenFile) throws {
        // Asked for again each time: a lock ends the work.
        let keys = try keys()
        let entries = try units.all.map { try entry(ofChunk: $0) }
        let (length, bound, first) = (length, header.end, units.all.lowerBound)
        let (file, context) = (file, context)
        let results = units.map { range in
            var context = context
            var sealed = SealedChunk()
            try ChunkCipher.with(keys.content) { cipher in
                for index in range {
                    let isLast = index == FileFormat.chunkCount(length) - 1
                    let content = try Self.open(
                        file, entry: entries[index - first], index: index,
                        count: FileFormat.chunkLength(index, of: length),
                        end: bound, authenticated: context.authenticated(index, isLast: isLast), cipher: cipher,
                        sealed: &sealed
                    )
                    try content.withBytes { try target.write($0, at: index * FileFormat.chunkSize) }
                }
            }
        }
        for result in results { try result.get() }
    }

    /// What a block that doesn't fit means in the middle of a long reading.
    mutating func changedOrDamaged(_ fault: BlockFault) throws -> ProtectedFileError {
        if try reload() { return ProtectedFileError(.changed, "\(path) was changed while it was read; begin again") }
        return .damaged("\(path)", fault.text)
    }
}
