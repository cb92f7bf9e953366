// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import ProtectedFiles

/// A folder outside a user's home that contains files encrypted under the user's keys. No backup includes them, and
/// without the user they are unreadable.
public struct FilesElsewhere: Sendable, Equatable {
    /// Where the folder is, or was if it is gone.
    public let folder: String
    /// The number of files, including those in folders below; nil if the folder has moved or can't be read.
    public let count: Int?
}

extension UserDirectory {
    /// The folders outside the user's home whose files depend on the user's keys, as far as the home knows them. It
    /// does not know where other programs copied or moved files to. Works in every lock state.
    /// `ProtectedFileStore.forgetMissingFolders` forgets a folder that is gone for good.
    public func filesElsewhere(of user: AppUser) throws(AppUsersError) -> [FilesElsewhere] {
        let home = try home(of: user)
        do {
            return try Self.filesElsewhere(home)
        } catch {
            throw AppUsersError(error)
        }
    }

    static func filesElsewhere(_ home: Home) throws -> [FilesElsewhere] {
        try ProtectedFileStore(home: home).filesElsewhere().map {
            FilesElsewhere(folder: "\($0.folder)", count: $0.files)
        }
    }

    /// Throws `.filesElsewhere` if removing the user would, or may, make files outside the home unreadable. An
    /// erased home can't open any file. A home that doesn't open for another reason may be restored, but its files
    /// are not known.
    package func checkFilesElsewhere(of user: AppUser) throws(AppUsersError) {
        do {
            let home: Home
            do { home = try self.home(of: user) } catch {
                if (error.cause as? DataProtectionError)?.code == .erased { return }
                throw AppUsersError(
                    .filesElsewhere,
                    "no user was removed: the user's home does not open, so files outside it that would be unreadable for good can't be told (\(error)); "
                        + "put it back; or lose them all: zamok users remove NAME --lose-files", cause: error)
            }
            let elsewhere = try Self.filesElsewhere(home)
            if !elsewhere.isEmpty { throw Self.refusal(elsewhere) }
        } catch {
            throw AppUsersError(error)
        }
    }

    private static func refusal(_ elsewhere: [FilesElsewhere]) -> AppUsersError {
        let shown = elsewhere.prefix(8).map { files in
            files.count.map { "\(files.folder) (\($0))" } ?? "\(files.folder) (not there, or not readable)"
        }
        let more = elsewhere.count > shown.count ? " and \(elsewhere.count - shown.count) more" : ""
        return AppUsersError(
            .filesElsewhere,
            "no user was removed: files outside the user's home would be unreadable for good, in \(shown.joined(separator: ", "))\(more); "
                + "make them plaintext: zamok files open --in-place --user NAME DIR; forget folders that are gone for good: zamok doctor --user NAME "
                + "--remove-retired-keys --forget-missing-folders; or lose them all: zamok users remove NAME --lose-files"
        )
    }
}

/// Users' homes that stay open in this process, so that switching back to one costs nothing. Bounded, since each holds
/// files open.
struct KeptHomes: Sendable {
    private static let limit = 16

    /// The homes; the most recently used is last.
    private var homes: [(user: UserIdentifier, home: Home)] = []

    subscript(user: UserIdentifier) -> Home? {
        mutating get {
            guard let index = homes.lastIndex(where: { $0.user == user }) else { return nil }
            let found = homes.remove(at: index)
            homes.append(found)
            return found.home
        }
    }

    /// `open`: users whose keys possibly only this process holds; their homes stay open.
    mutating func keep(_ home: Home, _ user: UserIdentifier, besides open: Set<UserIdentifier>) {
        homes.append((user, home))
        guard homes.count > Self.limit, let index = homes.firstIndex(where: { !open.contains($0.user) }) else { return }
        homes.remove(at: index)
    }

    mutating func drop(_ user: UserIdentifier) { homes.removeAll { $0.user == user } }
}
