// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import Files

extension ProtectedFileStore {
    /// Copies a protected file, with a new key and the same class.
    public func copy(
        _ source: FileLocation, to target: FileLocation, options: WritingOptions = [.withoutOverwriting],
        progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        try reaching(source, following: true) { source in
            try reaching(target) { try copySealed(source, to: $0, protection: nil, options: options, progress) }
        }
    }

    /// Renames a protected file within its file system; works in every lock state. If both paths are the same name of
    /// one file, nothing changes.
    ///
    /// Errors: `.notFound`, `.missing`, `.replaced` (its folder's index lists another file), `.notProtected`,
    /// `.notRegular`, `.exists`, `.io` (another file system). A target that is another name of the same file throws
    /// `.exists`, too.
    public func move(
        _ source: FileLocation, to target: FileLocation, options: WritingOptions = [.withoutOverwriting]
    ) throws(ProtectedFileError) {
        try reaching(source) { source in try reaching(target) { try move(source, onto: $0, options) } }
    }

    private func move(_ source: FileLocation, onto target: FileLocation, _ options: WritingOptions) throws {
        guard let kind = try OpenFile.status(of: source, hooks)?.kind else { throw try absent(source) }
        guard kind == .file else { throw ProtectedFileError(.notRegular, "\(source) is not a regular file") }
        try refuseRecord(source)
        try refuseRecord(target)
        let places = try [source, target].map { try $0.heldFolder?.status().identity }
        // Both are held open (`reaching`), so neither is nil.
        let isSameFolder = places[0] == places[1]
        // The system would leave two names of one file unchanged without an error.
        guard try OpenFile.status(of: source, hooks)?.identity != OpenFile.status(of: target, hooks)?.identity else {
            guard isSameFolder, source.name == target.name else {
                throw ProtectedFileError(.exists, "\(target) is a name of the same file already")
            }
            return
        }
        let state = try claimedState(of: source)
        try checkIndexes(source, state: state, target: target, options: options)
        try knownFolders.note(target.folder)
        let move = {
            try self.hooks.rename(source, to: target, replacing: !options.contains(.withoutOverwriting))
            try self.hooks.syncFolder(target.folder)
            if !isSameFolder { try self.hooks.syncFolder(source.folder) }
        }
        if isSameFolder {
            try folders.changing(source.folder, states: [source.name: .absent, target.name: state], move)
        } else {
            // Always in the same order, so that two moves in opposite directions can't deadlock.
            let changes = [(source, FileState.absent, places[0]), (target, state, places[1])]
                .sorted { ($0.2?.inode ?? 0, $0.2?.device ?? 0) < ($1.2?.inode ?? 0, $1.2?.device ?? 0) }
            try folders.changing(changes[0].0.folder, states: [changes[0].0.name: changes[0].1]) {
                try folders.changing(changes[1].0.folder, states: [changes[1].0.name: changes[1].1], move)
            }
        }
        keybag.countChange(.files)
    }

    /// Removes a protected file; works in every lock state. Nothing is overwritten. What is left on the disk, the
    /// header with the wrapped key included, opens only with the home's class key.
    public func remove(_ path: FileLocation) throws(ProtectedFileError) {
        try reaching(path) { path in
            try refuseRecord(path)
            guard try OpenFile.status(of: path, hooks) != nil else { throw try absent(path) }
            try folders.changing(path.folder, states: [path.name: .absent]) {
                guard try hooks.remove(path) else {
                    throw ProtectedFileError(.notFound, "\(path): there is no such file or folder")
                }
                try hooks.syncFolder(path.folder)
            }
            keybag.countChange(.files)
        }
    }

    /// What the header claims, unverified. The file is checked as usual when it is opened under its new name.
    private func claimedState(of path: FileLocation) throws -> FileState {
        let file = try OpenFile.open(path, mode: .look, hooks: hooks)
        return FileState(try SealedFile.settled(file) { try HeaderPage($0, path).claimed })
    }

    /// Keeps the new folder's index from accepting a file that the old one's denies, and from hiding that a file of
    /// that name is missing.
    private func checkIndexes(
        _ source: FileLocation, state: FileState, target: FileLocation, options: WritingOptions
    ) throws {
        if let index = try folders.indexed(source.folder), !index.record.admits(state, source.name) {
            // Check the index as it is now, which the shared page may not show yet.
            guard let now = try folders.parsed(source.folder, rereading: true)?.record,
                !now.isIndexed || now.admits(state, source.name)
            else { throw FolderIndex.replaced(source) }
        }
        guard options.contains(.withoutOverwriting), !options.contains(.adopting),
            try OpenFile.status(of: target, hooks) == nil,
            let known = try folders.indexed(target.folder)?.record.files[target.name], !known.admits(.absent)
        else { return }
        throw FolderIndex.missing(target)
    }

    /// The error for a file that doesn't exist.
    private func absent(_ path: FileLocation) throws -> ProtectedFileError {
        if let known = try folders.indexed(path.folder)?.record.files[path.name], !known.admits(.absent) {
            return FolderIndex.missing(path)
        }
        return ProtectedFileError(.notFound, "\(path): there is no such file or folder")
    }
}
