// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Sealing
package import SecretMemory

/// The associated data of a row's sealed parts (Documentation/Formats/Keychain.md, "Sealed rows").
package struct RowBinding: Equatable, Sendable {
    package var applicationID: UInt32
    package var version: UInt8
    package var kind: UInt8
    package var keyClass: KeyClass
    package var layers: UInt8 = 0
    package var uuid: [UInt8]

    package init(applicationID: UInt32, version: UInt8, kind: UInt8, keyClass: KeyClass, uuid: [UInt8]) {
        self.applicationID = applicationID
        self.version = version
        self.kind = kind
        self.keyClass = keyClass
        self.uuid = uuid
    }

    package var domain: MetadataDomain { MetadataDomain(keyClass) }

    func writer(part: UInt8) -> ByteWriter {
        var writer = ByteWriter(capacity: 96)
        writer.integer(part)
        writer.integer(applicationID)
        writer.integer(version)
        writer.integer(kind)
        writer.integer(keyClass.code)
        writer.integer(layers)
        writer.append(uuid)
        return writer
    }
}

/// The wrapped row key with everything needed to unwrap it.
package struct RowKeyWrapping: Equatable, Sendable {
    package var classKeyID: ClassKeyID
    package var wrapped: [UInt8]
    package var accessKeyID: ClassKeyID?
    package var passwordSalt: [UInt8] = []
    package var passwordCost: [UInt8] = []

    package init(classKeyID: ClassKeyID, wrapped: [UInt8]) {
        self.classKeyID = classKeyID
        self.wrapped = wrapped
    }
}

/// Seals and opens the parts of a row.
package enum SealedRow {
    /// Seals the attributes, bound to every plaintext column that determines how the secret is opened.
    package static func sealAttributes(
        _ plaintext: [UInt8], binding: RowBinding, wrapping: RowKeyWrapping?, keys: borrowing MetadataKeys
    ) throws -> [UInt8] {
        try keys.withAttributeKey(of: binding) { key in
            try ChunkCipher.with(key) {
                try $0.envelope(Padding.pad(plaintext), authenticating: associatedData(binding, wrapping))
            }
        }
    }

    /// Throws `SealingError.cannotOpen` or `.malformed`, `DataProtectionError.locked` before the first unlock.
    package static func openAttributes(
        _ sealed: [UInt8], binding: RowBinding, wrapping: RowKeyWrapping?, keys: borrowing MetadataKeys
    ) throws -> [UInt8] {
        try keys.withAttributeKey(of: binding) { key in
            try Seal.open(sealed, under: key, authenticating: associatedData(binding, wrapping)) {
                try Padding.unpad($0) { $0.exposedBytes }
            }
        }
    }

    /// The parts sealed under a row key; the raw value is the first byte of the associated data.
    package enum Part: UInt8 {
        case secret = 2
        /// Former secrets.
        case past = 3
    }

    /// `bound`: additional data that the kind of database binds.
    package static func sealSecret(
        _ secret: borrowing SecretBytes, _ binding: RowBinding, bound: [UInt8], under rowKey: borrowing SecretBytes,
        as part: Part = .secret
    ) throws -> [UInt8] {
        try Seal.seal(
            try Padding.pad(secret), under: rowKey,
            authenticating: binding.writer(part: part.rawValue).bytes + bound
        )
    }

    package static func openSecret(
        _ sealed: [UInt8], _ binding: RowBinding, bound: [UInt8], under rowKey: borrowing SecretBytes,
        as part: Part = .secret
    ) throws -> SecretBytes {
        try Seal.open(sealed, under: rowKey, authenticating: binding.writer(part: part.rawValue).bytes + bound) {
            try Padding.unpad($0) { try SecretBytes(copying: $0) }
        }
    }

    static func associatedData(_ binding: RowBinding, _ wrapping: RowKeyWrapping?) -> [UInt8] {
        var writer = binding.writer(part: 1)
        writer.integer(wrapping?.classKeyID.value ?? 0)
        writer.integer(wrapping?.accessKeyID?.value ?? 0)
        writer.short(wrapping?.wrapped ?? [])
        writer.short(wrapping?.passwordSalt ?? [])
        writer.short(wrapping?.passwordCost ?? [])
        return writer.bytes
    }
}

extension ByteWriter {
    fileprivate mutating func short(_ field: [UInt8]) {
        integer(UInt8(truncatingIfNeeded: field.count))
        append(field)
    }
}

/// The value of a column. Tables of sealed databases are STRICT and have no other types.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case blob([UInt8])

    package static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .blob($0) } ?? .null }
    package static func optional(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }
    /// All 64 bits, because SQLite has only signed integers.
    package static func bits(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }
}

/// Hides lengths in steps of 32 bytes: length (4) ‖ bytes ‖ zeros.
package enum Padding {
    static let block = 32
    private static let prefix = 4

    static func paddedCount(_ count: Int) -> Int { (count + prefix + block - 1) / block * block }

    package static func pad(_ bytes: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.prefixed(bytes)
        writer.append(repeatElement(0, count: paddedCount(bytes.count) - bytes.count - prefix))
        return writer.bytes
    }

    static func pad(_ secret: borrowing SecretBytes) throws -> SecretBytes {
        let count = secret.count
        return try SecretBytes(count: paddedCount(count)) { span in
            for index in 0..<prefix {
                let byte = UInt8(truncatingIfNeeded: count >> (24 - 8 * index))
                span.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
            try secret.copy(into: &span, at: prefix)
        }
    }

    /// Passes the unpadded bytes to `body`.
    package static func unpad<R: ~Copyable>(_ padded: RawSpan, _ body: (RawSpan) throws -> R) throws -> R {
        guard let length = padded.bigEndian(at: 0, as: UInt32.self), paddedCount(Int(length)) == padded.byteCount
        else { throw SealingError.malformed }
        let end = prefix + Int(length)
        for offset in end..<padded.byteCount where padded.bigEndian(at: offset, as: UInt8.self) != 0 {
            throw SealingError.malformed
        }
        return try body(padded.extracting(prefix..<end))
    }
}
