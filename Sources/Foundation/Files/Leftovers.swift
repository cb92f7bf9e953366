// SPDX-License-Identifier: Apache-2.0

/// Temporaries of killed processes (ProtectedFile.md, "Making"). They are recognised by content: a name alone never
/// justifies removal.
package struct Leftovers: Sendable {
    /// The identity that a file states in its beginning, of up to 4,096 bytes; nil if it states none.
    package typealias Identify = @Sendable (_ beginning: [UInt8]) -> [UInt8]?

    /// What has the name of a temporary.
    package enum Kind: Equatable, Sendable {
        /// A sealed file, or a folder for one.
        case sealed
        /// Plaintext: its size in bytes, and its path.
        case clear(size: Int, FileLocation)
        /// Something else, which belongs to the user.
        case none
    }

    private let hooks: FileHooks
    private let identify: Identify

    package init(_ hooks: FileHooks, _ identify: @escaping Identify) {
        self.hooks = hooks
        self.identify = identify
    }

    // MARK: Recognising

    /// What is at a path whose name is that of a temporary.
    package func kind(of path: FileLocation) -> Kind {
        switch (try? OpenFile.status(of: path, hooks))??.kind {
        case .file: return (try? isPassing(path)) == true ? .sealed : .none
        case .folder:
            guard TemporaryFolder.isOne(path, hooks) else { return .none }
            let content = path.appending(TemporaryFolder.contentName)
            guard let status = (try? OpenFile.status(of: content, hooks)) ?? nil, status.kind == .file,
                (try? identifier(of: content)) == .some(nil), !TemporaryFolder.isHeld(path, hooks)
            else { return .sealed }
            return .clear(size: status.size, content)
        default: return .none
        }
    }

    /// Whether it is a sealed file that was about to be renamed into place. Its temporary name is made from the
    /// identity in the file.
    private func isPassing(_ path: FileLocation) throws(FileError) -> Bool {
        guard let identifier = try identifier(of: path) else { return false }
        return TemporaryName.name(of: identifier) == path.name
    }

    private func identifier(of path: FileLocation) throws(FileError) -> [UInt8]? {
        identify(try OpenFile.open(path, mode: .read, hooks: hooks).read(count: 4096, at: 0))
    }

    // MARK: Removing

    /// Removes the temporaries in a folder that no process holds. It keeps anything that it can't recognise
    /// with certainty.
    package func remove(in folder: FileLocation) {
        guard let names = try? hooks.names(in: folder), names.contains(where: TemporaryName.matches),
            let held = try? hooks.hold(folder: folder)
        else { return }
        for name in names where TemporaryName.matches(name) { try? remove(held.appending(name)) }
    }

    private func remove(_ path: FileLocation) throws(FileError) {
        switch try OpenFile.status(of: path, hooks)?.kind {
        case .file: try removeFile(path)
        case .folder: try removeFolder(path)
        default: return
        }
    }

    private func removeFile(_ path: FileLocation) throws(FileError) {
        let file = try OpenFile.open(path, mode: .read, hooks: hooks)
        guard try file.tryLock(), let identifier = identify(try file.read(count: 4096, at: 0)),
            TemporaryName.name(of: identifier) == path.name,
            // It may have been renamed into place since.
            try OpenFile.status(of: path, hooks)?.identity == file.status().identity
        else { return }
        try hooks.remove(path)
    }

    private func removeFolder(_ path: FileLocation) throws(FileError) {
        guard let (folder, record) = try TemporaryFolder.left(at: path, hooks) else { return }
        guard let record, let content = try OpenFile.status(of: folder.content, hooks) else {
            return try folder.remove()
        }
        let outside = path.folder.appending(record.name)
        if try !isExpendable(folder.content, status: content, record: record) {
            // Another process wrote to the old file, or saved another one, before the exchange was verified. If both
            // files changed since, or the name belongs to another file, both stay.
            let fresh = folder.content
            let returning = Returning(outside: outside, inside: fresh, record, hooks)
            let kept = try isFresh(outside, record) ? returning.giveNameBack(isOpen: { isOpen(fresh) }) : nil
            if kept == nil, try OpenFile.status(of: fresh, hooks)?.identity != record.fresh { _ = try returning.keep() }
            try hooks.syncFolder(path.folder)
        }
        try folder.remove()
    }

    /// Whether the name belongs to the new file. Its inode number may belong to another file by now.
    private func isFresh(_ path: FileLocation, _ record: TemporaryFolder.Record) throws(FileError) -> Bool {
        guard try OpenFile.status(of: path, hooks)?.identity == record.fresh else { return false }
        if record.freshIdentifier.isEmpty { return true }
        return try identifier(of: path) == record.freshIdentifier
    }

    /// Whether a process has the file open for writing, and has it for half a second.
    private func isOpen(_ path: FileLocation) -> Bool {
        guard let file = try? OpenFile.open(path, mode: .read, hooks: hooks),
            let lease = try? file.takeLease(waiting: .milliseconds(500))
        else { return true }
        if lease == .held { file.endLease() }
        return lease == .refused
    }

    /// Whether it is the file that was never renamed into place, or the one whose content has another place now.
    private func isExpendable(
        _ path: FileLocation, status: FileStatus, record: TemporaryFolder.Record
    ) throws(FileError) -> Bool {
        if status.identity == record.fresh { return true }
        if status.identity == record.old {
            return status.size == record.oldSize && status.modified == record.oldModified && !isOpen(path)
        }
        guard let identifier = try identifier(of: path) else { return false }
        return identifier == record.freshIdentifier || identifier == record.oldIdentifier
    }
}
