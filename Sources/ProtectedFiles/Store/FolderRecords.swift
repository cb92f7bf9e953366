// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing
import SecretMemory

/// The records of folders (Documentation/Formats/FolderIndex.md): found by each use anew, parsed only when they
/// changed.
final class FolderRecords: Sendable {
    private let keybag: Keybag
    private let hooks: FileHooks
    private let cache = Locked<[FileLocation: Parsed]>([:])
    private static let cacheLimit = 64

    /// A record as it was read, and what tells whether it still is so.
    private struct Parsed: Sendable {
        let record: FolderRecord
        let slots: [UInt8]
        let inode: UInt64
        let changes: UInt64
    }

    init(_ keybag: Keybag, _ hooks: FileHooks) {
        self.keybag = keybag
        self.hooks = hooks
    }

    private func path(_ folder: FileLocation) -> FileLocation { folder.appending(FolderRecord.fileName) }

    /// Nil where the folder has none.
    func record(of folder: FileLocation) throws -> FolderRecord? {
        let path = path(folder)
        guard let status = try OpenFile.status(of: path, hooks) else {
            cache.withLock { $0[folder] = nil }
            return nil
        }
        let changes = keybag.changeCount(.files)
        if let known = cache.withLock({ $0[folder] }), known.inode == status.inode, known.changes == changes {
            return known.record
        }
        let file = try OpenFile.open(path, .read, hooks)
        let bytes = try file.read(count: FileFormat.headerSize, at: 0)
        let known = cache.withLock { $0[folder] }
        if let known, known.inode == status.inode, bytes.starts(with: known.slots) {
            keep(known.record, known.slots, status.inode, changes, folder)
            return known.record
        }
        do {
            var sealed = try SealedFile.verify(file, bytes, keybag)
            let record = try Self.parse(&sealed)
            keep(record, sealed.slots, status.inode, changes, folder)
            return record
        } catch {
            throw Self.naming(path, error)
        }
    }

    /// It is the record that can't be used, whichever file beside it was asked for.
    private static func naming(_ path: FileLocation, _ error: any Error) -> ProtectedFileError {
        let error = ProtectedFileError(error, "\(path)")
        guard error.code == .keyDestroyed else { return error }
        return ProtectedFileError(
            .keyDestroyed,
            "\(path), the folder's record, is of another home, or of this one before it was erased: use that home, or "
                + "remove the record to use the folder without its default class and index",
            cause: error)
    }

    private func keep(
        _ record: FolderRecord, _ slots: [UInt8], _ inode: UInt64, _ changes: UInt64, _ folder: FileLocation
    ) {
        cache.withLock { cache in
            if cache.count >= Self.cacheLimit { cache.removeAll() }
            cache[folder] = Parsed(record: record, slots: slots, inode: inode, changes: changes)
        }
    }

    private static func parse(_ file: inout SealedFile) throws -> FolderRecord {
        guard file.header.protection == .none else {
            throw ProtectedFileError.damaged("\(file.path)", "it is not of class none")
        }
        var content: [UInt8] = []
        try file.read(into: &content, count: file.length, at: 0)
        if FolderRecord.isNewer(content) {
            throw ProtectedFileError(
                .newerFormat, "\(file.path) was written by a newer version; update Zamok to use it"
            )
        }
        do { return try FolderRecord(content) } catch {
            throw ProtectedFileError.damaged("\(file.path)", "its records break the format")
        }
    }

    /// The class that new files of a folder inherit: of the nearest folder that has one.
    func defaultProtection(for folder: FileLocation) throws -> ProtectionClass? {
        var folder = folder
        for _ in 0..<256 {
            if let protection = try record(of: folder)?.protection { return protection }
            let parent = folder.folder
            if parent == folder { return nil }
            folder = parent
        }
        return nil
    }

    /// The index of a folder; nil where it has none.
    func indexed(_ folder: FileLocation) throws -> FolderIndex? {
        guard let record = try record(of: folder), record.isIndexed else { return nil }
        return FolderIndex(folder: folder, record: record, records: self, keybag: keybag, hooks: hooks)
    }

    // MARK: Changing

    /// Runs `body`, which brings the files of these names into these states, with the index told before and after.
    func changing(_ folder: FileLocation, _ states: [[UInt8]: FileState], _ body: () throws -> Void) throws {
        guard try record(of: folder)?.isIndexed == true, states[FolderRecord.fileName] == nil else { return try body() }
        let lock = try OpenFile.open(folder, .folder, hooks)
        try lock.lock(waiting: .seconds(10))
        guard let record = try record(of: folder), record.isIndexed else { return try body() }
        let names = states.keys.sorted { $0.lexicographicallyPrecedes($1) }
        try append(
            names.compactMap { name in
                states[name].map { .intent(name: name, from: present(name, folder, record), to: $0) }
            }, to: folder
        )
        try body()
        try append(
            names.compactMap { name in
                states[name].map { $0 == .absent ? .gone(name: name) : .known(name: name, $0) }
            }, to: folder
        )
    }

    /// The state that a file is in now, as far as the index admits it.
    private func present(_ name: [UInt8], _ folder: FileLocation, _ record: FolderRecord) -> FileState {
        let known = record.files[name] ?? FolderRecord.Known(state: .absent)
        let path = folder.appending(name)
        guard let file = try? OpenFile.open(path, .read, hooks),
            let bytes = try? file.read(count: FileFormat.headerSize, at: 0), let page = try? HeaderPage(bytes, path)
        else { return known.admits(.absent) ? .absent : known.state }
        let found = FileState(page.claimed)
        return known.admits(found) ? found : known.state
    }

    /// Adds entries to the record of a folder, in one durable commit.
    func append(_ entries: [FolderRecord.Entry], to folder: FileLocation) throws {
        var file = try SealedFile.open(path(folder), .change, keybag, hooks)
        try file.beginChange()
        do {
            var record = try Self.parse(&file)
            for entry in entries { record.apply(entry) }
            let content = record.isSparse ? record.compact : entries.flatMap(FolderRecord.encode)
            if record.isSparse { try file.setLength(0) }
            let end = file.length
            try content.withSpan(content.count) { try file.write($0, at: end) }
            try file.commit()
            try file.settle()
            if let inode = try? file.file.status().inode {
                keep(record, file.slots, inode, keybag.changeCount(.files), folder)
            }
        } catch {
            file.abandon()
            throw error
        }
    }
}

/// The index of one folder at one moment.
struct FolderIndex {
    let folder: FileLocation
    let record: FolderRecord
    let records: FolderRecords
    let keybag: Keybag
    let hooks: FileHooks

    /// Opens a file that is in the state that belongs under its name.
    func open(_ path: FileLocation, _ mode: OpenFile.Mode, grace: Duration) throws -> SealedFile {
        let name = path.name
        var record: FolderRecord? = record
        // A writer between its two entries, or between our two looks, is no attack: look again.
        for _ in 0..<16 {
            if let found = try attempt(path, mode, record?.files[name], grace) { return found }
            record = try records.record(of: folder)
        }
        throw ProtectedFileError(
            .replaced,
            "\(path) is not the file, or not the state of it, that its folder's index knows: it was exchanged or put back from a copy"
        )
    }

    private func attempt(
        _ path: FileLocation, _ mode: OpenFile.Mode, _ known: FolderRecord.Known?, _ grace: Duration
    ) throws -> SealedFile? {
        do {
            var file = try SealedFile.open(path, mode, keybag, hooks, grace: grace)
            guard known?.admits(FileState(file.header)) == true else { return nil }
            file.witness = IndexWitness(folder: folder, name: path.name, records: records)
            return file
        } catch let error as FileError where error.isMissing {
            guard let known, !known.admits(.absent) else { throw error }
            throw ProtectedFileError(
                .missing, "\(path) is missing: its folder's index knows it, and somebody else removed it", cause: error
            )
        }
    }
}

/// Brings the commits of an open file into its folder's index.
struct IndexWitness: CommitWitness {
    let folder: FileLocation
    let name: [UInt8]
    let records: FolderRecords

    func committing(to state: FileState, _ body: () throws -> Void) throws {
        try records.changing(folder, [name: state], body)
    }
}
