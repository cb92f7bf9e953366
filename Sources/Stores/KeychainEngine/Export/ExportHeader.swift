// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
package import SecretMemory

/// The first 32 bytes of an export (Documentation/Formats/Export.md).
package struct ExportHeader: Sendable {
    static let size = 32
    package static let magic = Array("zamokexp".utf8)
    private static let version: UInt8 = 1

    let parameters: ScryptParameters
    let salt: [UInt8]

    init(_ parameters: ScryptParameters) throws {
        self.parameters = parameters
        salt = try randomBytes(count: 16)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append([Self.version, parameters.logRounds, UInt8(parameters.blockSize), UInt8(parameters.parallelism)])
        writer.append([0, 0, 0, 0])
        writer.append(salt)
        return writer.bytes
    }

    /// Errors: `.unsupportedFormat` (newer), `.unknownFormat`, `.damaged`.
    init(_ bytes: [UInt8], allowingInsecure: Bool) throws {
        var reader = ByteReader(bytes)
        guard bytes.count == Self.size, try reader.read(8) == Self.magic else {
            throw KeychainError(.unknownFormat, "the file is not an export of a keychain")
        }
        let version = try reader.integer(UInt8.self)
        guard version <= Self.version else {
            throw KeychainError(.unsupportedFormat, "the export has format version \(version); use a newer Zamok")
        }
        let cost = try reader.read(3)
        guard version == Self.version, try reader.read(4) == [0, 0, 0, 0] else { throw KeychainError.damagedExport }
        do {
            parameters = try ScryptParameters(
                logRounds: cost[0], blockSize: cost[1], parallelism: cost[2], allowingInsecure: allowingInsecure
            )
            // The parameters come from an untrusted file. They must not exceed what a writer of this version chooses.
            guard parameters.rounds <= ScryptParameters.standard.rounds, parameters.parallelism == 1 else {
                throw SealingError.parametersRefused
            }
        } catch {
            throw KeychainError(.damaged, "the export's scrypt parameters are outside what is accepted", cause: error)
        }
        salt = try reader.read(16)
    }

    /// Errors: `.parameter` (empty, or too long). Runs one KDF.
    func key(_ passphrase: borrowing SecretBytes, _ home: Home) throws -> SecretBytes {
        let stretched = try home.stretch(passphrase: passphrase, salt: salt, parameters: parameters)
        return try KeyDerivation.derive(from: stretched, salt: [], label: .export)
    }
}

/// A piece of the file, sealed under the file's key. It is bound to the header, its place and whether it is the
/// last one.
enum ExportChunk {
    /// Bytes of plaintext in each chunk but the last.
    static let size = 65536
    static let sealedSize = size + Seal.overhead

    static func associatedData(_ header: [UInt8], index: UInt64, isLast: Bool) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(header)
        writer.integer(index)
        writer.integer(UInt8(isLast ? 1 : 0))
        return writer.bytes
    }
}

extension KeychainError {
    /// The error for a file that can't be read back.
    package static var notReadBack: KeychainError {
        KeychainError(.inputOutput, "what was written could not be read back; no file was made")
    }

    static var damagedExport: KeychainError {
        KeychainError(.damaged, "the export is damaged or cut off; nothing was added")
    }
}

/// A record of an export that is not an item: other data of a user's backup (Export.md, "Records of a backup").
package struct BackupRecord: Sendable {
    /// The kind of the record: four ASCII letters in the file.
    package enum Kind: String, Sendable, CaseIterable {
        case user
        case preference = "pref"
        case folder = "fold"
        case file
        case data
        /// Leaves out the file that was begun.
        case gone
        /// Mode and time of a file.
        case metadata = "stat"
    }

    /// Bytes of head and body together.
    package static let limit = ItemRecord.exportLimit - 8

    package let kind: Kind
    /// The part that is not secret, in ordinary memory.
    package let head: [UInt8]
    package let body: Secret

    package init(_ kind: Kind, head: [UInt8] = [], body: consuming SecretBytes) {
        self.kind = kind
        self.head = head
        self.body = Secret(body)
    }

    var prefix: [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt32(8 + head.count + body.count))
        writer.append(kind.rawValue.utf8)
        writer.prefixed(head)
        return writer.bytes
    }

    /// Nil for a record of another kind. Throws `SealingError.malformed`.
    init?(_ record: borrowing SecretBytes) throws {
        guard let start = try record.exposingBytes(0..<8) else { throw SealingError.malformed }
        var reader = ByteReader(start)
        guard let kind = Kind(rawValue: String(decoding: try reader.read(4), as: UTF8.self)) else { return nil }
        let end = 8 + Int(try reader.integer(UInt32.self))
        guard let head = try record.exposingBytes(8..<end), let body = try record.part(end..<record.count) else {
            throw SealingError.malformed
        }
        self.init(kind, head: head, body: body)
    }
}
