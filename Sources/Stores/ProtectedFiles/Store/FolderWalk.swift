// SPDX-License-Identifier: Apache-2.0

import Files

/// Goes through folders and all that is below them, each once whatever leads to it: to look for what is under a key. Links are not followed, homes not gone
/// into.
struct FolderWalk {
    private let hooks: FileHooks
    private let boundary: HomeBoundary
    private var seen: Set<FileIdentity> = []

    init(_ hooks: FileHooks, _ boundary: HomeBoundary) {
        self.hooks = hooks
        self.boundary = boundary
    }

    /// Each regular file. Throws where a folder can't be looked into, apart from those of other people below it: nobody but they put anything there.
    mutating func files(below top: FileLocation, _ body: (FileLocation) throws -> Void) throws {
        var pending = [top]
        while let folder = pending.popLast() {
            guard let status = try OpenFile.status(of: folder.appending("."), hooks) else {
                if folder == top { throw ProtectedFileError(.notFound, "\(folder) is not there") }
                continue
            }
            guard !boundary.isHome(folder), seen.insert(status.identity).inserted else { continue }
            for name in try names(in: folder, isTheirs: folder != top && !status.isOurs) {
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
