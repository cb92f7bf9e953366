// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TestSupport

@testable import KeychainEngine

/// Exports with changes in the header, in what is sealed, or below a right seal. The key is at hand: no KDF.
struct HostileExport {
    private var files: Mutator
    private var plaintexts: Mutator
    private var generator: SeededGenerator
    private let header: ExportHeader
    private let key: Secret

    init(seed: UInt64, encodings: [[UInt8]]) throws {
        header = try ExportHeader(.insecureForTests)
        key = try Secret(copying: [UInt8](repeating: 9, count: 32))
        let records = encodings.map { encoded in
            var body = ByteWriter()
            body.append(Array("genp".utf8))
            body.prefixed(encoded)
            body.append(Array("secret".utf8))
            var record = ByteWriter()
            record.prefixed(body.bytes)
            return record.bytes
        }
        plaintexts = Mutator(corpus: records + [records.flatMap { $0 }], seed: seed)
        let good = try Self.sealed(records[0], header, key)
        files = Mutator(corpus: [good, try Self.sealed(records.flatMap { $0 }, header, key)], seed: seed &+ 1)
        generator = SeededGenerator(seed: seed &+ 2)
    }

    private static func sealed(_ plaintext: [UInt8], _ header: ExportHeader, _ key: Secret) throws -> [UInt8] {
        let associated = ExportChunk.associatedData(header.bytes, index: 0, isLast: true)
        let plaintext = try SecretBytes(copying: plaintext)
        return header.bytes
            + (try key.withSecretBytes { try Seal.seal(plaintext, under: $0, authenticating: associated) })
    }

    /// What reading the next one answers; every record that is whole goes to `body`.
    mutating func next(_ body: (ItemRecord) throws -> Void) throws -> KeychainError.Code {
        let isBelowTheSeal = generator.next() % 4 != 0
        let bytes = isBelowTheSeal ? try Self.sealed(plaintexts.next(), header, key) : files.next()
        do {
            // As an import does, but for the KDF between header and reader.
            let header = try ExportHeader(Array(bytes.prefix(ExportHeader.size)), allowingInsecure: true)
            var reader = try ExportReader(BytesSource(bytes: bytes), header: header, key: key)
            var count = 0
            while let record = try ClearedScope.run({ try reader.next() }) {
                count += 1
                guard case .item(let record) = record else { continue }
                try body(record)
            }
            // No record has fewer than twelve bytes.
            return count <= bytes.count / 12 ? .success : .internalComponent
        } catch {
            return KeychainError(error).code
        }
    }
}
