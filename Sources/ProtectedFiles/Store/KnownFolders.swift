// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// The folders in which files are sealed under keys of a home (ProtectedFile.md, "Known folders"): whoever removes
/// retired class keys must find the files that need them.
final class KnownFolders: Sendable {
    private let home: FileLocation
    private let folder: FileLocation
    private let path: FileLocation
    private let hooks: FileHooks
    /// Folders that are in the file already. A relative path never is one: it means another folder after a `chdir`.
    private let noted = Locked<Set<FileLocation>>([])

    /// A folder, and the number of the device that it was on.
    struct Entry: Hashable, Sendable {
        let device: UInt64
        let folder: FileLocation
    }

    static let name = "files"
    private static let sizeLimit = 1 << 24
    /// From so many entries on those of folders that are gone are dropped when one is added.
    private static let manyEntries = 512

    init(home: FileLocation, _ hooks: FileHooks) {
        self.home = home
        folder = home.appending("stores")
        path = folder.appending(Self.name)
        self.hooks = hooks
    }

    // MARK: Noting

    /// Notes the folder, durably, before the first file of it is sealed.
    func note(_ folder: FileLocation) throws {
        try noted.withLock { noted in
            guard !noted.contains(folder) else { return }
            let resolved = try hooks.resolve(folder)
            if !noted.contains(resolved), let status = try OpenFile.status(of: resolved, hooks) {
                try add(Entry(device: status.device, folder: resolved))
                noted.insert(resolved)
            }
            if folder.isAbsolute { noted.insert(folder) }
        }
    }

    private func add(_ entry: Entry) throws {
        let file = try locked()
        let bytes = try file.read(count: Self.sizeLimit, at: 0)
        let entries = Self.entries(in: bytes)
        guard !entries.contains(entry) else { return }
        if entries.count >= Self.manyEntries {
            try rewrite(compacted(entries) + [entry])
        } else {
            // What a crash left behind the last zero byte is written over.
            try file.write(Self.encode(entry), at: (bytes.lastIndex(of: 0) ?? -1) + 1)
            try file.syncData()
        }
    }

    /// The list, held alone; made where there is none.
    private func locked() throws -> OpenFile {
        while true {
            let file = try openOrMake()
            try file.lock(waiting: .seconds(10))
            // Somebody may have put another one in its place before we had the lock.
            if try OpenFile.status(of: path, hooks)?.inode == file.status().inode { return file }
        }
    }

    private func openOrMake() throws -> OpenFile {
        do {
            return try OpenFile.open(path, .change, hooks)
        } catch let error {
            if !error.isMissing { throw error }
        }
        do { try OpenFile.makeFolder(folder, hooks) } catch let error { if !error.isPresentAlready { throw error } }
        do {
            let file = try OpenFile.make(path, hooks)
            try hooks.syncFolder(folder)
            try hooks.syncFolder(home)
            return file
        } catch let error {
            if !error.isPresentAlready { throw error }
        }
        return try OpenFile.open(path, .change, hooks)
    }

    /// Puts a list of these in the place of the old one; the old one's lock is held.
    private func rewrite(_ entries: [Entry]) throws {
        let next = FileLocation(bytes: path.bytes + Array(".new".utf8))
        try hooks.remove(next)
        let file = try OpenFile.make(next, hooks)
        try file.write(entries.flatMap(Self.encode), at: 0)
        try file.sync()
        try hooks.rename(next, to: path, replacing: true)
        try hooks.syncFolder(folder)
    }

    // MARK: Looking

    /// All of them.
    func all() throws -> [Entry] {
        guard try OpenFile.status(of: path, hooks) != nil else { return [] }
        return Self.entries(in: try OpenFile.open(path, .read, hooks).read(count: Self.sizeLimit, at: 0))
    }

    /// Drops folders, for good.
    func drop(_ missing: [Entry]) throws {
        let file = try locked()
        let entries = Self.entries(in: try file.read(count: Self.sizeLimit, at: 0))
        try rewrite(entries.filter { !missing.contains($0) })
    }

    /// Stands for folders that are not where they were: each may have been renamed, so that they are forgotten only by a person's word.
    static let severalMissing = Entry(device: 0, folder: FileLocation("/(several folders that are not there any more)"))

    /// Without the folders that are gone, which leave one entry for all.
    private func compacted(_ entries: [Entry]) -> [Entry] {
        let present = entries.filter { $0 != Self.severalMissing && !isGone($0) }
        return present.count < entries.count ? present + [Self.severalMissing] : present
    }

    /// Whether the folder was removed, and does not just lie on something that is not mounted now: then what is left of
    /// its path is on another device.
    func isGone(_ entry: Entry) -> Bool {
        var folder = entry.folder
        do {
            if try OpenFile.status(of: folder, hooks) != nil { return false }
            while folder.folder != folder {
                folder = folder.folder
                if let status = try OpenFile.status(of: folder, hooks) { return status.device == entry.device }
            }
            return false
        } catch {
            return false
        }
    }

    private static func encode(_ entry: Entry) -> [UInt8] {
        Array("\(entry.device) ".utf8) + entry.folder.bytes + [0]
    }

    /// Whatever lies behind the last zero byte was never finished.
    static func entries(in bytes: [UInt8]) -> [Entry] {
        guard let end = bytes.lastIndex(of: 0) else { return [] }
        return bytes[..<end].split(separator: 0).compactMap { record in
            guard let space = record.firstIndex(of: UInt8(ascii: " ")),
                let device = UInt64(String(decoding: record[..<space], as: UTF8.self))
            else { return nil }
            return Entry(device: device, folder: FileLocation(bytes: Array(record[(space + 1)...])))
        }
    }
}
