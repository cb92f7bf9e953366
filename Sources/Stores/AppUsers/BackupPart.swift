// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import KeychainEngine
import ProtectedFiles
import Readers
import Sealing
import SecretMemory
import UserPreferences

/// A parsed record of a backup (Documentation/Formats/Export.md, "Records of a backup").
enum BackupPart {
    case user(name: String)
    case preference(PreferenceRecord)
    case folder(path: [UInt8], ProtectedFileStore.FolderSettings)
    /// A file begins, or begins again.
    case file(path: [UInt8], ProtectionClass, length: UInt64)
    case piece([UInt8])
    /// The file has all its bytes.
    case fileEnd
    /// The file that was begun is left out of the backup.
    case fileGone(path: [UInt8])
    /// Metadata of a file or folder that an earlier record named.
    case metadata(BackupMetadata)

    static let pathLimit = 4_096

    /// Whether the bytes are a path below the folder of files. Such a path never leads out of it. An empty path means
    /// that folder itself.
    static func isPath(_ path: [UInt8], emptyToo: Bool) -> Bool {
        guard !path.isEmpty else { return emptyToo }
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let reserved = ["", ".", "..", ".zamok-folder"].map { Array($0.utf8) }
        return path.count <= pathLimit && !path.contains(0) && !parts.contains { reserved.contains(Array($0)) }
    }
}

/// The mode and modification time of a file or folder.
struct BackupMetadata {
    let path: [UInt8]
    let permissions: UInt16
    let modified: FileTime

    init(_ path: [UInt8], _ status: FileStatus) {
        self.path = path
        permissions = UInt16(truncatingIfNeeded: status.permissions & 0o777)
        modified = status.modifiedTime
    }

    /// Throws `SealingError.malformed`.
    init(_ path: [UInt8], _ head: [UInt8]) throws {
        self.path = path
        var reader = ByteReader(head)
        permissions = try reader.integer()
        let seconds = Int64(bitPattern: try reader.integer())
        let rest = try reader.integer(UInt32.self)
        try reader.end()
        guard permissions <= 0o777, rest < 1_000_000_000 else { throw SealingError.malformed }
        modified = FileTime(seconds: seconds, rest: Int64(rest))
    }

    var head: [UInt8] {
        var writer = ByteWriter()
        writer.integer(permissions)
        writer.integer(UInt64(bitPattern: modified.seconds))
        writer.integer(UInt32(clamping: modified.rest))
        return writer.bytes
    }
}

/// Parses the records of a backup in sequence and rejects an invalid order. Restoring uses it, and so does the
/// verification after writing.
struct BackupParser {
    private var hasUser = false
    /// How many bytes of the current file are still missing.
    private var missing: UInt64?
    private var path: [UInt8] = []
    /// Whether each path so far is a file or a folder: no path may lead through a file.
    private var isFile: [[UInt8]: Bool] = [:]

    /// Whether all records so far are items, as in an export of a keychain.
    var isOfItemsAlone: Bool { !hasUser }

    mutating func read(_ record: BackupRecord) throws -> [BackupPart] {
        guard hasUser != (record.kind == .user) else { throw SealingError.malformed }
        switch record.kind {
        case .user:
            hasUser = true
            return [.user(name: try name(record))]
        case .preference:
            try whole()
            return [.preference(try PreferenceRecord(try bytes(record.body)))]
        case .folder:
            try whole()
            return [.folder(path: try self.path(record, asFile: false), try settings(record))]
        case .file: return try file(record)
        case .data: return try piece(record)
        case .gone:
            guard missing != nil else { throw SealingError.malformed }
            missing = nil
            isFile[path] = nil
            return [.fileGone(path: path)]
        case .metadata:
            try whole()
            let path = try bytes(record.body)
            guard isFile[path] != nil else { throw SealingError.malformed }
            return [.metadata(try BackupMetadata(path, record.head))]
        }
    }

    /// Throws if the backup is incomplete.
    mutating func end() throws {
        guard hasUser else { throw SealingError.malformed }
        try whole()
    }

    private func whole() throws {
        guard missing == nil else { throw SealingError.malformed }
    }

    private func name(_ record: BackupRecord) throws -> String {
        let bytes = try bytes(record.body)
        guard bytes.count <= DirectoryFile.nameLimit, let text = String(validUTF8: bytes) else {
            throw SealingError.malformed
        }
        return text
    }

    private func settings(_ record: BackupRecord) throws -> ProtectedFileStore.FolderSettings {
        guard record.head.count == 2, record.head[0] <= 4, record.head[1] <= 1 else { throw SealingError.malformed }
        return ProtectedFileStore.FolderSettings(
            protection: ProtectionClass(rawValue: record.head[0]), isIndexed: record.head[1] == 1)
    }

    private mutating func file(_ record: BackupRecord) throws -> [BackupPart] {
        var reader = ByteReader(record.head)
        guard let protection = ProtectionClass(rawValue: try reader.integer()), protection != .whenPasscodeSet else {
            throw SealingError.malformed
        }
        let length = try reader.integer(UInt64.self)
        try reader.end()
        let path = try path(record, asFile: true)
        // A file that changed while it was backed up begins again.
        guard missing == nil || path == self.path else { throw SealingError.malformed }
        self.path = path
        missing = length == 0 ? nil : length
        return [.file(path: path, protection, length: length)] + (length == 0 ? [.fileEnd] : [])
    }

    private mutating func piece(_ record: BackupRecord) throws -> [BackupPart] {
        let bytes = try bytes(record.body)
        guard let left = missing, UInt64(bytes.count) <= left else { throw SealingError.malformed }
        missing = left == UInt64(bytes.count) ? nil : left - UInt64(bytes.count)
        return [.piece(bytes)] + (missing == nil ? [.fileEnd] : [])
    }

    private mutating func path(_ record: BackupRecord, asFile: Bool) throws -> [UInt8] {
        let path = try bytes(record.body)
        guard BackupPart.isPath(path, emptyToo: !asFile), isFile.updateValue(asFile, forKey: path) ?? asFile == asFile
        else { throw SealingError.malformed }
        var folder = path[...]
        while let slash = folder.lastIndex(of: UInt8(ascii: "/")) {
            folder = folder[..<slash]
            switch isFile.updateValue(false, forKey: Array(folder)) {
            case true: throw SealingError.malformed
            // The folders above this one are known as well.
            case false: return path
            case nil: continue
            }
        }
        return path
    }

    private func bytes(_ secret: Secret) throws -> [UInt8] {
        try secret.withSecretBytes { try $0.exposingBytes(0..<$0.count) } ?? []
    }
}
