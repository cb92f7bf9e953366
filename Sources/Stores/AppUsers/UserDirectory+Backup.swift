// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
public import KeychainEngine
import Keychains
import ProtectedFiles
import Sealing
public import SecretMemory
import UserPreferences

extension UserDirectory {
    /// Where to put a user's protected files so that they are part of backups: a folder in the user's home.
    public func filesFolder(of user: AppUser) throws(AppUsersError) -> String { Self.filesFolder(try home(of: user)) }

    static func filesFolder(_ home: Home) -> String { "\(home.folder)/files" }

    /// Writes a user's keychain, preferences and, if wanted, protected files to a new file of mode 0600, sealed under a passphrase
    /// (Documentation/Formats/Export.md). The file is whole and durable when this returns, and was read back, or isn't there.
    ///
    /// What is bound to this device or asks for the person is left out, and counted; so is every plaintext file, and what is damaged or can't be read, which ends no backup. Files and folders come back with their permissions and the
    /// time of their last change, and with no owner, access list or extended attribute. Files outside the user's home are not part of it, and are reported. Access groups that the
    /// program is not entitled to are not seen. The keychain, the preferences and each file are of one moment each, not all of the same one.
    ///
    /// - Parameters:
    ///   - user: A user of this directory, unlocked.
    ///   - path: Where the backup is written; must not exist yet.
    ///   - includingFiles: Whether to include the protected files in the user's home.
    ///   - passphrase: At least 8 characters. It can be guessed offline: let it be long.
    ///   - progress: may be called on any thread.
    /// - Throws: `.noSuchUser`, `.cancelled`, `.home` (locked), `.store` (a short passphrase, a file that exists, disk full; `cause` says which).
    public func backUp(
        _ user: AppUser, to path: String, passphrase: Secret, includingFiles: Bool = true,
        progress: @escaping @Sendable (UserBackupProgress) -> Void = { _ in }
    ) async throws(AppUsersError) -> UserBackup {
        let home = try home(of: user)
        return try await Blocking.run { task in
            guard home.keybag.lockState == .unlocked else {
                throw DataProtectionError(
                    .locked,
                    "the user is locked, and a backup would hold next to nothing; run: \(home.keybag.command("unlock"))"
                )
            }
            let file = try ExportFile(at: path)
            let backup = try BackupWriter(home: home, includesFiles: includingFiles) {
                try task.check()
                progress($0)
            }.write(user.name, passphrase, to: { try file.write($0) }, written: file)
            // A lock meanwhile ends what can be read.
            guard home.keybag.lockState == .unlocked else {
                throw DataProtectionError(.locked, "the user was locked meanwhile; no file was made")
            }
            try file.finish()
            return backup
        }
    }

    /// Makes a new user from a backup: either all of it is restored, or nobody is added. The new user has no passcode.
    ///
    /// - Parameters:
    ///   - path: The file that `backUp` wrote.
    ///   - passphrase: The passphrase of the backup.
    ///   - name: The new user's name; nil: the name in the backup.
    ///   - progress: may be called on any thread.
    /// - Throws: `.nameTaken`, `.invalidArgument`, `.tooMany`, `.cancelled`, `.store` (wrong passphrase, damaged, newer format, disk full; `cause` says which).
    public func restore(
        from path: String, passphrase: Secret, name: String? = nil,
        progress: @escaping @Sendable (UserBackupProgress) -> Void = { _ in }
    ) async throws(AppUsersError) -> (user: AppUser, backup: UserBackup) {
        try await Blocking.run { task in
            let source = try FileSource(at: path)
            return try self.changing { list in
                if let name { try Self.check(name, among: list.users, except: nil) }
                let id = UserIdentifier(.random())
                var restored: (user: AppUser, backup: UserBackup)?
                try self.making(id) { home in
                    let reader = BackupReader(home: home) {
                        try task.check()
                        progress($0)
                    }
                    let backup = try reader.read(source, passphrase)
                    let user = AppUser(
                        id: id, name: name ?? reader.name ?? "", isGuest: false,
                        created: Date().timeIntervalSinceReferenceDate)
                    try Self.admit(user, into: &list.users)
                    restored = (user, backup)
                    return user
                }
                guard let restored else { throw self.noSuchUser }
                return restored
            }
        }
    }
}

/// What a backup, or its restoration, contained.
public struct UserBackup: Sendable, Equatable {
    /// Keychain items, and how many were left out and why: those that are bound to this device never leave it.
    public internal(set) var items = KeychainTransfer()
    /// How many preferences.
    public internal(set) var preferences = 0
    /// How many protected files.
    public internal(set) var files = 0
    /// Preferences, files and folders that were left out: damaged, locked, unreadable, plaintext files, and what is neither file nor folder.
    public internal(set) var leftOut = 0
    /// Why, for a person: a line for each of the first 100 of them, with its path.
    public internal(set) var leftOutReasons: [String] = []
    /// Files outside the user's home, which are not part of a backup; empty if files were not asked for, and for a restoration.
    public internal(set) var filesElsewhere: [FilesElsewhere] = []

    /// Whether everything was written or restored that can be: what is bound to the device or asks for the person never leaves it.
    public var isWhole: Bool { leftOut == 0 && filesElsewhere.isEmpty && items.isWhole }

    mutating func leaveOut(_ reason: String, count: Int = 1) {
        leftOut += count
        if leftOutReasons.count < 100 { leftOutReasons.append(reason) }
    }
}

/// How far a backup or a restoration is.
public struct UserBackupProgress: Sendable, Equatable {
    /// What is being worked on; more may be added.
    public enum Part: Sendable {
        case keychain, preferences, files
    }
    /// What is being worked on.
    public let part: Part
    /// How many of it are done.
    public let done: Int
    /// How many there are; nil: not known yet.
    public let total: Int?
}
