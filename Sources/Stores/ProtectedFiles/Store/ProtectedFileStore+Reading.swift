// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files
public import SecretMemory

extension ProtectedFileStore {
    /// The whole content of a protected file, at most 2 GiB; read larger files through a handle. A plaintext file
    /// throws `.notProtected`: plaintext is never accepted as protected content.
    public func read(from path: FileLocation) throws(ProtectedFileError) -> [UInt8] {
        try reaching(reading: path) { found in
            var bytes: [UInt8] = []
            // For a short file, traces of keys on the stack are cleared once.
            if var file = try ClearedScope.run(
                depth: ClearedScope.depthOfMany, { try openAndRead(found, into: &bytes) })
            {
                guard file.length <= 1 << 31 else {
                    throw ProtectedFileError(
                        .tooLarge, "\(found.location) has more than 2 GiB; read it through a handle")
                }
                bytes.reserveCapacity(file.length)
                // Reads all of it in one consistent state; it may grow meanwhile.
                try file.read(into: &bytes, count: .max, at: 0)
            }
            return bytes
        }
    }

    /// Reads a file of at most one chunk and returns nil; returns the open file if it has more.
    private func openAndRead(_ found: FileOnTheWay, into bytes: inout [UInt8]) throws -> SealedFile? {
        var file = try open(found, ahead: SealedFile.aheadOfShortFiles)
        guard file.length <= FileFormat.chunkSize else { return file }
        bytes.reserveCapacity(file.length)
        try file.read(into: &bytes, count: .max, at: 0)
        return nil
    }

    /// Reads the whole content into guarded memory, at most 16 MiB.
    public func readSecret(from path: FileLocation) throws(ProtectedFileError) -> SecretBytes {
        try reaching(path, following: true) { path in
            var bytes = try read(from: path)
            defer { bytes.wipe() }
            guard bytes.count <= 1 << 24 else {
                throw ProtectedFileError(.tooLarge, "\(path) has more than 16 MiB; read it through a handle")
            }
            return try SecretBytes(copying: bytes)
        }
    }

    /// Calls `body` with the content chunk by chunk (32 KiB), each after it was verified; memory use doesn't depend on
    /// the size. `body` ends the read by throwing.
    public func read(from path: FileLocation, _ body: (RawSpan) throws -> Void) throws(ProtectedFileError) {
        try reaching(reading: path) { found in
            var file = try open(found)
            try file.forEachChunk { _, span in try body(span) }
        }
    }

    /// Opens a protected file for reading. `ahead`: read this many bytes after the header with it, for a caller that
    /// reads them at once.
    func open(_ found: FileOnTheWay, ahead: Int = 0) throws -> SealedFile {
        guard found.hasNoRecord else { return try open(found.location, .read) }
        return try SealedFile.verify(try found.file.get(), keybag, grace: configuration.lockGrace, ahead: ahead)
    }

    /// Opens a protected file: verified, and in the state that its folder's index names. `trailing`: accept bytes after
    /// its end.
    func open(_ path: FileLocation, _ mode: OpenFile.Mode, trailing: Bool = false) throws -> SealedFile {
        let folder = path.folder
        // Files that other programs brought here are noted when they are opened for changes.
        if mode == .change { try knownFolders.note(folder) }
        let grace = configuration.lockGrace
        let isRecord = path.name == FolderRecord.fileName
        var file: SealedFile
        if !isRecord, let index = try folders.indexed(folder) {
            file = try index.open(path, mode, grace: grace, trailing: trailing)
        } else {
            file = try SealedFile.verify(
                try OpenFile.open(path, mode: mode, hooks: hooks), keybag, grace: grace, trailing: trailing)
        }
        if mode == .change, !isRecord { file.witness = FolderWitness(path, folders) }
        return file
    }
}

/// Information about a protected file.
public struct ProtectedFileInfo: Sendable, Equatable {
    /// Its class.
    public let protection: ProtectionClass
    /// The length of the content in bytes.
    public let length: Int
    /// The size of the file in bytes.
    public let size: Int
    /// 1 for a new file, increased by one with each change of the content.
    public let generation: UInt64
    /// Identifies the file for its lifetime; 16 bytes. A copy by other tools has the same identifier.
    public let identifier: [UInt8]
    /// Whether the header was verified. False while its key is locked or destroyed, and for a file of another home; the
    /// rest is then what the file claims.
    public let isVerified: Bool
    /// Why it could not be verified.
    public let obstacle: ProtectedFileError.Code?
    /// Whether the file key is wrapped under a retired class key: `rewrap` wraps it under the present one.
    public let isUnderRetiredKey: Bool
    /// Whether one half of the header is damaged, for example by a crash; the next change repairs it.
    public let hasDamagedHalf: Bool
}

extension ProtectedFileStore {
    /// The class of a file; nil for a plaintext file. Works in every lock state. While the file's key is locked, the
    /// result is what the file claims.
    public func protection(of path: FileLocation) throws(ProtectedFileError) -> ProtectionClass? {
        do {
            return try info(of: path).protection
        } catch let error {
            if error.code == .notProtected { return nil }
            throw error
        }
    }

    /// Information about a protected file. A plaintext file throws `.notProtected`.
    public func info(of path: FileLocation) throws(ProtectedFileError) -> ProtectedFileInfo {
        try reaching(path, following: true) { path in
            let file = try OpenFile.open(path, mode: .look, hooks: hooks)
            let status = try file.status()
            guard status.kind == .file else { throw ProtectedFileError(.notRegular, "\(path) is not a regular file") }
            do {
                let sealed = try SealedFile.verify(file, keybag)
                return info(sealed.header, size: status.size, obstacle: nil, hasDamagedHalf: !sealed.hasWholeHeader)
            } catch {
                let known = ProtectedFileError(error, about: "\(path)")
                guard [.locked, .keyDestroyed, .foreign].contains(known.code) else { throw error }
                let claimed = try SealedFile.settled(file) { bytes in
                    let claimed = try HeaderPage(bytes, path).claimed
                    try SealedFile.checkSize(of: file, claimed)
                    return claimed
                }
                return info(claimed, size: status.size, obstacle: known.code, hasDamagedHalf: false)
            }
        }
    }

    private func info(
        _ header: FileHeader, size: Int, obstacle: ProtectedFileError.Code?, hasDamagedHalf: Bool
    ) -> ProtectedFileInfo {
        ProtectedFileInfo(
            protection: header.protection, length: header.length, size: size, generation: header.generation,
            identifier: header.fileID, isVerified: obstacle == nil, obstacle: obstacle,
            isUnderRetiredKey: keybag.isRetired(ClassKeyID(header.key.classKeyID)), hasDamagedHalf: hasDamagedHalf
        )
    }
}
