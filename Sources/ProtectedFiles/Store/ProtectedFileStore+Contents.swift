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
        let known = try folders.indexed(folder)?.record.files ?? [:]
        let gone = known.filter { !$0.value.admits(.absent) && !names.contains($0.key) }.keys
        let missing = gone.map { FolderEntry(location: folder.appending($0), kind: .missing) }
        return try names.map { try entry(folder.appending($0)) } + missing
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
            var file = try open(path, .read)
            let length = file.header.length
            try file.forEachChunk { index, span in
                try progress(index * FileFormat.chunkSize + span.byteCount, length)
            }
            return try info(of: path)
        }
    }
}
