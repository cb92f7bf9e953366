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

    /// Writes the backup with `write`, then verifies it as a restoration would, through `written`, which reads what
    /// was written.
    func write(
        _ name: String, _ passphrase: Secret, to write: ([UInt8]) throws -> Void, written: any ExportSource
    ) throws -> UserBackup {
        // If the preferences can't be read, this throws instead of making a backup without them.
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
                    if preferences.damaged > 0 {
                        backup.leaveOut("preferences: \(preferences.damaged) are damaged", count: preferences.damaged)
                    }
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
        let store = ProtectedFileStore(home: home)
        var found: [FolderEntry] = []
        try leavingOut(&backup) {
            guard try OpenFile.status(of: top, FileHooks()) != nil else { return }
            try store.enumerate(top, recursively: true) { found.append($0) }
            found.insert(FolderEntry(location: try FileHooks().hold(folder: top), kind: .folder), at: 0)
        }
        for entry in found {
            let path = Array(entry.location.bytes.dropFirst(top.bytes.count + 1))
            guard BackupPart.isPath(path, emptyToo: entry.location == top) else {
                backup.leaveOut("\(entry.location): its path is longer than \(BackupPart.pathLimit) bytes")
                continue
            }
            switch entry.kind {
            case .folder: try leavingOut(&backup) { try self.append(folder: entry.location, path, store, append) }
            // Another process is or was writing here: this is not a file yet.
            case .leftover: break
            case .protected(let info) where info.obstacle == nil:
                let isTaken = try leavingOut(&backup) { try self.append(entry.location, path, store, append) }
                if isTaken { backup.files += 1 }
            default: backup.leaveOut(Self.reason(entry))
            }
            try tell(.files, done: backup.files, total: nil)
        }
    }

    /// An error of writing the backup or of the progress callback, as opposed to an error of the file being read.
    private struct Interruption: Error { let cause: any Error }

    private func interrupting(_ body: () throws -> Void) throws {
        do { try body() } catch { throw Interruption(cause: error) }
    }

    /// Runs `body`. A file or folder that can't be read is left out and reported, and doesn't end the backup. Returns
    /// false in that case.
    @discardableResult
    private func leavingOut(_ backup: inout UserBackup, _ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch {
            let error = ProtectedFileError(error, about: UserDirectory.filesFolder(home))
            if let interruption = error.cause as? Interruption { throw interruption.cause }
            guard ![.home, .forked, .stopped].contains(error.code) else { throw error }
            backup.leaveOut(error.message)
            return false
        }
    }

    private static func reason(_ entry: FolderEntry) -> String {
        switch entry.kind {
        case .unusable(let error), .closedFolder(let error): error.message
        case .protected(let info): "\(entry.location): \(info.obstacle.map { "\($0)" } ?? "")"
        case .unprotected, .clearLeftover: "\(entry.location) is plaintext"
        case .missing: "\(entry.location) is gone, and its folder's index knows it"
        case .home: "\(entry.location) is a home, or a folder of one"
        case .folder, .leftover, .other: "\(entry.location) is neither a file nor a folder"
        }
    }

    private func append(
        folder: FileLocation, _ path: [UInt8], _ store: ProtectedFileStore, _ append: (BackupRecord) throws -> Void
    ) throws {
        let settings = try store.settings(ofFolder: folder)
        let head: [UInt8] = [settings.protection?.rawValue ?? 0, settings.isIndexed ? 1 : 0]
        try interrupting { try append(BackupRecord(.folder, head: head, body: try SecretBytes(copying: path))) }
        try appendMetadata(of: folder.appending("."), path, append)
    }

    private func appendMetadata(
        of location: FileLocation, _ path: [UInt8], _ append: (BackupRecord) throws -> Void
    ) throws {
        // A file that is gone by now has no metadata.
        guard let status = (try? OpenFile.status(of: location, FileHooks())) ?? nil else { return }
        let head = BackupMetadata(path, status).head
        try interrupting { try append(BackupRecord(.metadata, head: head, body: try SecretBytes(copying: path))) }
    }

    /// For a file with read errors, writes either nothing or a record that leaves it out.
    private func append(
        _ location: FileLocation, _ path: [UInt8], _ store: ProtectedFileStore, _ append: (BackupRecord) throws -> Void
    ) throws {
        var isBegun = false
        var head: [UInt8]?
        var waiting: [UInt8] = []
        var (done, length) = (0, 0)
        func flush() throws {
            try interrupting {
                if let begun = head {
                    try append(BackupRecord(.file, head: begun, body: try SecretBytes(copying: path)))
                    (isBegun, head) = (true, nil)
                }
                guard !waiting.isEmpty else { return }
                try append(BackupRecord(.data, body: try SecretBytes(copying: waiting)))
                done += waiting.count
                waiting = []
                try tell(.files, done: done, total: length)
            }
        }
        do {
            try store.snapshot(of: location) { protection, count in
                (length, done, waiting) = (count, 0, [])
                var writer = ByteWriter()
                writer.integer(protection.rawValue)
                writer.integer(UInt64(count))
                head = writer.bytes
            } _: { bytes in
                // The last piece is written only after the whole file was read.
                if waiting.count >= Self.pieceSize { try flush() }
                waiting += bytes
            }
        } catch {
            if isBegun, !(error.cause is Interruption) {
                try append(BackupRecord(.gone, body: try SecretBytes(copying: [])))
            }
            throw error
        }
        try flush()
        try appendMetadata(of: location, path, append)
    }
}
