// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files

extension ProtectedFileStore {
    // MARK: Default class

    /// The class that new files of this folder get, and those of folders below it that have none of their own; nil
    /// where neither it nor a folder above has one. A folder that isn't there throws `.notFound`.
    public func defaultProtection(forFolder folder: FileLocation) throws(ProtectedFileError) -> ProtectionClass? {
        try door(folder: folder) { folder in
            try folders.defaultProtection(for: folder)
        }
    }

    /// Sets it, in the file `.zamok-folder` there; nil: none of its own. Files that are there keep theirs.
    public func setDefaultProtection(
        _ protection: ProtectionClass?, forFolder folder: FileLocation
    ) throws(ProtectedFileError) {
        try door(folder: folder) { folder in
            guard protection != .whenPasscodeSet else {
                throw ProtectedFileError(.unsupported, "whenPasscodeSet is a class of keychain items, not of files")
            }
            try settle(folder, [.protection(protection)])
        }
    }

    // MARK: Index

    /// Whether the folder has an index.
    public func isIndexed(_ folder: FileLocation) throws(ProtectedFileError) -> Bool {
        try door(folder: folder) { folder in try folders.record(of: folder)?.isIndexed ?? false }
    }

    /// Gives the folder an index, or takes it away. From then on a protected file there that was exchanged for
    /// another one or for
    /// its older self, or that somebody else removed, is noticed (`.replaced`, `.missing`). It begins with the files
    /// that are there.
    ///
    /// Changes cost two more durable commits. The folder as a whole put back to an older state is not noticed.
    public func setIndexed(_ isIndexed: Bool, folder: FileLocation) throws(ProtectedFileError) {
        try door(folder: folder) { folder in
            var entries: [FolderRecord.Entry] = []
            let known = try folders.record(of: folder)?.files ?? [:]
            entries += known.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { .gone(name: $0) }
            if isIndexed { entries += try present(in: folder) }
            try settle(folder, entries + [.indexed(isIndexed)])
        }
    }

    private func present(in folder: FileLocation) throws -> [FolderRecord.Entry] {
        try hooks.names(in: folder).compactMap { name in
            let path = folder.appending(name)
            guard name != FolderRecord.fileName,
                temporaries.leftovers.kind(of: path) == .none || !TemporaryName.matches(name),
                try OpenFile.status(of: path, hooks)?.kind == .file
            else { return nil }
            do {
                return .known(name: name, FileState(try SealedFile.open(path, .read, keybag, hooks).header))
            } catch {
                if ProtectedFileError(error, "\(path)").code == .notProtected { return nil }
                throw error
            }
        }
    }

    /// Adds entries to the folder's record, made where there is none.
    private func settle(_ folder: FileLocation, _ entries: [FolderRecord.Entry]) throws {
        try systemEngine?.refuse(folder)
        let lock = try OpenFile.open(folder, .folder, hooks)
        try lock.lock(waiting: .seconds(10))
        if try folders.record(of: folder) == nil {
            let content = FolderRecord().compact
            try replace(folder.appending(FolderRecord.fileName), ProtectionClass.none, [.withoutOverwriting]) { file in
                try content.withSpan(content.count) { try file.append($0) }
            }
        }
        try folders.append(entries, to: folder)
    }
}
