// SPDX-License-Identifier: Apache-2.0

public import Files

/// An entry of an enumerated folder.
public struct FolderEntry: Sendable {
    /// What it is.
    public enum Kind: Sendable {
        /// A protected file.
        case protected(ProtectedFileInfo)
        /// A plaintext file, with its size in bytes.
        case unprotected(size: Int)
        /// A file that claims to be protected but is unusable, or that can't be examined, with the reason.
        case unusable(ProtectedFileError)
        /// A file that is gone, but that the folder's index lists.
        case missing
        /// A folder.
        case folder
        /// A folder that can't be read, with the reason. Its content is unknown, and the walk continues after it.
        case closedFolder(ProtectedFileError)
        /// A symbolic link, a device or a pipe: not followed, not opened.
        case other
        /// A temporary file of a killed process. It contains ciphertext, and the next start removes it.
        case leftover
        /// A temporary file of a killed process that contains plaintext, with its size in bytes.
        case clearLeftover(size: Int)
        /// A folder that is a home: it has a keybag. It is not entered.
        case home
    }

    /// Where it is.
    public let location: FileLocation
    /// What it is.
    public let kind: Kind

    package init(location: FileLocation, kind: Kind) {
        self.location = location
        self.kind = kind
    }
}

extension ProtectedFileStore {
    /// Enumerates a folder in the order of names, optionally with the folders below it: protected files with their
    /// class, and also plaintext ones. `body` ends the walk by throwing. Works in every lock state. Links are not
    /// followed; `.zamok-folder` is left out. A folder below that is unreadable, or gone by then, is reported again as
    /// `.closedFolder` after its first entry. It doesn't end the walk.
    public func enumerate(
        _ folder: FileLocation, recursively: Bool = false, _ body: (FolderEntry) throws -> Void
    ) throws(ProtectedFileError) {
        try enumerate(folder, recursively: recursively, includingHomes: false, body)
    }

    /// Like `enumerate(_:recursively:_:)`. `includingHomes`: also enumerate the folders `files` of a home there and of
    /// its users. Only for inspection, since they may belong to other users.
    package func enumerate(
        _ folder: FileLocation, recursively: Bool, includingHomes: Bool, _ body: (FolderEntry) throws -> Void
    ) throws(ProtectedFileError) {
        try reaching(folder: folder) { folder in
            var pending = [folder]
            while let next = pending.popLast() {
                var below: [FileLocation] = []
                if boundary.isHome(next) {
                    try body(FolderEntry(location: next, kind: .home))
                    guard includingHomes else { continue }
                    for files in boundary.filesFolders(of: next) {
                        try body(FolderEntry(location: files, kind: .folder))
                        pending.append(files)
                    }
                    continue
                }
                let found: [FolderEntry]
                do { found = try entries(of: next) } catch {
                    let error = ProtectedFileError(error, about: "\(next)")
                    guard next != folder else { throw error }
                    // A temporary file is removed by the process that created it.
                    if error.code == .notFound, TemporaryName.matches(next.name) { continue }
                    try body(FolderEntry(location: next, kind: .closedFolder(error)))
                    continue
                }
                for entry in found {
                    try body(entry)
                    if recursively, case .folder = entry.kind { below.append(entry.location) }
                }
                pending += below.reversed()
            }
        }
    }

    private func entries(of folder: FileLocation) throws -> [FolderEntry] {
        let names = try hooks.names(in: folder).filter { $0 != FolderRecord.fileName }
        var entries: [FolderEntry] = []
        var known: [[UInt8]: FolderRecord.Known] = [:]
        do {
            known = try folders.indexed(folder)?.record.files.all ?? [:]
        } catch {
            // The files are there all the same.
            let path = folder.appending(FolderRecord.fileName)
            entries.append(FolderEntry(location: path, kind: .unusable(ProtectedFileError(error, about: "\(path)"))))
        }
        known = known.filter { !$0.value.admits(.absent) }
        let gone = Set(known.keys).subtracting(names).sorted { $0.lexicographicallyPrecedes($1) }
        return entries
            + (names + gone).flatMap { name in
                let path = folder.appending(name)
                return known[name] == nil ? [entry(path)].compactMap(\.self) : judged(path)
            }
    }

    /// The findings for a name in the index: the file is missing, or no longer protected. The state of a protected file
    /// is checked when it is opened.
    private func judged(_ path: FileLocation) -> [FolderEntry] {
        let first = entry(path)
        if let first, case .protected = first.kind { return [first] }
        // Another process may be writing there. Look again, at the index too, with both locked against changes.
        let now = try? folders.settled(path.folder) { record -> [FolderEntry] in
            let entry = entry(path)
            guard record?.files[path.name]?.admits(.absent) == false else { return [entry].compactMap(\.self) }
            return Self.denied(entry, path)
        }
        return now ?? Self.denied(first, path)
    }

    /// The findings for a name under which the index lists a protected file.
    private static func denied(_ entry: FolderEntry?, _ path: FileLocation) -> [FolderEntry] {
        switch entry?.kind {
        case nil: [FolderEntry(location: path, kind: .missing)]
        case .unprotected, .other: [replaced(path)]
        case .folder: [replaced(path), entry].compactMap(\.self)
        default: [entry].compactMap(\.self)
        }
    }

    private static func replaced(_ path: FileLocation) -> FolderEntry {
        FolderEntry(location: path, kind: .unusable(FolderIndex.replaced(path)))
    }

    /// Nil if the name no longer exists.
    private func entry(_ path: FileLocation) -> FolderEntry? {
        let status: FileStatus
        do {
            guard let found = try OpenFile.status(of: path, hooks) else { return nil }
            status = found
        } catch {
            return FolderEntry(location: path, kind: .unusable(ProtectedFileError(error, about: "\(path)")))
        }
        switch status.kind {
        case .folder:
            guard TemporaryName.matches(path.name) else { return FolderEntry(location: path, kind: .folder) }
            // Another process may be creating or removing it.
            for _ in 0..<3 { if let left = leftover(path) { return left } }
            let isGone = ((try? OpenFile.status(of: path, hooks)) ?? nil) == nil
            return isGone ? nil : FolderEntry(location: path, kind: .folder)
        case .link, .other: return FolderEntry(location: path, kind: .other)
        case .file: return FolderEntry(location: path, kind: file(path, status))
        }
    }

    /// A temporary that a killed process left, or that a running process will remove.
    private func leftover(_ path: FileLocation) -> FolderEntry? {
        switch temporaries.leftovers.kind(of: path) {
        case .sealed: FolderEntry(location: path, kind: .leftover)
        case .clear(let size, let content): FolderEntry(location: content, kind: .clearLeftover(size: size))
        case .none: nil
        }
    }

    private func file(_ path: FileLocation, _ status: FileStatus) -> FolderEntry.Kind {
        if TemporaryName.matches(path.name), let left = leftover(path) { return left.kind }
        do {
            return .protected(try info(of: path))
        } catch let error {
            return error.code == .notProtected || error.code == .homesOwn && isPlain(path)
                ? .unprotected(size: status.size) : .unusable(error)
        }
    }

    /// Whether the file is plaintext. Asked for files that are otherwise not touched, in a folder where a home may be
    /// in creation.
    private func isPlain(_ path: FileLocation) -> Bool {
        let beginning = try? OpenFile.open(path, mode: .look, hooks: hooks).read(count: HeaderPage.size, at: 0)
        return beginning.map { HeaderPage.kind(of: $0) == .plain } ?? false
    }

    /// Reads and verifies a whole protected file, including its state in the folder's index. Throws what is wrong;
    /// returns information about the file.
    @discardableResult
    public func verify(
        _ path: FileLocation, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) -> ProtectedFileInfo {
        try reaching(path, following: true) { path in
            for _ in 0..<8 {
                do {
                    return try verifyOnce(path, progress)
                } catch let error as ProtectedFileError where error.code == .changed {
                    // A writer changed the file before all of it was read.
                    continue
                }
            }
            return try verifyOnce(path, progress)
        }
    }

    private func verifyOnce(_ path: FileLocation, _ progress: Progress) throws -> ProtectedFileInfo {
        var file = try open(path, .look)
        let length = file.header.length
        try file.forEachChunk { index, span in
            try progress(index * FileFormat.chunkSize + span.byteCount, length)
        }
        return try info(of: path)
    }
}

/// The result of a repair.
public struct FileRepair: Sendable, Equatable {
    /// How many bytes after the end were removed.
    public let removedBytes: Int
    /// Whether a half of the header was damaged and was rewritten.
    public let hadDamagedHalf: Bool
}

extension ProtectedFileStore {
    /// Removes bytes after the end of a protected file, and rewrites a damaged half of its header. First verifies all
    /// of its content, including its state in the folder's index. A file that doesn't verify stays unchanged, and the
    /// call throws what `verify` throws.
    @discardableResult
    public func repair(_ path: FileLocation) throws(ProtectedFileError) -> FileRepair {
        try reaching(path, following: true) { path in
            var file = try open(path, .change, trailing: true)
            let (bytes, half) = try file.repair()
            return FileRepair(removedBytes: bytes, hadDamagedHalf: half)
        }
    }
}
