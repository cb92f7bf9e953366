// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainStore
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

    func write(_ name: String, _ passphrase: Secret, to write: ([UInt8]) throws -> Void) throws -> UserBackup {
        // A store that can't be read makes no backup without it.
        let preferences = try Preferences(home: home).records()
        var backup = UserBackup()
        backup.items = try passphrase.withSecretBytes { passphrase in
            try ItemStore.of(home).export(
                home, passphrase: passphrase,
                progress: { try progress(UserBackupProgress(part: .keychain, done: $0, total: $1)) },
                more: { append in
                    try append(BackupRecord(.user, body: try SecretBytes(copying: Array(name.utf8))))
                    for record in preferences.records {
                        try append(BackupRecord(.preference, body: try SecretBytes(copying: record.bytes)))
                        backup.preferences += 1
                        try tell(.preferences, backup.preferences, preferences.records.count)
                    }
                    backup.leftOut += preferences.damaged
                    if includesFiles { try appendFiles(&backup, append) }
                },
                to: write)
        }
        return backup
    }

    private func tell(_ part: UserBackupProgress.Part, _ done: Int, _ total: Int?) throws {
        try progress(UserBackupProgress(part: part, done: done, total: total))
    }

    private func appendFiles(_ backup: inout UserBackup, _ append: (BackupRecord) throws -> Void) throws {
        let top = UserDirectory.filesFolder(home)
        guard FileManager.default.fileExists(atPath: top) else { return }
        let store = ProtectedFileStore(home: home)
        var found: [FolderEntry] = []
        try store.enumerate(FileLocation(top), recursively: true) { found.append($0) }
        for entry in found {
            let path = Array(entry.location.bytes.dropFirst(top.utf8.count + 1))
            switch entry.kind {
            case .folder: try append(BackupRecord(.folder, body: try SecretBytes(copying: path)))
            case .protected(let info) where info.obstacle == nil:
                if try self.append(entry.location, path, info, store, append) {
                    backup.files += 1
                } else {
                    backup.leftOut += 1
                }
            default: backup.leftOut += 1
            }
            try tell(.files, backup.files, nil)
        }
    }

    /// False: the file was changed, removed or locked since it was looked at, before anything of it was written.
    private func append(
        _ location: FileLocation, _ path: [UInt8], _ info: ProtectedFileInfo, _ store: ProtectedFileStore,
        _ append: (BackupRecord) throws -> Void
    ) throws -> Bool {
        guard let handle = try? store.handle(forReadingFrom: location) else { return false }
        defer { try? handle.close() }
        let length = try handle.length
        var head = ByteWriter()
        head.integer(handle.protection.rawValue)
        head.integer(UInt64(length))
        try append(BackupRecord(.file, head: head.bytes, body: try SecretBytes(copying: path)))
        var offset = 0
        while offset < length {
            let piece = try handle.read(count: min(Self.pieceSize, length - offset), at: offset)
            guard !piece.isEmpty else {
                throw KeychainError(.inputOutput, "a file became shorter meanwhile; try again")
            }
            try append(BackupRecord(.data, body: try SecretBytes(copying: piece)))
            offset += piece.count
            try tell(.files, offset, length)
        }
        return true
    }
}
