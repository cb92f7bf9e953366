// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files

extension ProtectedFileStore {
    /// How far a long operation is: bytes done, bytes in all. What it throws ends the operation, and the old files
    /// stay.
    public typealias Progress = (_ done: Int, _ all: Int) throws -> Void

    /// Protects a file that lies there in clear, in its place. Afterwards only the sealed file has its name; the blocks
    /// that the clear one had may stay on the disk until something overwrites them. A file with further names (hard
    /// links), which would stay in clear, throws `.unsupported`; a protected one `.alreadyProtected`.
    public func protect(
        contentsOf path: FileLocation, protection: ProtectionClass? = nil, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        if let system = systemEngine {
            return try door(path) { try system.set(protection ?? configuration.defaultProtection, of: path) }
        }
        try protect(contentsOf: path, to: path, protection: protection, options: [], progress: progress)
    }

    /// Writes a protected file with the content of one in clear, which stays.
    public func protect(
        contentsOf source: FileLocation, to target: FileLocation, protection: ProtectionClass? = nil,
        options: WritingOptions = [.withoutOverwriting], progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        try door(source) {
            let file = try OpenFile.open(source, .read, hooks)
            let before = try file.status()
            try checkIsClear(file, before, isReplaced: source == target)
            try replace(target, protection, options) { fresh in
                try fresh.append(contentsOf: file, length: before.size, threads: configuration.threads) {
                    try progress($0, before.size)
                }
                let after = try file.status()
                guard after.size == before.size, after.modified == before.modified else {
                    throw ProtectedFileError(.changed, "\(source) was changed while it was read; begin again")
                }
            }
        }
    }

    private func checkIsClear(_ file: OpenFile, _ status: FileStatus, isReplaced: Bool) throws {
        let path = file.path
        guard status.kind == .file else { throw ProtectedFileError(.notRegular, "\(path) is no regular file") }
        guard HeaderPage.kind(of: try file.read(count: HeaderPage.size, at: 0)) == .plain else {
            throw ProtectedFileError(
                .alreadyProtected, "\(path) is protected already; change its class with reclassify"
            )
        }
        guard !isReplaced || status.links == 1 else {
            throw ProtectedFileError(
                .unsupported,
                "\(path) has other names (hard links, \(status.links - 1)) under which its content would stay in clear"
            )
        }
    }

    /// Writes the content in clear to a new file of mode 0600 at `target`, which must not exist. It gets its name
    /// when all of it was
    /// verified and is on the disk; until then it has none where the file system can do that, so that a crash leaves
    /// nothing.
    public func open(
        _ source: FileLocation, toPlaintextAt target: FileLocation, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        try door(source) {
            var file = try open(source, .read)
            let length = file.header.length
            if let unnamed = try OpenFile.makeUnnamed(in: target.folder, hooks) {
                try file.copyContent(to: unnamed, threads: configuration.threads) { try progress($0, length) }
                try unnamed.sync()
                try hooks.link(unnamed, to: target)
            } else {
                try expose(&file, target, replacing: false, progress)
            }
            try hooks.syncFolder(target.folder)
        }
    }

    /// Puts the content in clear in the place of the protected file, mode 0600.
    public func openInPlace(
        _ path: FileLocation, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        try door(path) {
            var file = try open(path, .read)
            try folders.changing(path.folder, [path.name: .absent]) {
                try expose(&file, path, replacing: true, progress)
                try hooks.syncFolder(path.folder)
            }
            keybag.countChange(.files)
        }
    }

    private func expose(
        _ file: inout SealedFile, _ target: FileLocation, replacing: Bool, _ progress: Progress
    ) throws {
        let temporary = try temporaries.make(in: target.folder)
        do {
            let length = file.header.length
            try file.copyContent(to: temporary, threads: configuration.threads) { try progress($0, length) }
            try temporary.sync()
            try hooks.rename(temporary.path, to: target, replacing: replacing)
        } catch {
            _ = try? hooks.remove(temporary.path)
            throw error
        }
    }

    /// Gives a protected file another class: a new key, and all content sealed anew, in the place of the old file.
    /// The blocks that the old one had may
    /// stay on the disk, under its old class. Nothing to do if it has that class.
    public func reclassify(
        _ path: FileLocation, to protection: ProtectionClass, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        if let system = systemEngine { return try door(path) { try system.set(protection, of: path) } }
        try door(path) {
            guard try open(path, .read).header.protection != protection else { return }
            try reseal(path, protection, progress)
        }
    }

    /// Seals all content anew, under a new file key.
    func reseal(_ path: FileLocation, _ protection: ProtectionClass, _ progress: Progress = { _, _ in }) throws {
        try copySealed(path, to: path, protection, [], progress)
    }

    func copySealed(
        _ source: FileLocation, to target: FileLocation, _ protection: ProtectionClass?, _ options: WritingOptions,
        _ progress: Progress
    ) throws {
        var file = try open(source, .read)
        let length = file.header.length
        try replace(target, protection ?? file.header.protection, options) { fresh in
            try file.forEachChunk { index, span in
                try fresh.append(span)
                try progress(index * FileFormat.chunkSize + span.byteCount, length)
            }
        }
    }

    /// Wraps the file's key under the present key of its class, after the passcode's keys were rotated; the content
    /// is not touched. False if it is already.
    @discardableResult
    public func rewrap(_ path: FileLocation) throws(ProtectedFileError) -> Bool {
        try door(path) {
            try systemEngine?.refuse(path)
            try knownFolders.note(path.folder)
            // Not by the folder's index: its own record, and a file that doesn't belong there, need their keys too.
            var file = try SealedFile.open(path, .change, keybag, hooks)
            return try file.rewrap()
        }
    }
}
