// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files

/// A file or folder that an operation could not process.
public struct UnfinishedFile: Sendable {
    /// Where it is.
    public let location: FileLocation
    /// Why not.
    public let reason: ProtectedFileError
}

extension ProtectedFileStore: KeyRewrapper {
    package var name: String { KnownFolders.name }
    package var fileInHome: String { KnownFolders.place }

    /// The retired keys that headers claim, in all folders in which files were sealed and those below them. A folder
    /// that can't be read may need any key, since it may have been renamed. Files that were copied or moved elsewhere
    /// are not found.
    package func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
        if let missing = try knownFolders.missing().first { throw notThere(missing) }
        // If a folder's record is damaged or gone, its content is not fully known, and neither are the record's keys.
        if let finding = ProtectedFilesDoctor(self).examine().first {
            throw ProtectedFileError(.folderRecord, finding.message)
        }
        var found: Set<ClassKeyID> = []
        var walk = FolderWalk(hooks, boundary)
        for entry in try knownFolders.all() {
            do {
                try walk.files(below: entry.folder) { path in
                    do {
                        if path.name == FolderRecord.fileName { try checkIndexed(path) }
                        found.formUnion(try claimedKeys(of: path).filter(keybag.isRetired))
                    } catch {
                        // Removed since the names were read.
                        if ProtectedFileError(error, about: "").code != .notFound { throw error }
                    }
                }
            } catch {
                let error = ProtectedFileError(error, about: "\(entry.folder)")
                // The folder is also listed under its present name.
                if error.code != .notFound { throw error }
            }
        }
        // Checked again, since a folder may have been removed meanwhile.
        if let missing = try knownFolders.missing().first { throw notThere(missing) }
        return found
    }

    private func notThere(_ entry: KnownFolders.Entry) -> ProtectedFileError {
        if entry == KnownFolders.lost, let doubt = try? knownFolders.doubt {
            return ProtectedFileError(.notFound, knownFolders.explanation(doubt))
        }
        let isOther = ((try? knownFolders.present(at: entry.folder)) ?? nil) != nil
        return ProtectedFileError(
            .notFound,
            "the folder \(entry.folder), which holds protected files, is not where it was\(isOther ? ", and another one has its name" : ""); mount it, or give its new place: \(keybag.command("files rewrap")) PATH; once nothing in it is wanted: \(knownFolders.removal)"
        )
    }

    /// Forgets the folders that are missing or were replaced by others: no retired key is kept for their files. Call
    /// only on the user's request. Once the retired keys are removed, files in such a folder that need them are lost.
    /// Returns the folders. One path that isn't a folder's represents several, or those of a list that was lost; that
    /// list counts as complete from then on.
    public func forgetMissingFolders() throws(ProtectedFileError) -> [FileLocation] {
        do {
            let missing = try knownFolders.missing()
            if !missing.isEmpty { try knownFolders.drop(missing) }
            return missing.map(\.folder)
        } catch {
            throw ProtectedFileError(error, about: home.folder)
        }
    }

    /// The folders outside the home in which files are sealed under its keys. Each has the number of files, including
    /// those in folders below it; nil if the folder is missing or unreadable.
    package func filesElsewhere() throws(ProtectedFileError) -> [(folder: FileLocation, files: Int?)] {
        do {
            let own = try hooks.resolve(FileLocation(home.folder)).bytes + [UInt8(ascii: "/")]
            let known = try knownFolders.all()
            // A folder that can't be checked is not known to exist.
            let there = Set(known.filter { (try? knownFolders.isThere($0)) ?? false }.map(\.identity))
            var walk = FolderWalk(hooks, boundary)
            var all: [(folder: FileLocation, files: Int?)] = []
            for entry in known where !entry.folder.bytes.starts(with: own) {
                let count = there.contains(entry.identity) ? countFiles(below: entry.folder, &walk) : nil
                if count != 0 { all.append((entry.folder, count)) }
            }
            return all
        } catch {
            throw ProtectedFileError(error, about: home.folder)
        }
    }

    private func countFiles(below folder: FileLocation, _ walk: inout FolderWalk) -> Int? {
        var count = 0
        do {
            try walk.files(below: folder) { path in
                guard path.name != FolderRecord.fileName else { return }
                if try claimedKeys(of: path).contains(where: keybag.hasFileKey) { count += 1 }
            }
        } catch {
            // The folder is also listed under its present name.
            return ProtectedFileError(error, about: "").code == .notFound ? count : nil
        }
        return count
    }

    /// Changing a passcode must not take as long as writing a hundred thousand files. Files are rewrapped when they are
    /// opened for changes, or on request.
    package var rewrapsOnRequestOnly: Bool { true }

    /// Rewraps in all folders in which files were sealed and those below them. A file that can't be rewrapped, or a
    /// folder that can't be read, still needs its keys. Returns whether any remain.
    package func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
        guard keybag === self.keybag else { return true }
        return try !rewrapKnownFolders().isEmpty
    }

    /// Rewraps the keys of all files of this home that are under retired class keys, in every folder with sealed files
    /// and those below. Returns the files and folders for which that failed, with the reason: locked, damaged, not
    /// mounted. Files that other programs moved to other folders are not found; pass their paths to `rewrap`.
    public func rewrapKnownFolders() throws(ProtectedFileError) -> [UnfinishedFile] {
        do {
            guard try keybag.hasRetiredKeys else { return [] }
            var left = try knownFolders.missing().map { UnfinishedFile(location: $0.folder, reason: notThere($0)) }
            var walk = FolderWalk(hooks, boundary)
            // A folder at the path of a missing one is processed all the same.
            for entry in try knownFolders.all() {
                do {
                    try walk.files(below: entry.folder) { rewrapIfRetired($0, &left) }
                } catch {
                    let error = ProtectedFileError(error, about: "\(entry.folder)")
                    if error.code != .notFound { left.append(UnfinishedFile(location: entry.folder, reason: error)) }
                }
            }
            return left
        } catch {
            throw ProtectedFileError(error, about: home.folder)
        }
    }

    private func rewrapIfRetired(_ path: FileLocation, _ left: inout [UnfinishedFile]) {
        do {
            guard try claimedKeys(of: path).contains(where: keybag.isRetired) else { return }
            try mustBeWhole(path)
            try rewrap(path)
        } catch {
            let error = ProtectedFileError(error, about: "\(path)")
            // Removed since the names were read.
            if error.code != .notFound { left.append(UnfinishedFile(location: path, reason: error)) }
        }
    }

    /// Throws if any part of the file is damaged: it may be restored from a copy, which needs the key.
    private func mustBeWhole(_ path: FileLocation) throws {
        let isRecord = path.name == FolderRecord.fileName
        if !isRecord { try verify(path) }
        var file = try SealedFile.open(path, mode: .look, keybag: keybag, hooks: hooks)
        guard file.hasWholeHeader else {
            throw ProtectedFileError.damaged("\(path)", "half of its header; or mend it with zamok files repair")
        }
        if isRecord { try file.forEachChunk { _, _ in } }
    }

    /// Throws if a protected file in the folder's index is missing or no longer looks like one: a restored copy may
    /// need any key.
    private func checkIndexed(_ record: FileLocation) throws {
        guard let index = try? folders.indexed(record.folder) else { return }
        for (name, known) in index.record.files.all where !known.admits(.absent) {
            let path = record.folder.appending(name)
            let beginning = try? OpenFile.open(path, mode: .look, hooks: hooks).read(
                count: FileFormat.headerSize, at: 0)
            if let beginning, let page = try? HeaderPage(beginning, path), known.admits(FileState(page.claimed)) {
                continue
            }
            throw ProtectedFileError(
                .folderRecord,
                "the folder's index knows \(path) as a protected file, and it is missing, damaged, or another one; put it back, or do without it: zamok files index \(record.folder.shellWord) --adopt"
            )
        }
    }

    /// The keys that the header claims; none for another home's file. Throws if the header is not intact.
    private func claimedKeys(of path: FileLocation) throws -> Set<ClassKeyID> {
        let file: OpenFile
        do {
            file = try OpenFile.open(path, mode: .look, hooks: hooks)
        } catch let error {
            // The file belongs to another user, and is unreadable to this one.
            if error.isForbidden, try OpenFile.status(of: path, hooks)?.isOurs == false { return [] }
            throw error
        }
        let bytes = try file.read(count: FileFormat.headerSize, at: 0)
        switch HeaderPage.kind(of: bytes) {
        case .plain: return []
        case .newer: _ = try HeaderPage(bytes, path)
        case .protected: break
        }
        let page = try HeaderPage(bytes, path)
        // An unreadable half may have named the key that the file needs once it is restored.
        guard page.claims.count == 2 || page.claimed.home != keybag.homeIdentifier else {
            throw ProtectedFileError.damaged("\(path)", "a half of its header can't be read")
        }
        return Set(page.claims.map { ClassKeyID($0.key.classKeyID) })
    }
}
