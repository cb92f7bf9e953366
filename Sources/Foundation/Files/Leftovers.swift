// SPDX-License-Identifier: Apache-2.0

/// What killed processes left behind (ProtectedFile.md, "Making"). It is recognised by its content: a name alone is no reason to remove anything.
package struct Leftovers: Sendable {
    /// The identity that a file's beginning, of up to 4,096 bytes, gives the file; nil where it gives none.
    package typealias Identify = @Sendable (_ beginning: [UInt8]) -> [UInt8]?

    /// What lies under a temporary's name.
    package enum Kind: Equatable, Sendable {
        /// A sealed file, or a folder for one.
        case sealed
        /// Plaintext, of that many bytes, and where it is.
        case clear(size: Int, FileLocation)
        /// Something of a person's own.
        case none
    }

    private let hooks: FileHooks
    private let identify: Identify

    package init(_ hooks: FileHooks, _ identify: @escaping Identify) {
        self.hooks = hooks
        self.identify = identify
    }

    // MARK: Recognising

    /// What lies at a path whose name is that of a temporary.
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

    /// Whether it is a sealed file that was about to get its name: its temporary name is made of the identity in the file.
    private func isPassing(_ path: FileLocation) throws(FileError) -> Bool {
        guard let identifier = try identifier(of: path) else { return false }
        return TemporaryName.name(of: identifier) == path.name
    }

    private func identifier(of path: FileLocation) throws(FileError) -> [UInt8]? {
        identify(try OpenFile.open(path, mode: .read, hooks: hooks).read(count: 4096, at: 0))
    }

    // MARK: Removing

    /// Removes what nobody holds in a folder; what can't be recognised for sure stays.
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
            // It may have got its name since.
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
            // Somebody wrote into the old file, or saved another one, before the exchange was seen to be right. Where both were changed since, or the name was given to
            // another file, both stay.
            let fresh = folder.content
            let returning = Returning(outside: outside, inside: fresh, record, hooks)
            let kept = try isFresh(outside, record) ? returning.run(isOpen: { isOpen(fresh) }) : nil
            if kept == nil, try OpenFile.status(of: fresh, hooks)?.identity != record.fresh { _ = try returning.keep() }
            try hooks.syncFolder(path.folder)
        }
        try folder.remove()
    }

    /// Whether the new file has the name. An inode's number may have gone to another file since.
    private func isFresh(_ path: FileLocation, _ record: TemporaryFolder.Record) throws(FileError) -> Bool {
        guard try OpenFile.status(of: path, hooks)?.identity == record.fresh else { return false }
        if record.freshIdentifier.isEmpty { return true }
        return try identifier(of: path) == record.freshIdentifier
    }

    /// Whether somebody has the file open for writing.
    private func isOpen(_ path: FileLocation) -> Bool {
        guard let file = try? OpenFile.open(path, mode: .read, hooks: hooks), let lease = try? file.takeLease() else {
            return true
        }
        if lease == .held { file.endLease() }
        return lease == .refused
    }

    /// Whether it is the file that never got its name, or the one whose content has another place now.
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
