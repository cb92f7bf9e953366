// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Files

extension ProtectedFileStore {
    // MARK: Default class

    /// The class of new files in this folder, and in folders below it without a class of their own. Nil if neither the
    /// folder nor one above has a class. The search goes up from the folder itself, regardless of links and relative
    /// paths, and ends at the first folder of another user. A folder that doesn't exist throws `.notFound`.
    public func defaultProtection(forFolder folder: FileLocation) throws(ProtectedFileError) -> ProtectionClass? {
        try reaching(folder: folder) { folder in try folders.surroundings(of: folder).protection }
    }

    /// Sets the default class in the folder's file `.zamok-folder`; nil removes it. Existing files keep their class.
    ///
    /// - Parameters:
    ///   - protection: The class of new files there; nil: that of the folders above, or the store's own.
    ///   - folder: The folder, which must exist.
    ///   - adopting: Whether to continue if the folder's files remember a record that is gone, which throws
    ///     `.folderRecord` otherwise.
    public func setDefaultProtection(
        _ protection: ProtectionClass?, forFolder folder: FileLocation, adopting: Bool = false
    ) throws(ProtectedFileError) {
        try reaching(folder: folder) { folder in
            guard protection != .whenPasscodeSet else {
                throw ProtectedFileError(.unsupported, "whenPasscodeSet is a class of keychain items, not of files")
            }
            try settle(folder, adopting: adopting) { _ in [.protection(protection)] }
        }
    }

    // MARK: Index

    /// Runs `body`, which changes many files one after the other. In a folder with an index, the completion of a change
    /// is committed durably together with the next change, in one commit instead of two. The last one is completed when
    /// `body` ends, even by an error. If the process is killed meanwhile, the index is as after any crash: the last
    /// file may be as before or as after.
    package func completingLater<R>(_ body: () throws -> R) throws -> R { try folders.completingLater(body) }

    /// Whether the folder has an index.
    public func isIndexed(_ folder: FileLocation) throws(ProtectedFileError) -> Bool {
        try reaching(folder: folder) { folder in try folders.record(of: folder)?.isIndexed ?? false }
    }

    /// Gives the folder an index, or removes it. With an index, protected files that were exchanged, or put back to an
    /// older state, are detected (`.replaced`). So are files that another program removed (`.missing`). The index
    /// begins with the existing files.
    ///
    /// An index that was turned off keeps its entries. Turned on again, it accepts no file that contradicts them;
    /// `.replaced` names those files. With `adopting`, it begins again with the existing files. The same applies to a
    /// folder whose files remember an index that is gone (`.folderRecord`).
    ///
    /// Each change then costs two more durable commits. Putting the whole folder back to an older state is
    /// not detected.
    public func setIndexed(
        _ isIndexed: Bool, folder: FileLocation, adopting: Bool = false
    ) throws(ProtectedFileError) {
        try reaching(folder: folder) { folder in
            try settle(folder, adopting: adopting) { record in
                guard isIndexed else { return [.indexed(false)] }
                let known = record?.files.all ?? [:]
                let present = try present(in: folder)
                if let record, record.isIndexed || !known.isEmpty, !adopting {
                    try Self.check(present, against: known, folder)
                    return [.indexed(true)]
                }
                let gone = known.keys.filter { present[$0] == nil }
                return Self.sorted(gone).map { .gone(name: $0) }
                    + Self.sorted(present.keys).compactMap { name in present[name].map { .known(name: name, $0) } }
                    + [.indexed(true)]
            }
        }
    }

    private static func sorted(_ names: some Sequence<[UInt8]>) -> [[UInt8]] {
        names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Throws if files of the folder contradict the index.
    private static func check(
        _ present: [[UInt8]: FileState], against known: [[UInt8]: FolderRecord.Known], _ folder: FileLocation
    ) throws {
        let denied = Set(known.keys).union(present.keys).filter { name in
            known[name]?.admits(present[name] ?? .absent) != true
        }
        guard !denied.isEmpty else { return }
        let names = sorted(denied).prefix(3).map { "\(FileLocation(bytes: $0))" }.joined(separator: ", ")
        let count =
            denied.count == 1
            ? "one name is not as its index knows it" : "\(denied.count) names are not as its index knows them"
        throw ProtectedFileError(
            .replaced,
            "\(folder): \(count): \(names)\(denied.count > 3 ? " and others" : ""). "
                + "Look with zamok files verify; to take what is there now: zamok files index \(folder.shellWord) --adopt"
        )
    }

    /// The protected files of a folder, which must be unlocked.
    private func present(in folder: FileLocation) throws -> [[UInt8]: FileState] {
        var states: [[UInt8]: FileState] = [:]
        for name in try hooks.names(in: folder) where name != FolderRecord.fileName {
            let path = folder.appending(name)
            guard !TemporaryName.matches(name) || temporaries.leftovers.kind(of: path) == .none,
                try OpenFile.status(of: path, hooks)?.kind == .file
            else { continue }
            do {
                states[name] = FileState(try SealedFile.open(path, mode: .look, keybag: keybag, hooks: hooks).header)
            } catch {
                if ProtectedFileError(error, about: "\(path)").code != .notProtected { throw error }
            }
        }
        return states
    }

    /// Adds entries to the folder's record, which is created if there is none.
    private func settle(
        _ folder: FileLocation, adopting: Bool, _ entries: (FolderRecord?) throws -> [FolderRecord.Entry]
    ) throws {
        try settleAlone(folder, adopting: adopting, entries)
        remember(folder, try folders.surroundings(of: folder).memory)
    }

    private func settleAlone(
        _ folder: FileLocation, adopting: Bool, _ entries: (FolderRecord?) throws -> [FolderRecord.Entry]
    ) throws {
        // With the lock, a file changes either before its state is read, or after the record has it.
        let lock = try folders.locks.lock(folder, alone: true)
        defer { withExtendedLifetime(lock) {} }
        let around = try folders.surroundings(of: folder)
        guard around.folder != nil else {
            throw ProtectedFileError(
                .notPermitted,
                "\(folder) belongs to another user: default class and index are for your own folders")
        }
        let forgotten = try folders.forgotten(around, folder)
        guard adopting || forgotten.isEmpty else { throw forgotten.error(folder) }
        let added =
            try Self.sorted(forgotten.indexes.union(forgotten.classes)).map { .adopted($0) } + entries(around.own)
        if around.own == nil {
            let content = FolderRecord().compact
            _ = try make(
                folder.appending(FolderRecord.fileName), protection: ProtectionClass.none,
                options: [.withoutOverwriting, .folderRecord]
            ) { file in try content.withSpan(content.count) { try file.append($0) } }
        }
        try folders.append(added, to: folder)
    }

    /// Updates the memory of the folder's files to the records in force now, as far as the files can be changed.
    private func remember(_ folder: FileLocation, _ memory: FolderMemory) {
        for name in (try? hooks.names(in: folder)) ?? [] where name != FolderRecord.fileName {
            let path = folder.appending(name)
            guard (try? OpenFile.status(of: path, hooks))?.kind == .file,
                var file = try? SealedFile.open(path, mode: .change, keybag: keybag, hooks: hooks)
            else { continue }
            try? file.remember(memory)
        }
    }

    /// Checks that the records in force for a folder are usable, and are those that its files remember. Throws
    /// `.folderRecord`, `.damaged` or `.foreign` if not. A file that was moved here from another folder remembers
    /// nothing of this one.
    public func verify(folder: FileLocation) throws(ProtectedFileError) {
        try reaching(folder: folder) { folder in
            let around = try folders.surroundings(of: folder)
            let forgotten = try folders.forgotten(around, folder)
            if !forgotten.isEmpty { throw forgotten.error(folder) }
        }
    }
}
