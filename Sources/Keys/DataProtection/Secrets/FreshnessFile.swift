// SPDX-License-Identifier: Apache-2.0

import Readers
import Sealing
import SecretMemory
import TPMs

/// What a home records of itself at one value of its counter (`Documentation/Formats/TPMObjects.md`, "Freshness").
struct FreshnessRecord: Equatable, Sendable {
    static let mostEntries = 4096

    /// The value of the TPM's counter once this record is in effect.
    var number: UInt64
    /// When the record was written, in seconds since 1970.
    var time: Int64
    var entries: [Entry] = []

    /// What a part of the home had reached by then.
    struct Entry: Equatable, Sendable {
        static let nameSize = 16
        static let digestSize = 16

        /// The owner of the home; zeros: the root home.
        let owner: UniqueIdentifier
        /// The file of the store, `keychain.db` for example; `keybag` for the keybag.
        let name: String
        /// For a store the number of its last write, for a keybag its generation.
        var number: UInt64
        /// A digest of the store's contents then; zeros: unknown.
        var digest: [UInt8]

        init(owner: UniqueIdentifier, name: String, number: UInt64, digest: [UInt8] = noDigest) {
            self.owner = owner
            self.name = name
            self.number = number
            self.digest = digest
        }

        static let noDigest = [UInt8](repeating: 0, count: digestSize)
        static let keybag = "keybag"

        func isOf(_ owner: UniqueIdentifier, _ name: String) -> Bool { self.owner == owner && self.name == name }
    }

    func entry(_ owner: UniqueIdentifier, _ name: String) -> Entry? { entries.first { $0.isOf(owner, name) } }

    /// Notes an entry. If there is no room left, the part goes unnoted; the counter is raised all the same.
    mutating func note(_ entry: Entry) {
        entries.removeAll { $0.isOf(entry.owner, entry.name) }
        if entries.count < Self.mostEntries { entries.append(entry) }
    }
}

/// The file that contains a record. Each counter has its own, so that a new file can exist while the old one is
/// still in use.
struct FreshnessFile {
    static let prefix = "freshness-"
    static let lockName = "freshness.lock"
    private static let magic = Array("zamokfsh".utf8)
    private static let version: UInt8 = 1
    private static let entrySize = 56
    private static let sizeLimit = 8 + 1 + 7 + 32 + 8 + 8 + 4 + FreshnessRecord.mostEntries * entrySize + 32

    let folder: HomeFolder
    let counter: TPMCounter

    static func name(_ counter: TPMCounter) -> String { prefix + String(hexadecimal: Array(counter.mark.prefix(16))) }

    static func remove(of counter: TPMCounter, in folder: HomeFolder) throws {
        try folder.remove(name(counter))
        folder.discard(name(counter))
    }

    /// Nil if the file is missing, or doesn't verify under the device secret.
    func read(_ secret: borrowing SecretBytes) throws -> FreshnessRecord? {
        guard let bytes = try folder.read(Self.name(counter), limit: Self.sizeLimit), bytes.count <= Self.sizeLimit,
            bytes.count > 32
        else { return nil }
        guard !bytes.starts(with: Self.magic) || bytes[8] <= Self.version else {
            throw DataProtectionError(
                .newerFormat,
                "\(folder.path)/\(Self.name(counter)) was written by a newer version of Zamok; nothing was changed")
        }
        let body = Array(bytes.dropLast(32))
        guard try KeyDerivation.isValid(Array(bytes.suffix(32)), for: body, under: try key(secret)) else { return nil }
        return try? decode(body)
    }

    /// Writes the record durably.
    func write(_ record: FreshnessRecord, _ secret: borrowing SecretBytes) throws {
        var writer = ByteWriter()
        writer.append(Self.magic + [Self.version])
        writer.append(repeatElement(0, count: 7))
        writer.append(counter.mark)
        writer.integer(record.number)
        writer.integer(record.time)
        writer.integer(UInt32(truncatingIfNeeded: record.entries.count))
        for entry in record.entries {
            let name = entry.name.utf8.prefix(FreshnessRecord.Entry.nameSize)
            writer.append(entry.owner.bytes)
            writer.append(name)
            writer.append(repeatElement(0, count: FreshnessRecord.Entry.nameSize - name.count))
            writer.integer(entry.number)
            writer.append(entry.digest)
        }
        let code = try KeyDerivation.authenticationCode(for: writer.bytes, under: try key(secret))
        try folder.replace(Self.name(counter), with: writer.bytes + code)
    }

    private func decode(_ body: [UInt8]) throws -> FreshnessRecord {
        var reader = ByteReader(body)
        let start = try reader.read(16)
        guard start == Self.magic + [Self.version] + [UInt8](repeating: 0, count: 7) else {
            throw SealingError.malformed
        }
        guard try reader.read(32) == counter.mark else { throw SealingError.malformed }
        var record = FreshnessRecord(number: try reader.integer(), time: try reader.integer())
        let count: UInt32 = try reader.integer()
        guard count <= FreshnessRecord.mostEntries else { throw SealingError.malformed }
        for _ in 0..<count {
            let owner = try reader.identifier()
            let name = String(
                decoding: try reader.read(FreshnessRecord.Entry.nameSize).prefix { $0 != 0 }, as: UTF8.self)
            record.entries.append(
                FreshnessRecord.Entry(
                    owner: owner, name: name, number: try reader.integer(),
                    digest: try reader.read(FreshnessRecord.Entry.digestSize)))
        }
        try reader.end()
        return record
    }

    private func key(_ secret: borrowing SecretBytes) throws -> SecretBytes {
        try KeyDerivation.expand(from: secret, label: .freshness, context: counter.mark)
    }
}
