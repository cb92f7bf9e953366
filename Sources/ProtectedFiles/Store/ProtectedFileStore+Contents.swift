// SPDX-License-Identifier: Apache-2.0

public import Files

/// What lies under one name, when a folder is looked through.
public struct FolderEntry: Sendable {
    /// What it is.
    public enum Kind: Sendable {
        /// A protected file.
        case protected(ProtectedFileInfo)
        /// A file in clear, of that many bytes.
        case unprotected(size: Int)
        /// A file that claims to be protected and can't be used; why.
        case unusable(ProtectedFileError)
        /// A file that the folder's index knows and that is gone.
        case missing
        /// A folder.
        case folder
        /// A symbolic link, a device, a pipe: not followed, not opened.
        case other
        /// A temporary file that a killed process left; it holds ciphertext, and the next start removes it.
        case leftover
        /// The same, of content in clear: of that many bytes.
        case clearLeftover(size: Int)
        /// A folder of a home's own files, or one that holds a home: it is not gone into.
        case home
    }

    /// Where it lies.
    public let location: FileLocation
    /// What it is.
    public let kind: Kind
}

extension ProtectedFileStore {
    /// Looks through a folder, in the order of names, folders below it too if wanted: each file with its class,
    /// those in clear named. `body` ends it by
    /// throwing. Works in every lock state. Links are not followed; `.zamok-folder` is left out.
    public func enumerate(
        _ folder: FileLocation, recursively: Bool = false, _ body: (FolderEntry) throws -> Void
    ) throws(ProtectedFileError) {
        try door(folder: folder) { folder in
            var pending = [folder]
            while let next = pending.popLast() {
                var below: [FileLocation] = []
                if boundary.isHome(next) {
                    try body(FolderEntry(location: next, kind: .home))
                    continue
                }
                for entry in try entries(of: next) {
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
            known = try folders.indexed(folder)?.record.files ?? [:]
        } catch {
            // The files are there all the same.
            let path = folder.appending(FolderRecord.fileName)
            entries.append(FolderEntry(location: path, kind: .unusable(ProtectedFileError(error, "\(path)"))))
        }
        known = known.filter { !$0.value.admits(.absent) }
        for name in names {
            let entry = try entry(folder.appending(name))
            // What is no protected file any more; the state of one is looked at when it is opened.
            switch entry.kind {
            case .unprotected where known[name] != nil, .other where known[name] != nil:
                entries.append(Self.replaced(entry.location))
            case .folder where known[name] != nil:
                entries += [Self.replaced(entry.location), entry]
            default: entries.append(entry)
            }
        }
        let there = Set(names)
        let gone = known.keys.filter { !there.contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        return entries + gone.map { FolderEntry(location: folder.appending($0), kind: .missing) }
    }

    private static func replaced(_ path: FileLocation) -> FolderEntry {
        FolderEntry(location: path, kind: .unusable(FolderIndex.replaced(path)))
    }

    private func entry(_ path: FileLocation) throws -> FolderEntry {
        guard let status = try OpenFile.status(of: path, hooks) else {
            return FolderEntry(location: path, kind: .other)
        }
        switch status.kind {
        case .folder:
            if TemporaryName.matches(path.name), let left = leftover(path) { return left }
            return FolderEntry(location: path, kind: .folder)
        case .link, .other: return FolderEntry(location: path, kind: .other)
        case .file: return FolderEntry(location: path, kind: file(path, status))
        }
    }

    /// What a killed process left, or one that is at work will take away.
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
            return error.code == .notProtected ? .unprotected(size: status.size) : .unusable(error)
        }
    }

    /// Reads and verifies a whole protected file, its state in the folder's index too. Throws what is wrong; answers
    /// what can be said of it.
    @discardableResult
    public func verify(
        _ path: FileLocation, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) -> ProtectedFileInfo {
        try door(path, following: true) { path in
            for _ in 0..<8 {
                do {
                    return try verifyOnce(path, progress)
                } catch let error as ProtectedFileError where error.code == .changed {
                    // A writer was faster than the reading of all of it.
                    continue
                }
            }
            return try verifyOnce(path, progress)
        }
    }

    private func verifyOnce(_ path: FileLocation, _ progress: Progress) throws -> ProtectedFileInfo {
        var file = try open(path, .read)
        let length = file.header.length
        try file.forEachChunk { index, span in
            try progress(index * FileFormat.chunkSize + span.byteCount, length)
        }
        return try info(of: path)
    }
}

/// What a repair has done.
public struct FileRepair: Sendable, Equatable {
    /// Bytes that were put behind the end, and are gone.
    public let removedBytes: Int
    /// A half of the header was damaged, and is written anew.
    public let hadDamagedHalf: Bool
}

extension ProtectedFileStore {
    /// Removes what was put behind the end of a protected file, and writes a damaged half of its header anew, once all of its content has
    /// verified, its state in the folder's index too. Nothing that doesn't verify is changed, or kept: it throws what `verify` throws.
    @discardableResult
    public func repair(_ path: FileLocation) throws(ProtectedFileError) -> FileRepair {
        try door(path, following: true) { path in
            var file = try open(path, .change, trailing: true)
            let (bytes, half) = try file.repair()
            return FileRepair(removedBytes: bytes, hadDamagedHalf: half)
        }
    }
}
