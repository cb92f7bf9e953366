// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// Collects records in chunks and seals them. Holds at most one chunk, in guarded memory.
struct ExportWriter {
    private let header: [UInt8]
    private let key: Secret
    private let write: ([UInt8]) throws -> Void
    private var pieces: [Secret] = []
    private var count = 0
    private var index: UInt64 = 0

    init(_ header: ExportHeader, key: Secret, _ write: @escaping ([UInt8]) throws -> Void) throws {
        self.header = header.bytes
        self.key = key
        self.write = write
        try write(self.header)
    }

    mutating func append(_ record: ItemRecord) throws {
        try append(try Secret(copying: record.exportPrefix))
        if let secret = record.secret { try append(secret) }
    }

    mutating func append(_ record: BackupRecord) throws {
        guard record.head.count + record.body.count <= BackupRecord.limit else { throw SealingError.malformed }
        try append(try Secret(copying: record.prefix))
        try append(record.body)
    }

    /// Seals the last chunk.
    mutating func finish() throws { try flush(isLast: true) }

    private mutating func append(_ piece: Secret) throws {
        var offset = 0
        while offset < piece.count {
            // A full chunk waits for the next record, because only then is it known not to be the last.
            if count == ExportChunk.size { try flush(isLast: false) }
            let end = min(piece.count, offset + ExportChunk.size - count)
            guard let part = try piece.withSecretBytes({ try $0.part(offset..<end) }) else {
                throw SealingError.malformed
            }
            pieces.append(Secret(part))
            count += end - offset
            offset = end
        }
    }

    private mutating func flush(isLast: Bool) throws {
        let plaintext = try SecretBytes.joining(pieces)
        let associated = ExportChunk.associatedData(header, index: index, isLast: isLast)
        try write(try key.withSecretBytes { try Seal.seal(plaintext, under: $0, authenticating: associated) })
        pieces = []
        count = 0
        index += 1
    }
}

extension SecretBytes {
    static func joining(_ pieces: [Secret]) throws -> SecretBytes {
        try SecretBytes(count: pieces.reduce(0) { $0 + $1.count }) { target in
            var offset = 0
            for piece in pieces {
                _ = try piece.withSecretBytes { try $0.copy(into: &target, at: offset) }
                offset += piece.count
            }
        }
    }
}

/// An item in an export (Documentation/Formats/Export.md).
extension ItemRecord {
    /// The maximum length in bytes of class, attributes and secret, without the length prefix.
    static let exportLimit = 18 << 20

    /// Everything but the secret.
    var exportPrefix: [UInt8] {
        var body = ByteWriter()
        body.append(itemClass.rawValue.utf8)
        body.prefixed(EncodedAttributes(attributes, hasSecret: secret != nil).bytes)
        var writer = ByteWriter()
        writer.integer(UInt32(body.bytes.count + (secret?.count ?? 0)))
        writer.append(body.bytes)
        return writer.bytes
    }

    /// Nil for an item class that this version does not know. Throws `SealingError.malformed`.
    init?(exported body: borrowing SecretBytes) throws {
        guard let head = try body.exposingBytes(0..<8) else { throw SealingError.malformed }
        var reader = ByteReader(head)
        let word = try reader.read(4)
        let end = 8 + Int(try reader.integer(UInt32.self))
        guard let encoded = try body.exposingBytes(8..<end), let secret = try body.part(end..<body.count) else {
            throw SealingError.malformed
        }
        guard let itemClass = ItemClass(rawValue: String(decoding: word, as: UTF8.self)), itemClass.kind != nil else {
            return nil
        }
        let content = try EncodedAttributes(encoded)
        guard !content.hasPast, content.hasSecret || secret.count == 0,
            content.attributes.count <= ItemLimits.attributes
        else {
            throw SealingError.malformed
        }
        self.init(itemClass)
        attributes = content.attributes
        if content.hasSecret { self.secret = Secret(secret) }
    }
}
