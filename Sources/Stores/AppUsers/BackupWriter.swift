// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import KeychainEngine
import ProtectedFiles
import Sealing
import SecretMemory
import UserPreferences

/// Writes one user's records (Documentation/Formats/Export.md, "Records of a backup").
struct BackupWriter {
    static let pieceSize = 256 << 10

    let home: Home
    let includesFiles: Bool
    let progress: (UserBackupProgress) throws -> Void

    /// `written` reads what `write` wrote: it is read back as a restoration would read it.
    func write(
        _ name: String, _ passphrase: Secret, to write: ([UInt8]) throws -> Void, written: any ExportSource
    ) throws -> UserBackup {
        // If the store can't be read, no backup is made without it.
        let preferences = try Preferences(home: home).records()
        var backup = UserBackup()
        var parser = BackupParser()
        var found = UserBackup()
        backup.items = try passphrase.withSecretBytes { passphrase in
            try ItemStore.of(home).export(
                home, passphrase: passphrase,
                progress: { try progress(UserBackupProgress(part: .keychain, done: $0, total: $1)) },
                more: { append in
                    try append(BackupRecord(.user, body: try SecretBytes(copying: Array(name.utf8))))
                    for record in preferences.records {
                        try append(BackupRecord(.preference, body: try SecretBytes(copying: record.bytes)))
                        backup.preferences += 1
                        try tell(.preferences, done: backup.preferences, total: preferences.records.count)
                    }
                    backup.leftOut += preferences.damaged
                    if includesFiles { try appendFiles(&backup, append) }
                },
                to: write,
                readingBack: written,
                checking: {
                    for part in try parser.read($0) {
                        if case .preference = part { found.preferences += 1 }
                        if case .fileEnd = part { found.files += 1 }
                    }
                })
        }
        do { try parser.end() } catch { throw KeychainError.notReadBack }
        guard found.preferences == backup.preferences, found.files == backup.files else {
            throw KeychainError.notReadBack
        }
        if includesFiles { backup.filesElsewhere = try UserDirectory.filesElsewhere(home) }
        return backup
    }

    private func tell(_ part: UserBackupProgress.Part, done: Int, total: Int?) throws {
        try progress(UserBackupProgress(part: part, done: done, total: total))
    }

    private func appendFiles(_ backup: inout UserBackup, _ append: (BackupRecord) throws -> Void) throws {
        let top = FileLocation(UserDirectory.filesFolder(home))
        guard try OpenFile.status(of: top, FileHooks()) != nil else { return }
        let store = ProtectedFileStore(home: home)
        _ = try self.append(folder: top, path: [], store: store, append)
        var found: [FolderEntry] = []
        try store.enumerate(top, recursively: true) { found.append($0) }
        var closed: Set<FileLocation> = []
        for entry in found {
            let path = Array(entry.location.bytes.dropFirst(top.bytes.count + 1))
            guard BackupPart.isPath(path, emptyToo: false) else {
                backup.leftOut += 1
                continue
            }
            switch entry.kind {
            case .folder:
                if try !self.append(folder: entry.location, path: path, store: store, append) {
                    closed.insert(entry.location)
                    backup.leftOut += 1
                }
            case .closedFolder where closed.contains(entry.location): break
            // Another process is at work, or was: this is not a file yet.
            case .leftover: break
            case .protected(let info) where info.obstacle == nil:
                if try self.append(entry.location, path: path, store: store, append) {
                    backup.files += 1
                } else {
                    backup.leftOut += 1
                }
            default: backup.leftOut += 1
            }
            try tell(.files, done: backup.files, total: nil)
        }
    }

    /// False: the folder can't be looked into, or is gone.
    private func append(
        folder: FileLocation, path: [UInt8], store: ProtectedFileStore, _ append: (BackupRecord) throws -> Void
    ) throws -> Bool {
        let settings: ProtectedFileStore.FolderSettings
        do { settings = try store.settings(ofFolder: folder) } catch let error {
            guard error.code == .notPermitted || error.code == .notFound else { throw error }
            return false
        }
        let head: [UInt8] = [settings.protection?.rawValue ?? 0, settings.isIndexed ? 1 : 0]
        try append(BackupRecord(.folder, head: head, body: try SecretBytes(copying: path)))
        return true
    }

    /// False: the file was removed, replaced by something else or locked since it was looked at, before anything of it was written.
    private func append(
        _ location: FileLocation, path: [UInt8], store: ProtectedFileStore,
        _ append: (BackupRecord) throws -> Void
    ) throws -> Bool {
        var isBegun = false
        var waiting: [UInt8] = []
        var done = 0
        func flush() throws {
            guard !waiting.isEmpty else { return }
            try append(BackupRecord(.data, body: try SecretBytes(copying: waiting)))
            done += waiting.count
            waiting = []
        }
        do {
            var length = 0
            try store.snapshot(of: location) { protection, count in
                (isBegun, length, done, waiting) = (true, count, 0, [])
                var head = ByteWriter()
                head.integer(protection.rawValue)
                head.integer(UInt64(count))
                try append(BackupRecord(.file, head: head.bytes, body: try SecretBytes(copying: path)))
            } _: { bytes in
                waiting += bytes
                guard waiting.count >= Self.pieceSize else { return }
                try flush()
                try tell(.files, done: done, total: length)
            }
            try flush()
        } catch let error as ProtectedFileError where !isBegun && Self.costsOneFile(error) {
            return false
        }
        return true
    }

    private static func costsOneFile(_ error: ProtectedFileError) -> Bool {
        [.locked, .notFound, .notProtected, .damaged, .replaced, .keyDestroyed, .changed].contains(error.code)
    }
}
