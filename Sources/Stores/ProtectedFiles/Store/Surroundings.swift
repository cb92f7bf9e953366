// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files

/// The records in force for the files of a folder: its own, and those of the folders above as far as they belong to
/// this user. The search goes up from the folder itself, regardless of the path that led to it.
struct Surroundings {
    /// Nil if the folder belongs to another user, where no record counts.
    var folder: FileIdentity?
    /// The nearest one first.
    private(set) var records: [FolderRecord] = []
    private(set) var own: FolderRecord?

    mutating func add(_ record: FolderRecord, isOwn: Bool) {
        records.append(record)
        if isOwn { own = record }
    }

    /// The class that new files inherit: that of the nearest folder that has one.
    var protection: ProtectionClass? { records.lazy.compactMap(\.protection).first }

    /// What a file that is changed here remembers.
    var memory: FolderMemory {
        guard let folder else { return .none }
        return FolderMemory(
            inode: folder.inode,
            classRecord: records.first { $0.protection != nil }?.folderID ?? FolderMemory.noRecord,
            indexRecord: own.flatMap { $0.isIndexed ? $0.folderID : nil } ?? FolderMemory.noRecord
        )
    }
}

/// Records that files remember and that are no longer in force.
struct ForgottenRecords {
    var indexes: Set<[UInt8]> = []
    var classes: Set<[UInt8]> = []
    var isEmpty: Bool { indexes.isEmpty && classes.isEmpty }

    /// Adds the records of `memory` that no record in force is or has adopted.
    mutating func add(_ memory: FolderMemory, _ around: Surroundings) {
        guard memory.inode == around.folder?.inode else { return }
        if memory.indexRecord != FolderMemory.noRecord, around.own?.represents(memory.indexRecord) != true {
            indexes.insert(memory.indexRecord)
        }
        let id = memory.classRecord
        if id != FolderMemory.noRecord, !around.records.contains(where: { $0.represents(id) }) { classes.insert(id) }
    }

    func error(_ folder: FileLocation) -> ProtectedFileError {
        let (what, remedy) =
            indexes.isEmpty
            ? (
                "a default class",
                "say the class, or run: zamok files default \(folder.shellWord) --class CLASS --adopt"
            )
            : ("an index", "run: zamok files index \(folder.shellWord) --adopt")
        return ProtectedFileError(
            .folderRecord,
            "\(folder): its files remember a record (.zamok-folder) with \(what) that is not there any more: "
                + "it was removed or exchanged. Put it back from a backup; or \(remedy)"
        )
    }
}

extension FolderRecords {
    func surroundings(of folder: FileLocation) throws -> Surroundings {
        let base = try OpenFile.open(folder, mode: .place, hooks: hooks)
        var status = try base.status()
        var result = Surroundings()
        var way: [UInt8] = []
        // Ends at the first folder of another user, at a home, or at the root, which is its own parent. A path that is
        // too long is an error.
        while status.isOurs {
            let name = FileLocation(bytes: way + FolderRecord.fileName)
            if way.isEmpty { result.folder = status.identity }
            do {
                if let found = try look(name, in: base, folder.appending(name.bytes)) {
                    if leavesHome(way, base) { break }
                    result.add(found.record, isOwn: way.isEmpty)
                }
            } catch {
                if leavesHome(way, base) { break }
                throw error
            }
            way += Array("../".utf8)
            guard let above = try OpenFile.status(of: FileLocation(bytes: way), hooks, in: base),
                above.identity != status.identity
            else { break }
            status = above
        }
        return result
    }

    /// Whether a path upwards reaches or crosses a home. Called only where there is a record.
    private func leavesHome(_ way: [UInt8], _ base: OpenFile) -> Bool {
        stride(from: 2, through: way.count, by: 3).contains { count in
            guard
                let above = try? OpenFile.open(
                    FileLocation(bytes: Array(way[..<count])), mode: .place, hooks: hooks, in: base)
            else { return false }
            return boundary.mayBeHome(above)
        }
    }

    /// Called before a file is created, so that a lost class or index is not mistaken for none. `hasClass`: whether the
    /// caller specified a class.
    func checkNothingForgotten(_ around: Surroundings, _ folder: FileLocation, hasClass: Bool) throws {
        guard let identity = around.folder, !wasChecked(identity, around.memory) else { return }
        let forgotten = try forgotten(around, folder, limit: Self.sample)
        guard forgotten.indexes.isEmpty, hasClass || forgotten.classes.isEmpty else { throw forgotten.error(folder) }
        if forgotten.isEmpty { noteChecked(identity, around.memory) }
    }

    /// How many files are checked before another one is created.
    private static let sample = 256

    /// The missing records that files of a folder remember. Checks at most `limit` files, spread over the folder.
    func forgotten(_ around: Surroundings, _ folder: FileLocation, limit: Int = .max) throws -> ForgottenRecords {
        var forgotten = ForgottenRecords()
        guard around.folder != nil else { return forgotten }
        let names = try hooks.names(in: folder)
        let step = (names.count - 1) / limit + 1
        for index in stride(from: 0, to: names.count, by: step) where names[index] != FolderRecord.fileName {
            if let memory = memory(of: folder.appending(names[index]), around) { forgotten.add(memory, around) }
        }
        return forgotten
    }

    /// What a file remembers, if that is not in force. While its key is locked, this is what the file claims.
    private func memory(of path: FileLocation, _ around: Surroundings) -> FolderMemory? {
        guard let status = try? OpenFile.status(of: path, hooks), status.kind == .file,
            let file = try? OpenFile.open(path, mode: .look, hooks: hooks),
            let page = try? SealedFile.settled(file, { try HeaderPage($0, path) }),
            page.claimed.home == keybag.homeIdentifier
        else { return nil }
        var news = ForgottenRecords()
        news.add(page.claimed.memory, around)
        guard !news.isEmpty else { return nil }
        do {
            return try SealedFile.verify(file, keybag, trailing: true).header.memory
        } catch {
            return ProtectedFileError(error, about: "\(path)").code == .locked ? page.claimed.memory : nil
        }
    }
}
