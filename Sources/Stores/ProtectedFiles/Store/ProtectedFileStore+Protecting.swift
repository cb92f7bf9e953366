// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files

extension ProtectedFileStore {
    /// Receives the progress of a long operation: bytes done, bytes in all. If it throws, the operation ends, and the
    /// old files stay.
    public typealias Progress = (_ done: Int, _ all: Int) throws -> Void

    /// Encrypts a plaintext file in place. Afterwards only the sealed file has its name; the plaintext's blocks may
    /// stay on the disk until they are overwritten.
    ///
    /// Mode, owner, group, times, access lists and extended attributes are kept. What this user, or the file
    /// system, can't keep is returned; access then never widens. A file with other names (hard links), which
    /// would stay plaintext, throws `.unsupported`, unless `allLinks` has all of them. A protected file
    /// throws `.alreadyProtected`.
    ///
    /// If the folder's index lists a protected file of that name, a plaintext file has replaced it: `.replaced`,
    /// unless `adopting`.
    @discardableResult
    public func protect(
        contentsOf path: FileLocation, protection: ProtectionClass? = nil, adopting: Bool = false,
        allLinks: FileLinks? = nil, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) -> LostMetadata {
        try reaching(path) { path in
            let file = try OpenFile.open(path, mode: .look, hooks: hooks)
            try checkIsClear(file)
            if !adopting { try checkIsNotDenied(file, path) }
            let names = try allNames(of: path, allLinks)
            try checkFolders(of: names, protection)
            let read = try ReadFile(file, names)
            return try replace(reached: path, protection: protection, insteadOf: read, like: MetadataSource(read)) {
                try seal(read.file, status: read.status, into: &$0) {
                    try read.checkUndisturbed()
                    try progress($0, $1)
                }
            }
        }
    }

    /// Writes a protected file with the content and metadata of a plaintext one, which stays,
    /// like `protect(contentsOf:)`.
    @discardableResult
    public func protect(
        contentsOf source: FileLocation, to target: FileLocation, protection: ProtectionClass? = nil,
        options: WritingOptions = [.withoutOverwriting], progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) -> LostMetadata {
        try reaching(source, following: true) { source in
            let file = try OpenFile.open(source, mode: .look, hooks: hooks)
            try checkIsClear(file)
            let before = try file.statusBeforeReading()
            let metadata = MetadataSource(file: file, status: before)
            return try replace(target, protection: protection, options: options, like: metadata) {
                try seal(file, status: before, into: &$0, progress)
            }
        }
    }

    /// Writes a protected file with the content that `next` returns part by part, until it returns nil. The file gets
    /// its name only when the content is complete and on the disk. If `next` throws, nothing is left: the error is
    /// `.stopped`, and its cause is the one that was thrown.
    package func protect(
        parts next: () throws -> [UInt8]?, to target: FileLocation, protection: ProtectionClass? = nil,
        options: WritingOptions = [.withoutOverwriting]
    ) throws(ProtectedFileError) {
        try replace(target, protection: protection, options: options) { fresh in
            while let part = try next() { try part.withSpan(part.count) { try fresh.append($0) } }
        }
    }

    private func seal(
        _ file: OpenFile, status: FileStatus, into fresh: inout FreshFile, _ progress: Progress
    ) throws {
        try fresh.append(contentsOf: file, length: status.size, threads: configuration.threads) {
            try progress($0, status.size)
        }
        let after = try file.status()
        guard after.size == status.size, after.modified == status.modified else {
            throw ProtectedFileError(.changed, "\(file.path) was changed while it was read; begin again")
        }
    }

    /// Throws if the folder's index lists a protected file of that name. Another process may have just changed the file
    /// or the index, which is not an attack.
    private func checkIsNotDenied(_ file: OpenFile, _ path: FileLocation) throws {
        func denies(_ record: FolderRecord?) -> Bool { record?.files[path.name]?.admits(.absent) == false }
        guard denies(try folders.indexed(path.folder)?.record) else { return }
        try folders.settled(path.folder) { record in
            guard denies(record) else { return }
            guard try OpenFile.status(of: path, hooks)?.identity == file.status().identity else {
                try checkIsClear(try OpenFile.open(path, mode: .look, hooks: hooks))
                throw FolderIndex.replaced(path)
            }
            throw FolderIndex.replaced(path)
        }
    }

    private func checkIsClear(_ file: OpenFile) throws {
        let path = file.path
        guard try file.status().kind == .file else {
            throw ProtectedFileError(.notRegular, "\(path) is not a regular file")
        }
        let beginning = try file.read(count: HeaderPage.size, at: 0)
        guard HeaderPage.kind(of: beginning) == .plain else {
            throw ProtectedFileError(
                .alreadyProtected, "\(path) is protected already; change its class with reclassify"
            )
        }
        try HomeBoundary.checkContent(beginning, path)
    }

    /// Writes the plaintext to a new file at `target`, which must not exist. It appears at `target` only after all of
    /// it was verified and is on the disk. Until then it has no name where the file system supports that, so that a
    /// crash leaves nothing.
    ///
    /// Mode, owner, group, times, access lists and extended attributes are those of the protected file. What this user,
    /// or the file system, can't set is returned. If the protected file belongs to another user, that user may have
    /// made it from another user's ciphertext. Its mode, owner and lists then count only if they are as when Zamok
    /// created it for that user (ProtectedFile.md, "Metadata"). Otherwise the plaintext has mode 0600 and this
    /// process's user.
    @discardableResult
    public func open(
        _ source: FileLocation, toPlaintextAt target: FileLocation, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) -> LostMetadata {
        try reaching(source, following: true) { source in
            try reaching(target) { target in
                var file = try naming(source) { try open(source, .look) }
                let metadata = try MetadataSource(&file, file.file.status())
                let clear = try temporaries.make(for: target)
                let lost = try expose(&file, in: clear, like: metadata, progress)
                try checkKey(file.header, of: target)
                try clear.place()
                return lost
            }
        }
    }

    /// Replaces the protected file with its plaintext, with the same metadata as `open(_:toPlaintextAt:)`. A file with
    /// other names (hard links) throws `.unsupported`, unless `allLinks` has all of them.
    @discardableResult
    public func openInPlace(
        _ path: FileLocation, allLinks: FileLinks? = nil, progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) -> LostMetadata {
        try reaching(path) { path in
            try refuseRecord(path)
            var file = try open(path, .look)
            let read = try ReadFile(&file, allNames(of: path, allLinks))
            let metadata = try MetadataSource(&file, read.status)
            let clear = try temporaries.make(for: path)
            let lost = try expose(&file, in: clear, like: metadata) {
                try read.checkUndisturbed()
                try progress($0, $1)
            }
            let header = file.header
            try folders.changing(path.folder, states: [path.name: .absent]) {
                try read.isReplaced(by: clear, []) { try checkKey(header, of: path) }
            }
            keybag.countChange(.files)
            return lost
        }
    }

    /// Writes the plaintext to a new file that has no name yet; it is on the disk when this returns.
    private func expose(
        _ file: inout SealedFile, in clear: UnplacedFile, like metadata: MetadataSource, _ progress: Progress
    ) throws -> LostMetadata {
        let length = file.header.length
        try naming(file.path) {
            try file.copyContent(to: clear.file, threads: configuration.threads) { try progress($0, length) }
        }
        let lost = try metadata.give(to: clear.file)
        try clear.file.sync()
        return lost
    }

    /// Runs `body` so that its errors name `source`, regardless of the operation's other paths. System errors name
    /// their own path.
    func naming<R: ~Copyable>(_ source: FileLocation, _ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            guard error is FileError else { throw ProtectedFileError(error, about: "\(source)") }
            throw error
        }
    }

    /// Changes the class of a protected file. A new file, with a new key and all content sealed again, replaces the old
    /// one. Its metadata is the same except for the times. The old file's blocks may stay on the disk, under the old
    /// class. Does nothing if the file has that class. A file with other names (hard links) throws `.unsupported`,
    /// unless `allLinks` has all of them.
    public func reclassify(
        _ path: FileLocation, to protection: ProtectionClass, allLinks: FileLinks? = nil,
        progress: Progress = { _, _ in }
    ) throws(ProtectedFileError) {
        try reaching(path) { path in
            guard try open(path, .look).header.protection != protection else { return }
            try reseal(path, protection: protection, allLinks: allLinks, progress)
        }
    }

    /// Seals all content again, under a new file key.
    func reseal(
        _ path: FileLocation, protection: ProtectionClass, allLinks: FileLinks? = nil,
        _ progress: Progress = { _, _ in }
    ) throws {
        var file = try open(path, .look)
        let names = try allNames(of: path, allLinks)
        try checkFolders(of: names, protection)
        let read = try ReadFile(&file, names)
        var metadata = try MetadataSource(&file, read.status)
        metadata.keepsTimes = false
        try copy(&file, to: path, protection: protection, options: [], insteadOf: read, like: metadata, progress)
    }

    func copySealed(
        _ source: FileLocation, to target: FileLocation, protection: ProtectionClass?, options: WritingOptions,
        _ progress: Progress
    ) throws {
        var file = try naming(source) { try open(source, .look) }
        try copy(&file, to: target, protection: protection ?? file.header.protection, options: options, progress)
    }

    private func copy(
        _ file: inout SealedFile, to target: FileLocation, protection: ProtectionClass, options: WritingOptions,
        insteadOf read: ReadFile? = nil, like metadata: MetadataSource? = nil, _ progress: Progress
    ) throws {
        let length = file.header.length
        var fresh = try begin(target, protection: protection, options: options)
        try naming(file.path) {
            try file.forEachChunk { index, span in
                try fresh.append(span)
                try read?.checkUndisturbed()
                try progress(index * FileFormat.chunkSize + span.byteCount, length)
            }
        }
        try place(&fresh, at: target, options, insteadOf: read, like: metadata)
    }

    /// Wraps the file's key under the present key of its class, after the passcode's keys were rotated. The content is
    /// not touched. Returns false if the key is already wrapped under it.
    @discardableResult
    public func rewrap(_ path: FileLocation) throws(ProtectedFileError) -> Bool {
        try reaching(path, following: true) { path in
            try knownFolders.note(path.folder)
            // Bypasses the folder's index: its own record, and a file that doesn't belong there, need their keys too.
            do {
                var file = try SealedFile.open(path, mode: .change, keybag: keybag, hooks: hooks)
                return try file.rewrap()
            } catch let error as FileError {
                // A file that its owner may only read can't be changed in place. A new file under the present keys
                // replaces it.
                guard error.isForbidden else { throw error }
                let header = try SealedFile.open(path, mode: .look, keybag: keybag, hooks: hooks).header
                guard header.isUnder(retiredKeyOf: keybag) else { return false }
                try reseal(path, protection: header.protection)
                return true
            }
        }
    }
}
