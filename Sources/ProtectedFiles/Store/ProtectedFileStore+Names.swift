// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import Files

extension ProtectedFileStore {
    /// Copies a protected file under a key of its own, with the same class.
    public func copy(
        _ source: FileLocation, to target: FileLocation, options: WritingOptions = [.withoutOverwriting],
        progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        try door(source, following: true) { source in
            try door(target) { try copySealed(source, to: $0, nil, options, progress) }
        }
    }

    /// Renames a protected file within its file system; works in every lock state.
    public func move(
        _ source: FileLocation, to target: FileLocation, options: WritingOptions = [.withoutOverwriting]
    ) throws(ProtectedFileError) {
        try door(source) { source in try door(target) { try move(source, onto: $0, options) } }
    }

    private func move(_ source: FileLocation, onto target: FileLocation, _ options: WritingOptions) throws {
        guard try OpenFile.status(of: source, hooks) != nil else {
            throw ProtectedFileError(.notFound, "\(source): there is no such file or folder")
        }
        let state = try claimedState(of: source)
        try knownFolders.note(target.folder)
        let move = {
            try self.hooks.rename(source, to: target, replacing: !options.contains(.withoutOverwriting))
            try self.hooks.syncFolder(target.folder)
            if source.folder != target.folder { try self.hooks.syncFolder(source.folder) }
        }
        if source.folder == target.folder {
            try folders.changing(source.folder, [source.name: .absent, target.name: state], move)
        } else {
            try folders.changing(source.folder, [source.name: .absent]) {
                try folders.changing(target.folder, [target.name: state], move)
            }
        }
        keybag.countChange(.files)
    }

    /// Removes a protected file; works in every lock state. What the disk still has of it can't be read without its
    /// key, which went with the header.
    public func remove(_ path: FileLocation) throws(ProtectedFileError) {
        try door(path) { path in
            try folders.changing(path.folder, [path.name: .absent]) {
                guard try hooks.remove(path) else {
                    throw ProtectedFileError(.notFound, "\(path): there is no such file or folder")
                }
                try hooks.syncFolder(path.folder)
            }
            keybag.countChange(.files)
        }
    }

    /// What the header says, which need not be verified: where it lies under another name it is checked as ever.
    private func claimedState(of path: FileLocation) throws -> FileState {
        let file = try OpenFile.open(path, .read, hooks)
        return FileState(try HeaderPage(try file.read(count: FileFormat.headerSize, at: 0), path).claimed)
    }
}
