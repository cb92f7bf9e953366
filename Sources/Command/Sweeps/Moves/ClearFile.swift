// SPDX-License-Identifier: Apache-2.0

package import Files

/// A file with secrets in clear, or a program's configuration, that is replaced as a whole and never after a change of
/// which its reader knows nothing.
package struct ClearFile: Sendable {
    package let location: FileLocation
    private let hooks: FileHooks

    /// The largest file that is changed, in bytes.
    package static let limit = 16 << 20

    package init(_ location: FileLocation, _ hooks: FileHooks = FileHooks()) {
        (self.location, self.hooks) = (location, hooks)
    }

    /// Why a file is not changed.
    package struct Refusal: Error {
        package enum Reason: Sendable { case changed, unsuitable }
        package let reason: Reason
        package let message: String
    }

    /// A file as it was read.
    struct Read {
        let held: FileLocation
        let file: OpenFile
        let status: FileStatus
        let bytes: [UInt8]
    }

    /// The bytes of the file; nil if there is none. Follows a link at the end. Errors: ``Refusal`` for what is no file
    /// of this user of at most ``limit`` bytes; nothing else is opened.
    package func bytes() throws -> [UInt8]? { try read()?.bytes }

    func read() throws -> Read? {
        let held: FileLocation
        let file: OpenFile
        do {
            held = try hooks.hold(location, following: true)
            guard let status = try OpenFile.status(of: held, hooks) else { return nil }
            // Opening a pipe or a device may act on it.
            guard status.kind == .file else { throw unsuitable("it is no regular file") }
            guard status.isOurs else { throw unsuitable("it belongs to another user") }
            file = try OpenFile.open(held, mode: .look, hooks: hooks)
        } catch let error as FileError {
            guard error.isMissing || error.isNoFolder else { throw error }
            return nil
        }
        let status = try file.status()
        guard status.kind == .file else { throw unsuitable("it is no regular file") }
        guard status.isOurs else { throw unsuitable("it belongs to another user") }
        guard status.size <= Self.limit else { throw unsuitable("it is larger than 16 MiB") }
        let bytes = try file.read(count: Self.limit + 1)
        guard bytes.count <= Self.limit else { throw unsuitable("it is larger than 16 MiB") }
        return Read(held: held, file: file, status: status, bytes: bytes)
    }

    /// Why the file can't be replaced, as far as that can be seen without a change; nil: nothing is known that prevents
    /// it. Errors: ``Refusal``; `FileError`.
    package func obstacle() throws -> String? {
        guard let read = try read() else { return nil }
        if let why = Self.obstacle(read.status) { return why }
        guard !read.file.isFixed else { return "it can't be changed (chattr +i or +a)" }
        guard let folder = read.held.heldFolder, folder.takesNames,
            try !OpenFile.open(".", mode: .folder, hooks: hooks, in: folder).isFixed
        else { return "its folder can't be written to" }
        guard let held = try HeldFile.hold(read.file) else { return Self.opened }
        held.letGo()
        return nil
    }

    private static let opened = "a program has it open for writing"

    private static func obstacle(_ status: FileStatus) -> String? {
        status.links > 1 ? "it has \(status.links) names (hard links), and the others would keep the secret" : nil
    }

    /// A file's new content, on the disk but not in place.
    struct Prepared {
        let fresh: UnplacedFile?
        let source: HeldFile?
        let held: FileLocation
        let hooks: FileHooks
        /// The file's metadata before; nil: there is no file.
        let metadata: FileMetadata?
        /// What the new file could not be given.
        var lost: LostMetadata = []

        /// Replaces, makes or removes the file, durably. Errors: ``Refusal``, of reason `changed`, if it is not the
        /// file that was read.
        func place() throws {
            guard let fresh else {
                guard let source else { return }
                defer { source.letGo() }
                guard source.isUndisturbed, try OpenFile.status(of: held, hooks) == source.status else {
                    throw ClearFile(held).changed
                }
                try hooks.remove(held)
                return try hooks.syncFolder(held.folder)
            }
            guard let source else {
                do throws(FileError) { return try fresh.place() } catch {
                    throw error.isPresentAlready ? ClearFile(held).changed as any Error : error
                }
            }
            switch try fresh.placeInstead(of: source) {
            case nil: return
            case .changedTwice(let kept):
                throw Refusal(
                    reason: .changed,
                    message: "\(held) was changed twice by something else; what lost the name is kept as \(kept)")
            default: throw ClearFile(held).changed
            }
        }

        /// Gives up the lease on the file.
        func letGo() { source?.letGo() }
    }

    /// Writes the new content beside the file, without a name where the file system supports that. Errors: ``Refusal``
    /// if the file is not what `before` says, has several names, or has metadata that can't be kept; `FileError`.
    ///
    /// - Parameters:
    ///   - after: Nil: the file is removed.
    ///   - before: Nil: there is no file.
    ///   - metadata: What the new file gets, or as much of it as this user may give; nil: all of the old one's, except
    ///     for the times.
    ///   - isProgram: Whether its owner may run it from now on.
    func prepare(
        _ after: [UInt8]?, insteadOf before: SealedMove.Content?, metadata: FileMetadata? = nil,
        isProgram: Bool = false
    ) throws -> Prepared {
        // What a killed process left there.
        if let folder = try? hooks.hold(location, following: true).folder {
            Leftovers(hooks) { _ in nil }.remove(in: folder)
        }
        guard let before else { return try prepareNew(after, metadata) }
        guard let read = try read() else { throw changed }
        if let why = Self.obstacle(read.status) { throw unsuitable(why) }
        guard let source = try HeldFile.hold(read.file) else { throw unsuitable(Self.opened) }
        do {
            guard SealedMove.Content(try read.file.read(count: Self.limit + 1)) == before else { throw changed }
            let old = try read.file.metadata(source.status)
            guard let after else {
                return Prepared(fresh: nil, source: source, held: read.held, hooks: hooks, metadata: old)
            }
            let fresh = try UnplacedFile(for: read.held, hooks)
            try fresh.file.write(after)
            var lost: LostMetadata = []
            if let metadata {
                lost = try fresh.file.give(metadata)
            } else {
                lost = try fresh.file.takeMetadata(of: read.file, source.status, withTimes: false)
                guard lost.isEmpty else { throw unsuitable("its owner, access lists or attributes can't be kept") }
                if isProgram { try fresh.file.setMode(source.status.permissions | 0o100) }
            }
            try fresh.file.sync()
            return Prepared(fresh: fresh, source: source, held: read.held, hooks: hooks, metadata: old, lost: lost)
        } catch {
            source.letGo()
            throw error
        }
    }

    private func prepareNew(_ after: [UInt8]?, _ metadata: FileMetadata?) throws -> Prepared {
        try makeFolders(location.folder)
        let held = try hooks.hold(location, following: true)
        guard try OpenFile.status(of: held, hooks) == nil else { throw changed }
        guard let after else {
            return Prepared(fresh: nil, source: nil, held: held, hooks: hooks, metadata: nil)
        }
        let fresh = try UnplacedFile(for: held, hooks)
        try fresh.file.write(after)
        let lost = try metadata.map { metadata throws(FileError) in try fresh.file.give(metadata) } ?? []
        try fresh.file.sync()
        return Prepared(fresh: fresh, source: nil, held: held, hooks: hooks, metadata: nil, lost: lost)
    }

    private func makeFolders(_ folder: FileLocation) throws {
        guard try OpenFile.status(of: folder.appending("."), hooks) == nil, folder != location else { return }
        if folder.folder != folder { try makeFolders(folder.folder) }
        do throws(FileError) { try OpenFile.makeFolder(folder, hooks) } catch {
            guard error.isPresentAlready else { throw error }
        }
        try hooks.syncFolder(folder.folder)
    }

    private var changed: Refusal {
        Refusal(
            reason: .changed, message: "\(location) was changed by something else; nothing was written; try again")
    }

    private func unsuitable(_ why: String) -> Refusal {
        Refusal(reason: .unsuitable, message: "\(location): \(why); it stays as it is")
    }
}
