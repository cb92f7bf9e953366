// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainStore
import ProtectedFiles
import Sealing
import SecretMemory
import UserPreferences

/// Reads one user's records into the home of a new user. All of the file was opened once before the first record comes.
final class BackupReader {
    private static let pathLimit = 4_096

    private let home: Home
    private let progress: (UserBackupProgress) throws -> Void
    private(set) var name: String?
    private var backup = UserBackup()
    private var preferences: [PreferenceRecord] = []
    /// The file whose pieces come now, and how many bytes are still to come.
    private var file: (handle: ProtectedFileHandle, missing: UInt64)?

    init(home: Home, progress: @escaping (UserBackupProgress) throws -> Void) {
        self.home = home
        self.progress = progress
    }

    func read(_ source: any ExportSource, _ passphrase: Secret) throws -> UserBackup {
        let progress = progress
        // The home is new: it has no store key yet, and a preference is set in one transaction with all others.
        let items = try passphrase.withSecretBytes { passphrase in
            try ItemStore.of(home).import(
                home, passphrase: passphrase, from: source,
                progress: { try? progress(UserBackupProgress(part: .keychain, done: $0, total: $1)) },
                more: { try self.take($0) })
        }
        guard name != nil else { throw SealingError.malformed }
        try finishFile()
        try Preferences(home: home).set(preferences)
        backup.items = items
        backup.preferences = preferences.count
        return backup
    }

    private func take(_ record: BackupRecord) throws {
        if record.kind != .data { try finishFile() }
        switch record.kind {
        case .user: name = try text(record.body, limit: DirectoryFile.nameLimit)
        case .preference:
            preferences.append(try PreferenceRecord(try bytes(record.body)))
            try progress(UserBackupProgress(part: .preferences, done: preferences.count, total: nil))
        case .folder: try makeFolder(try path(record.body))
        case .file: try begin(record)
        case .data: try append(record.body)
        }
    }

    private func begin(_ record: BackupRecord) throws {
        var reader = ByteReader(record.head)
        guard let protection = ProtectionClass(rawValue: try reader.integer()), protection != .whenPasscodeSet else {
            throw SealingError.malformed
        }
        let length = try reader.integer(UInt64.self)
        try reader.end()
        let path = try path(record.body)
        try makeFolder(FileLocation(bytes: path).folder.bytes)
        let handle = try ProtectedFileStore(home: home).handle(
            forWritingTo: FileLocation(bytes: path), protection: protection, options: .withoutOverwriting)
        file = (handle, length)
    }

    private func append(_ piece: Secret) throws {
        guard let open = file, UInt64(piece.count) <= open.missing else { throw SealingError.malformed }
        try open.handle.append(try bytes(piece))
        file = (open.handle, open.missing - UInt64(piece.count))
    }

    private func finishFile() throws {
        guard let open = file else { return }
        guard open.missing == 0 else { throw SealingError.malformed }
        try open.handle.synchronize()
        try open.handle.close()
        file = nil
        backup.files += 1
        try progress(UserBackupProgress(part: .files, done: backup.files, total: nil))
    }

    private func makeFolder(_ path: [UInt8]) throws {
        try FileManager.default.createDirectory(
            atPath: String(decoding: path, as: UTF8.self), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Below the folder of files and nowhere else, whatever the record says.
    private func path(_ body: Secret) throws -> [UInt8] {
        let relative = try text(body, limit: Self.pathLimit)
        let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !["", ".", "..", ".zamok-folder"].contains($0) }), !relative.utf8.contains(0) else {
            throw SealingError.malformed
        }
        return Array("\(UserDirectory.filesFolder(home))/\(relative)".utf8)
    }

    private func text(_ secret: Secret, limit: Int) throws -> String {
        let bytes = try bytes(secret)
        guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else {
            throw SealingError.malformed
        }
        return text
    }

    private func bytes(_ secret: Secret) throws -> [UInt8] {
        try secret.withSecretBytes { try $0.exposingBytes(0..<$0.count) } ?? []
    }
}
