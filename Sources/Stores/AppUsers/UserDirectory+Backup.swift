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
    /// The folder in a user's home whose protected files are part of backups.
    public func filesFolder(of user: AppUser) throws(AppUsersError) -> String { Self.filesFolder(try home(of: user)) }

    static func filesFolder(_ home: Home) -> String { "\(home.folder)/files" }

    /// Backs up a user's keychain, preferences and, if wanted, protected files. The result is a new file of mode 0600,
    /// encrypted under a passphrase (Documentation/Formats/Export.md). On success the file is complete, durable and was
    /// read back; otherwise no file is created.
    ///
    /// Keychain items that are bound to this device, or prompt the user, are left out and counted. Plaintext files, and
    /// anything damaged or unreadable, are left out and counted too; they don't end the backup. Files and folders are
    /// restored with their permissions and modification time, and without owner, access list or extended attributes.
    /// Files outside the user's home are not included, but are reported. Access groups to which the program is not
    /// entitled are invisible to it. The keychain, the preferences and each file are consistent on their own, but not
    /// with each other.
    ///
    /// - Parameters:
    ///   - user: A user of this directory, unlocked.
    ///   - path: Where the backup is written; must not exist yet.
    ///   - includingFiles: Whether to include the protected files in the user's home.
    ///   - passphrase: At least 8 characters. It can be guessed offline, so choose a long one.
    ///   - progress: Called with the progress, possibly on any thread.
    /// - Throws: `.noSuchUser`, `.cancelled`, `.home` (locked), `.store` (a short passphrase, a file that exists, disk
    ///   full; `cause` says which).
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
            // A lock meanwhile makes items unreadable.
            guard home.keybag.lockState == .unlocked else {
                throw DataProtectionError(.locked, "the user was locked meanwhile; no file was made")
            }
            try file.finish()
            return backup
        }
    }

    /// Creates a new user from a backup. Either all of it is restored, or no user is added. The new user has
    /// no passcode.
    ///
    /// - Parameters:
    ///   - path: The file that `backUp` wrote.
    ///   - passphrase: The passphrase of the backup.
    ///   - name: The new user's name; nil: the name in the backup.
    ///   - progress: Called with the progress, possibly on any thread.
    /// - Throws: `.nameTaken`, `.invalidArgument`, `.tooMany`, `.cancelled`, `.store` (wrong passphrase, damaged, newer
    ///   format, disk full; `cause` says which).
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
                // `making` ran its body, or threw.
                guard let restored else { throw self.noSuchUser }
                return restored
            }
        }
    }
}

/// What a backup, or its restoration, contained.
public struct UserBackup: Sendable, Equatable {
    /// Keychain items, and how many were left out and why. Items that are bound to this device are always left out.
    public internal(set) var items = KeychainTransfer()
    /// The number of preferences.
    public internal(set) var preferences = 0
    /// The number of protected files.
    public internal(set) var files = 0
    /// The number of preferences, files and folders that were left out: damaged, locked or unreadable ones, plaintext
    /// files, and anything that is neither file nor folder.
    public internal(set) var leftOut = 0
    /// Human-readable reasons, one line with the path for each of the first 100 of them.
    public internal(set) var leftOutReasons: [String] = []
    /// Files outside the user's home, which no backup includes. Empty for a restoration, and if files were
    /// not requested.
    public internal(set) var filesElsewhere: [FilesElsewhere] = []

    /// Whether everything possible was written or restored. Items that are bound to the device, or prompt the user,
    /// never leave it and don't count.
    public var isWhole: Bool { leftOut == 0 && filesElsewhere.isEmpty && items.isWhole }

    mutating func leaveOut(_ reason: String, count: Int = 1) {
        leftOut += count
        if leftOutReasons.count < 100 { leftOutReasons.append(reason) }
    }
}

/// The progress of a backup or a restoration.
public struct UserBackupProgress: Sendable, Equatable {
    /// A part of a backup; later versions may add more.
    public enum Part: Sendable {
        case keychain, preferences, files
    }
    /// The part in progress.
    public let part: Part
    /// How many entries of it are done.
    public let done: Int
    /// How many entries it has; nil if not known yet.
    public let total: Int?
}
