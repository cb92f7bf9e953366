// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import SecretMemory

/// Keeps this module away from the files of homes: a keybag sealed under its own keys could never be opened again.
///
/// A home is recognised by its content, not by its path, since links and mounts lead to the same folders. Users' files
/// are in the folder `files` of their home, which is exempt.
final class HomeBoundary: Sendable {
    private let home: FileLocation
    private let hooks: FileHooks
    /// Folders that are known to be in no home.
    private let outside = Locked<Set<FileIdentity>>([])
    let bare: BareFolders
    private static let cacheLimit = 4096

    init(home: FileLocation, _ hooks: FileHooks) {
        self.home = home
        self.hooks = hooks
        bare = BareFolders(hooks)
    }

    /// Throws if the folder is one of a home's own, or is inside one. Returns whether the folder is also known to have
    /// no record.
    @discardableResult
    func check(_ folder: OpenFile, for path: FileLocation) throws -> Bool {
        let time = FileHooks.time
        let status = try folder.status()
        let first = status.identity
        let wasOutside = outside.withLock { $0.contains(first) }
        if wasOutside, bare.isBare(status) == true { return true }
        // A home that is created later is still recognised by its own mark.
        if wasOutside, !mayBeHome(folder) {
            bare.look(into: folder, status, from: time)
            return false
        }
        let own = ownFolders()
        var (current, identity, below) = (folder, first, FileIdentity?.none)
        while true {
            if mayBeHome(current) || own.homes.contains(identity) {
                guard below != nil, below == identityOf("files", in: current) else {
                    throw own.homes.contains(identity) || isHome(current) ? Self.refusal(path) : Self.unmade(path)
                }
                // The rest of the path up is the home of all users.
                break
            }
            if own.folders.contains(identity) { throw Self.refusal(path) }
            let above = try OpenFile.open(Self.location("..", in: current), mode: .place, hooks: hooks)
            let next = try above.status().identity
            if next == identity { break }
            (current, identity, below) = (above, next, identity)
        }
        outside.withLock { outside in
            if outside.count >= Self.cacheLimit { outside.removeAll() }
            outside.insert(first)
        }
        return false
    }

    /// Whether a folder found in a walk is a home.
    func isHome(_ folder: FileLocation) -> Bool {
        guard let opened = try? OpenFile.open(folder, mode: .place, hooks: hooks) else { return false }
        return isHome(opened)
    }

    /// The folders `files` of a home and of its users.
    func filesFolders(of home: FileLocation) -> [FileLocation] {
        let users = home.appending("users")
        let homes = [home] + ((try? hooks.names(in: users)) ?? []).map { users.appending($0) }
        return homes.map { $0.appending("files") }.filter { (try? OpenFile.status(of: $0, hooks))??.kind == .folder }
    }

    /// A home is a folder whose `keybag` begins with the magic number, or can't be read. Only this decides what a walk
    /// may skip. A `keybag.lock` alone may be left by an erase or be made by hand, and hides nothing.
    func isHome(_ folder: OpenFile) -> Bool {
        guard hasMark("keybag", folder) else { return false }
        let keybag = Self.location("keybag", in: folder)
        guard let bytes = try? OpenFile.open(keybag, mode: .read, hooks: hooks).read(count: 8, at: 0) else {
            return true
        }
        return bytes == Self.magics[0]
    }

    /// Whether the folder is a home, or one may be in creation there or have lost its keybag. No file in such a folder
    /// is touched.
    func mayBeHome(_ folder: OpenFile) -> Bool { hasMark("keybag.lock", folder) || isHome(folder) }

    /// The databases in a folder that is or may be a home. A walk doesn't open them: closing one would drop SQLite's
    /// locks on it in this process.
    func databases(in folder: FileLocation) -> Set<[UInt8]> {
        guard let opened = try? OpenFile.open(folder, mode: .place, hooks: hooks),
            ["keybag.lock", "keybag"].contains(where: { hasMark($0, opened) })
        else { return [] }
        return Self.databases
    }

    private static let databases = Set(
        Home.databaseNames.flatMap { name in ["", "-wal", "-shm", "-journal"].map { Array((name + $0).utf8) } })

    private func hasMark(_ name: String, _ folder: OpenFile) -> Bool {
        let status = (try? OpenFile.status(of: Self.location(name, in: folder), hooks)) ?? nil
        return status.map { isMark($0, of: folder) } ?? false
    }

    /// Whether a file marks its folder as a home: only if it belongs to the folder's owner or to us. In a shared folder
    /// any user may create a file of any name.
    private func isMark(_ status: FileStatus, of folder: OpenFile) -> Bool {
        guard status.kind == .file else { return false }
        return status.isOurs || status.owner == (try? folder.status().owner)
    }

    /// The folders of this home, which a mount may show elsewhere.
    private func ownFolders() -> (homes: Set<FileIdentity>, folders: Set<FileIdentity>) {
        func identity(_ path: FileLocation) -> FileIdentity? {
            ((try? OpenFile.status(of: path, hooks)) ?? nil)?.identity
        }
        var (homes, folders): (Set<FileIdentity>, Set<FileIdentity>) = ([], [])
        for home in [home, home.folder.folder] where home == self.home || home.appending("users") == self.home.folder {
            if let found = identity(home) { homes.insert(found) }
            folders.formUnion(["epochs", "users", "temporaries", "stores"].compactMap { identity(home.appending($0)) })
        }
        return (homes, folders)
    }

    private func identityOf(_ name: String, in folder: OpenFile) -> FileIdentity? {
        ((try? OpenFile.status(of: Self.location(name, in: folder), hooks)) ?? nil)?.identity
    }

    private static func location(_ name: String, in folder: OpenFile) -> FileLocation {
        FileLocation.below(folder, Array(name.utf8))
    }

    private static func refusal(_ path: FileLocation) -> ProtectedFileError {
        ProtectedFileError(
            .homesOwn, "\(path) belongs to a home of Zamok's own, which would be unusable without it; it is passed over"
        )
    }

    private static func unmade(_ path: FileLocation) -> ProtectedFileError {
        ProtectedFileError(
            .homesOwn,
            "\(path) is in a folder that has a keybag.lock and no keybag: a home is being made there, was erased or has lost its keybag, and nothing is worked on; "
                + "if there is none, remove that keybag.lock")
    }

    // MARK: Content

    /// The magic numbers of a home's files.
    private static let magics = ["zamokbag", "zamokepo", "zamokdev", "zamokatt", "zamokgen", "zamoktmp"].map {
        Array($0.utf8)
    }

    /// Refuses a home's files that are visible elsewhere, for example through a mount of one of its folders.
    static func checkContent(_ beginning: [UInt8], _ path: FileLocation) throws {
        if magics.contains(where: beginning.starts) { throw refusal(path) }
    }
}
