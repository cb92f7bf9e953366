// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// A record of an export that is no item: what a backup of a whole user holds beside the items (Export.md, "Records of a backup").
package struct BackupRecord: Sendable {
    /// What it is: four ASCII letters in the file.
    package enum Kind: String, Sendable, CaseIterable {
        case user
        case preference = "pref"
        case folder = "fold"
        case file
        case data
    }

    /// Bytes of head and body together.
    package static let limit = ExportRecord.limit - 8

    package let kind: Kind
    /// What is no secret of itself, in memory as it comes.
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

    /// nil: a record of another kind. Throws `SealingError.malformed`.
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
