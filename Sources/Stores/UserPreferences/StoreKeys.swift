// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Readers
import SealedDatabases
import Sealing
import SecretMemory

/// The keys of an open store, in guarded memory while the store is ready (Preferences.md, "Keys").
struct StoreKeys: ~Copyable, Sendable {
    private let storeKey: SecretBytes
    private let indexKey: SecretBytes
    private let firstRowKey: SecretBytes
    private let applicationID: UInt32

    init(storeKey: consuming SecretBytes, applicationID: UInt32) throws {
        let index = try KeyDerivation.expand(from: storeKey, label: .preferenceIndex)
        let row = try Self.rowKey(storeKey, epoch: 0)
        self.storeKey = storeKey
        indexKey = index
        firstRowKey = row
        self.applicationID = applicationID
    }

    private static func rowKey(_ storeKey: borrowing SecretBytes, epoch: Int64) throws -> SecretBytes {
        var context = ByteWriter()
        context.integer(epoch)
        return try KeyDerivation.expand(from: storeKey, label: .preferenceRow, context: context.bytes)
    }

    /// A row key seals at most 2^31 rows; then the next one is used.
    private static func epoch(_ sequence: Int64) -> Int64 { sequence >> 31 }

    private borrowing func withRowKey<R: ~Copyable>(
        _ epoch: Int64, _ body: (borrowing SecretBytes) throws -> R
    ) throws -> R {
        epoch == 0 ? try body(firstRowKey) : try body(try Self.rowKey(storeKey, epoch: epoch))
    }

    /// The tag that identifies a name, 16 bytes.
    borrowing func tag(_ name: String) throws -> [UInt8] {
        try KeyDerivation.authenticationCode(for: Array(name.utf8), under: indexKey, count: 16)
    }

    borrowing func seal(_ row: SealedPreference.Opened, _ place: SealedPreference.RowHeader) throws -> [UInt8] {
        try seal([(row, place)])[0]
    }

    /// Seals rows, which are in the order of their sequences.
    borrowing func seal(_ rows: [(row: SealedPreference.Opened, place: SealedPreference.RowHeader)]) throws -> [[UInt8]]
    {
        var sealed: [[UInt8]] = []
        sealed.reserveCapacity(rows.count)
        while sealed.count < rows.count {
            let rest = rows[sealed.count...]
            let epoch = Self.epoch(rest[rest.startIndex].place.sequence)
            let together = rest.prefix { Self.epoch($0.place.sequence) == epoch }
            sealed += try withRowKey(epoch) { key in
                try ChunkCipher.with(key, expecting: together.count) { cipher in
                    try together.map {
                        try cipher.envelope($0.row.padded, authenticating: $0.place.associatedData(applicationID))
                    }
                }
            }
        }
        return sealed
    }

    borrowing func open(_ sealed: [UInt8], _ place: SealedPreference.RowHeader) throws -> SealedPreference.Opened {
        let opened = try withRowKey(Self.epoch(place.sequence)) {
            try Seal.open(sealed, under: $0, authenticating: place.associatedData(applicationID)) {
                try SealedPreference.Opened(padded: $0)
            }
        }
        guard (opened.value == nil) == place.isRemoved, try tag(opened.name) == place.tag else {
            throw SealingError.cannotOpen
        }
        return opened
    }
}

/// One row of the table `preference`.
enum SealedPreference {
    /// The place under which a row is counted.
    static func counted(_ tag: [UInt8], _ sequence: Int64) -> RowVersion {
        RowVersion(number: 0, uuid: tag, kind: 0, revision: sequence)
    }

    /// What is stored in plaintext beside the sealed bytes, and authenticated with them.
    struct RowHeader: Equatable {
        let tag: [UInt8]
        let sequence: Int64
        let isRemoved: Bool

        func associatedData(_ applicationID: UInt32) -> [UInt8] {
            var writer = ByteWriter()
            writer.integer(applicationID)
            writer.integer(PreferencesSchema.formatVersion)
            writer.append(tag)
            writer.integer(sequence)
            writer.integer(UInt8(isRemoved ? 1 : 0))
            return writer.bytes
        }
    }

    /// The sealed content of a row.
    struct Opened: Equatable {
        let name: String
        let value: PropertyValue?

        init(name: String, value: PropertyValue?) {
            self.name = name
            self.value = value
        }

        var padded: [UInt8] {
            var writer = ByteWriter()
            writer.prefixed(name.utf8)
            value?.encode(into: &writer)
            return Padding.pad(writer.bytes)
        }

        /// The size in bytes once sealed.
        var sealedCount: Int { padded.count + Seal.overhead }

        init(padded: RawSpan) throws {
            var reader = ByteReader(try Padding.unpad(padded) { $0.exposedBytes })
            guard let name = String(validUTF8: try reader.prefixed(limit: PreferencesSchema.nameLimit))
            else { throw SealingError.malformed }
            self.name = name
            value = reader.remaining > 0 ? try PropertyValue.decode(from: &reader) : nil
            try reader.end()
        }
    }
}
