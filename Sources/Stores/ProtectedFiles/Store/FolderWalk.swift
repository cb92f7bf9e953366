// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// Walks folders and everything below them to find files under a key. Each folder is visited once, regardless of the
/// paths that lead to it. Links are not followed.
///
/// The walk skips nothing, since a file that it misses counts as absent when a key is destroyed. Any user can make a
/// folder look like a home. Only the databases of homes are not opened.
struct FolderWalk {
    private let hooks: FileHooks
    private let boundary: HomeBoundary
    private var seen: Set<FileIdentity> = []

    init(_ hooks: FileHooks, _ boundary: HomeBoundary) {
        self.hooks = hooks
        self.boundary = boundary
    }

    /// Calls `body` with each regular file. Throws if a folder is unreadable, except for other users' folders below
    /// `top`, which only their owners write to.
    mutating func files(below top: FileLocation, _ body: (FileLocation) throws -> Void) throws {
        var pending = [top]
        while let folder = pending.popLast() {
            guard let status = try OpenFile.status(of: folder.appending("."), hooks) else {
                if folder == top { throw ProtectedFileError(.notFound, "\(folder) is not there") }
                continue
            }
            guard seen.insert(status.identity).inserted else { continue }
            let databases = boundary.databases(in: folder)
            let names = try names(in: folder, isTheirs: folder != top && !status.isOurs)
            for name in names where !databases.contains(name) {
                let path = folder.appending(name)
                switch try OpenFile.status(of: path, hooks)?.kind {
                case .folder: pending.append(path)
                case .file: try body(path)
                case .link, .other, nil: break
                }
            }
        }
    }

    private func names(in folder: FileLocation, isTheirs: Bool) throws -> [[UInt8]] {
        do {
            return try hooks.names(in: folder)
        } catch let error {
            guard isTheirs && error.isForbidden || error.isMissing else { throw error }
            return []
        }
    }
}

/// Caches folders without anything that concerns their files: neither a mark of a home nor a record. Opening a file
/// repeatedly then costs one look at its folder, instead of one for each of these names.
///
/// An entry is valid until an entry of the folder is created, removed or renamed. That updates the folder's change
/// time, which is compared each time and which no process can set. Where such a change might not show, nothing is
/// cached (`showsChanges`).
final class BareFolders: Sendable {
    private let hooks: FileHooks
    private let known = Locked<[FileIdentity: Entry]>([:])
    private static let cacheLimit = 4096
    private static let names = [FolderRecord.fileName, Array("keybag.lock".utf8), Array("keybag".utf8)]

    private struct Entry {
        let changed: Int64
        let isBare: Bool
    }

    init(_ hooks: FileHooks) { self.hooks = hooks }

    /// Nil: not known.
    func isBare(_ status: FileStatus) -> Bool? {
        known.withLock { $0[status.identity].flatMap { $0.changed == status.changed ? $0.isBare : nil } }
    }

    /// Looks for the names, once for each change of the folder. `time`: a time before `status` was read.
    func look(into folder: OpenFile, _ status: FileStatus, from time: Int64) {
        guard isBare(status) == nil, folder.showsChanges(from: time, status) else { return }
        var isBare = true
        for name in Self.names where isBare {
            // A name that can't be checked is not known to be absent.
            guard let found = try? OpenFile.status(of: .below(folder, name), hooks) as FileStatus?? else { return }
            isBare = found == nil
        }
        known.withLock { [isBare] known in
            if known.count >= Self.cacheLimit { known.removeAll() }
            known[status.identity] = Entry(changed: status.changed, isBare: isBare)
        }
    }
}
