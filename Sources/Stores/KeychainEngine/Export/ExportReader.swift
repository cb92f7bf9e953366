// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The bytes of an export, readable at any offset and more than once.
package protocol ExportSource {
    /// The number of bytes.
    var count: Int { get throws }
    /// Exactly `count` bytes; fewer only at the end.
    func read(_ count: Int, at offset: Int) throws -> [UInt8]
}

/// Opens chunks and extracts records. Holds at most one record and one chunk.
struct ExportReader {
    private let source: any ExportSource
    private let header: [UInt8]
    private let key: Secret
    private let size: Int
    private var offset = ExportHeader.size
    private var index: UInt64 = 0
    private var chunk: Secret?
    private var position = 0
    private var isAtEnd = false

    init(_ source: any ExportSource, header: ExportHeader, key: Secret) throws {
        self.source = source
        self.header = header.bytes
        self.key = key
        size = try source.count
    }

    /// The kinds of records.
    enum Found {
        case item(ItemRecord)
        case backup(BackupRecord)
        /// A record of a class that this version does not know.
        case unknown
    }

    /// The next record; nil at the end.
    mutating func next() throws -> Found? {
        guard try !isFinished() else { return nil }
        let prefix = try take(4)
        let count = Int(try prefix.withBytes { $0.bigEndian(at: 0, as: UInt32.self) } ?? 0)
        guard (8...ItemRecord.exportLimit).contains(count) else { throw SealingError.malformed }
        let record = try take(count)
        if let record = try BackupRecord(record) { return .backup(record) }
        return try ItemRecord(exported: record).map { .item($0) } ?? .unknown
    }

    private mutating func isFinished() throws -> Bool {
        while position == chunk?.count ?? 0 {
            if isAtEnd { return true }
            try openNextChunk()
        }
        return false
    }

    private mutating func take(_ count: Int) throws -> SecretBytes {
        var pieces: [Secret] = []
        var missing = count
        while missing > 0 {
            guard try !isFinished(), let chunk else { throw SealingError.malformed }
            let end = min(chunk.count, position + missing)
            let range = position..<end
            guard let part = try chunk.withSecretBytes({ try $0.part(range) }) else { throw SealingError.malformed }
            pieces.append(Secret(part))
            missing -= range.count
            position = end
        }
        return try SecretBytes.joining(pieces)
    }

    /// The file's size determines the last chunk. A chunk that was not sealed as the last one does not open as such.
    private mutating func openNextChunk() throws {
        let left = size - offset
        let isLast = left <= ExportChunk.sealedSize
        // Only an export without any records has an empty chunk.
        guard left > Seal.overhead || (left == Seal.overhead && index == 0) else { throw SealingError.malformed }
        let sealed = try source.read(min(left, ExportChunk.sealedSize), at: offset)
        let associated = ExportChunk.associatedData(header, index: index, isLast: isLast)
        chunk = Secret(try key.withSecretBytes { try Seal.open(sealed, under: $0, authenticating: associated) })
        position = 0
        offset += sealed.count
        index += 1
        isAtEnd = isLast
    }

    /// Whether any chunk opened. Until then the passphrase may be wrong.
    var hasOpened: Bool { index > 0 }
}
