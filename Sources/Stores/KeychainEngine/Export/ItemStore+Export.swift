// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
package import SecretMemory
import Statuses

extension ItemStore {
    /// Writes every item that the program may see and that may leave this device (Documentation/Formats/Export.md), all
    /// in one snapshot.
    ///
    /// Errors: `.parameter` (a passphrase of fewer than 8 code points), `.locked` (before the first unlock),
    /// `.inputOutput`, errors of `write`.
    ///
    /// - Parameters:
    ///   - more: Appends the records of a backup, after the items.
    ///   - readingBack: Reads the bytes that `write` wrote. All of them are opened and counted before this returns.
    ///   - checking: Receives the records of a backup as they are read back.
    package func export(
        _ home: Home, passphrase: borrowing SecretBytes, progress: (Int, Int) throws -> Void,
        more: (_ append: (BackupRecord) throws -> Void) throws -> Void = { _ in },
        to write: ([UInt8]) throws -> Void,
        readingBack: (any ExportSource)? = nil, checking: (BackupRecord) throws -> Void = { _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        try KeychainError.mapping {
            guard try passphrase.codePoints() >= 8 else {
                throw KeychainError(.parameter, "a passphrase needs at least 8 characters")
            }
            let keys = try database.metadataKeys()
            guard keys.isComplete else { throw lockedBeforeFirstUnlock }
            let groups = try GroupFilter(identity, asked: nil)
            // One entry, because a thousand would displace the others.
            try accesses.note([
                AccessUse(itemClass: 0, item: [], name: "every item", source: .keychains, operation: .export)
            ])
            let header = try ExportHeader(home.scryptParameters)
            let key = Secret(try header.key(passphrase, home))
            // The compiler writes the length of this file's path here: a name of its own is the same in every folder.
            #sourceLocation(file:"WrittenExport.swift",line:40)
            return try withoutActuallyEscaping(write) { write in
                var writer = try ExportWriter(header, key: key, write)
                var transfer = KeychainTransfer()
                try database.read { access in
                    let total = Int(try access.integer("SELECT count(*) FROM item WHERE kind <> 5") ?? 0)
                    try exportRows(access, keys: keys, groups: groups, writer: &writer, transfer: &transfer) {
                        try progress($0, total)
                    }
                }
                try more { try writer.append($0) }
                try writer.finish()
                if let readingBack {
                    try check(
                        try ExportReader(readingBack, header: header, key: key), expected: transfer.count, checking)
                }
                return transfer
            }
        }
    }
    #sourceLocation()

    /// Reads the written bytes as an import would.
    private func check(_ reader: ExportReader, expected: Int, _ checking: (BackupRecord) throws -> Void) throws {
        var reader = reader
        var items = 0
        do {
            while let found = try ClearedScope.run({ try reader.next() }) {
                switch found {
                case .item: items += 1
                case .backup(let record): try checking(record)
                case .unknown: throw KeychainError.notReadBack
                }
            }
        } catch {
            throw KeychainError(.inputOutput, KeychainError.notReadBack.message, cause: error)
        }
        guard items == expected else { throw KeychainError.notReadBack }
    }

    private func exportRows(
        _ access: ReadAccess, keys: borrowing MetadataKeys, groups: GroupFilter, writer: inout ExportWriter,
        transfer: inout KeychainTransfer, _ progress: (Int) throws -> Void
    ) throws {
        var seen = 0
        try access.rows("SELECT \(StoredRow.columnsWithSecret) FROM item WHERE kind <> 5 ORDER BY id") { row in
            let stored = try StoredRow(row)
            let sealed = try StoredRow.sealedSecret(row)
            seen += 1
            try ClearedScope.run {
                do {
                    let open = try OpenRow(stored, keys)
                    guard groups.accepts(open.attributes.accessGroup ?? ""), !open.isTombstone else { return }
                    if let reason = open.reasonToStay { return transfer.leaveOut(reason) }
                    // An item that needs the user is left out, as above.
                    let secret = try keybag.withoutAsking { try open.openSecret(sealed, $0) }
                    var record = ItemRecord(open.itemClass)
                    (record.attributes, record.secret) = (open.attributes.exported, secret)
                    try writer.append(record)
                    transfer.count += 1
                } catch {
                    let error = KeychainError(error)
                    guard error.costsOneRow || error.code == .locked else { throw error }
                    transfer.leaveOut(error.code == .locked ? .locked : .init(error.code) ?? .damaged)
                }
            }
            try progress(seen)
            return true
        }
    }

    /// Adds the items of an export in one transaction, after all of it was opened and read once.
    /// Stored items of the same identity are unchanged, unless `twins` says otherwise. `isTrial` and `told` are those
    /// of `addMany`.
    ///
    /// Errors: `.unknownFormat`, `.unsupportedFormat` (newer), `.authenticationFailed` (wrong passphrase, or the
    /// first chunk is damaged), `.damaged` (nothing was added), `.locked`, `.notAvailable`, `.diskFull`, errors of
    /// the source.
    ///
    /// - Parameter more: Receives the records of a backup, in their order, after the items are added. If it is nil,
    ///   they are left out and counted.
    package func `import`(
        _ home: Home, passphrase: borrowing SecretBytes, from source: any ExportSource, isTrial: Bool = false,
        twins: TwinRule = .keep, told: (ItemRecord, AddedItem) -> Void = { _, _ in }, restart: () -> Void = {},
        progress: (Int, Int) -> Void, more: ((BackupRecord) throws -> Void)? = nil
    ) throws(KeychainError) -> KeychainTransfer {
        try KeychainError.mapping {
            let header = try ExportHeader(
                try source.read(ExportHeader.size, at: 0), allowingInsecure: home.allowsInsecureKDF
            )
            let key = Secret(try header.key(passphrase, home))
            let total = try verify(try ExportReader(source, header: header, key: key))
            var reader = try ExportReader(source, header: header, key: key)
            var leftOut = KeychainTransfer()
            var transfer = try addMany(
                restart: {
                    reader = try ExportReader(source, header: header, key: key)
                    leftOut = KeychainTransfer()
                    restart()
                }, isTrial: isTrial, twins: twins,
                next: {
                    while let found = try ClearedScope.run({ try reader.next() }) {
                        switch found {
                        case .item(let record): return record
                        case .backup: if more == nil { leftOut.leaveOut(.notAnItem) }
                        case .unknown: leftOut.leaveOut(.refused)
                        }
                    }
                    return nil
                }, told: told,
                progress: { progress($0, total) }
            )
            transfer.leftOut.merge(leftOut.leftOut, uniquingKeysWith: +)
            if let more {
                var reader = try ExportReader(source, header: header, key: key)
                while let found = try ClearedScope.run({ try reader.next() }) {
                    if case .backup(let record) = found { try more(record) }
                }
            }
            return transfer
        }
    }

    /// Opens every chunk and reads every record. Returns the number of records.
    private func verify(_ reader: ExportReader) throws -> Int {
        var reader = reader
        var count = 0
        do {
            while try ClearedScope.run({ try reader.next() }) != nil { count += 1 }
            return count
        } catch {
            guard KeychainError(error).code == .damaged else { throw error }
            if reader.hasOpened { throw KeychainError.damagedExport }
            throw KeychainError(
                .authenticationFailed, "the passphrase is wrong, or the export is damaged; nothing was added"
            )
        }
    }
}

extension OpenRow {
    /// Why an item is not exported; nil if it is.
    fileprivate var reasonToStay: KeychainTransfer.Reason? {
        if binding.keyClass.isThisDeviceOnly || attributes.isInTPM { return .thisDeviceOnly }
        return binding.layers != 0 || attributes[.accessControl] != nil ? .accessControlled : nil
    }
}

extension Attributes {
    fileprivate var exported: Attributes { filter { ![.user, .tombstone].contains($0.key) } }
}

extension SecretBytes {
    /// The number of code points of text in UTF-8.
    fileprivate borrowing func codePoints() throws -> Int {
        let count = count
        return try withBytes { span in
            (0..<count).count { ((span.bigEndian(at: $0, as: UInt8.self) ?? 0) & 0xC0) != 0x80 }
        }
    }
}
