// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import KeychainEngine
import ProtectedFiles
import Sealing
import SecretMemory
import UserPreferences

/// Restores one user's records into the home of a new user. The whole file is opened once before the first record is
/// passed on.
final class BackupReader {
    private let home: Home
    /// Held open once it exists, so that paths below it may exceed the system's length limit.
    private var top: FileLocation
    private let store: ProtectedFileStore
    private let progress: (UserBackupProgress) throws -> Void
    private let hooks = FileHooks()
    private var parser = BackupParser()
    private(set) var name: String?
    private var backup = UserBackup()
    private var preferences: [PreferenceRecord] = []
    private var settings: [(path: FileLocation, ProtectedFileStore.FolderSettings)] = []
    private var metadata: [BackupMetadata] = []
    private var file: ProtectedFileHandle?

    init(home: Home, progress: @escaping (UserBackupProgress) throws -> Void) {
        self.home = home
        self.progress = progress
        top = FileLocation(UserDirectory.filesFolder(home))
        store = ProtectedFileStore(home: home)
    }

    /// Reports faults of the backup file as such, not as damage in this home.
    func read(_ source: any ExportSource, _ passphrase: Secret) throws -> UserBackup {
        do { return try readRecords(source, passphrase) } catch {
            guard error is SealingError || (error as? KeychainError)?.cause is SealingError else { throw error }
            if parser.isOfItemsAlone, error as? SealingError == .malformed {
                throw AppUsersError(
                    .invalidArgument,
                    "the file is an export of a keychain, and not a backup of a user; its items are added by: zamok keychain import FILE",
                    cause: error)
            }
            throw KeychainError(
                .damaged,
                "the backup is damaged: its records are cut short, or are not records that Zamok writes; no user was added, and nothing that is here is damaged",
                cause: error)
        }
    }

    private func readRecords(_ source: any ExportSource, _ passphrase: Secret) throws -> UserBackup {
        let progress = progress
        // The home is new and has no store key yet. All preferences are set in one transaction.
        let items = try passphrase.withSecretBytes { passphrase in
            try ItemStore.of(home).import(
                home, passphrase: passphrase, from: source,
                progress: { try? progress(UserBackupProgress(part: .keychain, done: $0, total: $1)) },
                more: { for part in try self.parser.read($0) { try self.take(part) } })
        }
        try parser.end()
        try Preferences(home: home).set(preferences)
        // A new index covers the files that exist when it is set.
        for folder in settings { try store.set(folder.1, ofFolder: folder.path) }
        // The content of a folder comes before the folder, whose own mode may forbid access to it.
        for found in metadata.reversed() { try give(found) }
        backup.items = items
        backup.preferences = preferences.count
        return backup
    }

    private func take(_ part: BackupPart) throws {
        switch part {
        case .user(let name): self.name = name
        case .preference(let record):
            preferences.append(record)
            try progress(UserBackupProgress(part: .preferences, done: preferences.count, total: nil))
        case .folder(let path, let settings):
            try makeFolder(path.isEmpty ? top : top.appending(path))
            let place = path.isEmpty ? top : top.appending(path)
            if settings != .init() { self.settings.append((place, settings)) }
        case .file(let path, let protection, _): try begin(path, protection)
        case .piece(let bytes): try file?.append(bytes)
        case .fileGone(let path): try dropFile(path)
        case .metadata(let found): metadata.append(found)
        case .fileEnd:
            try file?.synchronize()
            try file?.close()
            file = nil
            backup.files += 1
            try progress(UserBackupProgress(part: .files, done: backup.files, total: nil))
        }
    }

    private func begin(_ path: [UInt8], _ protection: ProtectionClass) throws {
        try dropFile(path)
        try makeFolder(top.appending(path).folder)
        let path = top.appending(path)
        file = try store.handle(forWritingTo: path, protection: protection, options: .withoutOverwriting)
    }

    /// Drops the partial file at `path` if it begins again or is not continued.
    private func dropFile(_ path: [UInt8]) throws {
        guard let file else { return }
        try file.close()
        try store.remove(top.appending(path))
        self.file = nil
    }

    private func give(_ found: BackupMetadata) throws {
        let path = found.path.isEmpty ? top : top.appending(found.path)
        let isFolder = try OpenFile.status(of: path, hooks)?.kind == .folder
        let file = try OpenFile.open(path, mode: isFolder ? .folder : .read, hooks: hooks)
        guard try !file.set(permissions: UInt32(found.permissions), modified: found.modified) else { return }
        backup.leaveOut("\(path): its mode and time can't be set in this file system")
    }

    /// Creates the folder and all missing folders above it, up to the user's home.
    private func makeFolder(_ path: FileLocation) throws {
        var missing: [FileLocation] = []
        var next = path
        while try OpenFile.status(of: next, hooks) == nil, next.bytes.count >= top.bytes.count {
            missing.append(next)
            next = next.folder
        }
        for folder in missing.reversed() { try OpenFile.makeFolder(folder, hooks) }
        if top.anchor == nil { top = try hooks.hold(folder: top) }
    }
}
