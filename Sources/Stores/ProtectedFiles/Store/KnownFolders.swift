// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import SecretMemory

/// The folders in which files are sealed under keys of a home (ProtectedFile.md, "Known folders"): whoever removes
/// retired class keys must find the files that need them.
final class KnownFolders: Sendable {
    private let home: FileLocation
    private let folder: FileLocation
    private let path: FileLocation
    private let hooks: FileHooks
    /// Remembers that there was a list.
    private let record: StoreRecord
    private let keybag: Keybag
    private let state = Locked(State())

    private struct State {
        var isRemembered = false
        /// Folders that are in the file already.
        var noted: Set<Noted> = []
        var list = KnownList()
    }

    /// A path, and the folder that it led to: links and relative paths may lead to another one later.
    private struct Noted: Hashable {
        let path: FileLocation
        let folder: FileIdentity
    }

    /// A folder's identity, and its path.
    struct Entry: Hashable, Sendable {
        let identity: FileIdentity
        let folder: FileLocation
    }

    static let name = "files"
    static let place = "stores/\(name)"
    private static let applicationID: UInt32 = 0x5A6D_6B66
    private static let sizeLimit = 1 << 26

    init(_ owner: Home, _ hooks: FileHooks) {
        home = FileLocation(owner.folder)
        keybag = owner.keybag
        record = owner.record(of: .files, Self.applicationID, Self.place)
        folder = home.appending("stores")
        path = folder.appending(Self.name)
        self.hooks = hooks
    }

    // MARK: Noting

    /// Notes the folder, durably, before the first file of it is sealed. Costs one call where it was noted already.
    func note(_ folder: FileLocation) throws {
        // The folder itself, where the path is a link.
        let status = try OpenFile.status(of: folder.appending("."), hooks)
        let noted = status.map { Noted(path: folder, folder: $0.identity) }
        try state.withLock { state in
            if let noted, state.noted.contains(noted) { return }
            let resolved = try hooks.resolve(folder)
            guard let status = try OpenFile.status(of: resolved, hooks) else { return }
            try add(Entry(identity: status.identity, folder: resolved), &state.list)
            if !state.isRemembered {
                if try record.lowerBound() == nil { record.remember(1) }
                state.isRemembered = true
            }
            if let noted, noted.folder == status.identity { state.noted.insert(noted) }
        }
    }

    private func add(_ entry: Entry, _ list: inout KnownList) throws {
        let file = try locked()
        try list.read(file, limit: Self.sizeLimit)
        let way = try HomeWay(home, hooks)
        guard !list.entries.contains(way.stored(entry)) else { return }
        if list.isCrowded {
            let kept = compacted(list.order.map(way.found)) + [entry]
            list = KnownList()
            return try rewrite(kept)
        }
        // A list that was lost may have named other folders. What a crash left after the last zero byte is written over.
        let isAnew = try list.end == 0 && isKnown
        let bytes = (isAnew ? Self.encode(Self.severalMissing) : []) + Self.encode(way.stored(entry))
        try file.write(bytes, at: list.end)
        try file.syncData()
        list.take(bytes)
    }

    /// The list, locked exclusively; made where there is none.
    private func locked() throws -> OpenFile {
        while true {
            let file = try openOrMake()
            try file.lock(waiting: .seconds(10))
            // Somebody may have replaced it before we had the lock.
            if try OpenFile.status(of: path, hooks)?.inode == file.status().inode { return file }
        }
    }

    private func openOrMake() throws -> OpenFile {
        do {
            return try OpenFile.open(path, mode: .change, hooks: hooks)
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
        return try OpenFile.open(path, mode: .change, hooks: hooks)
    }

    /// Replaces the list by one of these entries; the old one's lock is held.
    private func rewrite(_ entries: [Entry]) throws {
        let next = FileLocation(bytes: path.bytes + Array(".new".utf8))
        try hooks.remove(next)
        let file = try OpenFile.make(next, hooks)
        let way = try HomeWay(home, hooks)
        try file.write(KnownList.kept(entries.count) + entries.flatMap { Self.encode(way.stored($0)) }, at: 0)
        try file.sync()
        try hooks.rename(next, to: path, replacing: true)
        try hooks.syncFolder(folder)
    }

    // MARK: Looking

    /// All entries; if the list was lost, one that stands for several missing folders.
    func all() throws -> [Entry] {
        if try isLost { return [Self.severalMissing] }
        guard try OpenFile.status(of: path, hooks) != nil else { return [] }
        return try entries(of: try OpenFile.open(path, mode: .read, hooks: hooks))
    }

    /// Whether there was a list and it is gone.
    var isLost: Bool {
        get throws {
            if let status = try OpenFile.status(of: path, hooks), status.size > 0 { return false }
            return try isKnown
        }
    }

    /// Whether the home remembers that there was a list, or that there are files.
    private var isKnown: Bool { get throws { try record.lowerBound() != nil || keybag.hasFileKeys } }

    /// Those that are at none of the places where they were noted: removed, renamed, not mounted, or another folder has the name.
    func missing() throws -> [Entry] {
        let all = try all()
        let there = Set(try all.filter(isThere).map(\.identity))
        return all.filter { !there.contains($0.identity) }
    }

    /// Whether the noted path still leads to the folder.
    func isThere(_ entry: Entry) throws -> Bool { try present(at: entry.folder)?.identity == entry.identity }

    /// The status of what the path leads to now, through links.
    func present(at folder: FileLocation) throws -> FileStatus? {
        try OpenFile.status(of: folder.appending("."), hooks)
    }

    private func entries(of file: OpenFile) throws -> [Entry] {
        var list = KnownList()
        try list.read(file, limit: Self.sizeLimit)
        return list.order.map(try HomeWay(home, hooks).found)
    }

    /// Drops folders, for good. The folders that have their names now are noted instead: the number of a device may have changed.
    func drop(_ missing: [Entry]) throws {
        for entry in missing where try present(at: entry.folder) != nil { try note(entry.folder) }
        let file = try locked()
        try rewrite(try entries(of: file).filter { !missing.contains($0) })
    }

    /// Stands for folders that are not where they were: each may have been renamed, so they are forgotten only on a person's request.
    static let severalMissing = Entry(
        identity: FileIdentity(device: 0, inode: 0),
        folder: FileLocation("/(several folders that are not there any more)"))

    /// The entries without those of folders that are gone, for which one entry stands.
    private func compacted(_ entries: [Entry]) -> [Entry] {
        let present = entries.filter { $0 != Self.severalMissing && !isGone($0) }
        let known = Set(present.map(\.identity))
        // A folder that is also noted under its new name is not missing.
        let isComplete = entries.allSatisfy { known.contains($0.identity) }
        return isComplete ? present : present + [Self.severalMissing]
    }

    /// Whether the folder was removed or renamed, and does not just lie on something that is not mounted now: then what is left of
    /// its path is on another device.
    func isGone(_ entry: Entry) -> Bool {
        var folder = entry.folder
        do {
            if let status = try present(at: folder) {
                return status.identity != entry.identity && status.device == entry.identity.device
            }
            while folder.folder != folder {
                folder = folder.folder
                if let status = try OpenFile.status(of: folder, hooks) {
                    return status.device == entry.identity.device
                }
            }
            return false
        } catch {
            return false
        }
    }

    private static func encode(_ entry: Entry) -> [UInt8] {
        Array("\(entry.identity.device) \(entry.identity.inode) ".utf8) + entry.folder.bytes + [0]
    }
}

/// How folders in the home itself are noted: relative to the home, so that they are still found when it is moved.
private struct HomeWay {
    static let beginning = Array("./".utf8)
    private let home: [UInt8]
    private let device: UInt64

    init(_ home: FileLocation, _ hooks: FileHooks) throws {
        let resolved = try hooks.resolve(home)
        self.home = resolved.bytes + Array("/".utf8)
        device = try OpenFile.status(of: resolved, hooks)?.device ?? 0
    }

    func stored(_ entry: KnownFolders.Entry) -> KnownFolders.Entry {
        guard entry.folder.bytes.starts(with: home) else { return entry }
        // The home's own device may have another number tomorrow, and 0 stands for it.
        let device = entry.identity.device == device ? 0 : entry.identity.device
        return KnownFolders.Entry(
            identity: FileIdentity(device: device, inode: entry.identity.inode),
            folder: FileLocation(bytes: Self.beginning + entry.folder.bytes.dropFirst(home.count)))
    }

    func found(_ entry: KnownFolders.Entry) -> KnownFolders.Entry {
        guard entry.folder.bytes.starts(with: Self.beginning) else { return entry }
        let device = entry.identity.device == 0 ? device : entry.identity.device
        return KnownFolders.Entry(
            identity: FileIdentity(device: device, inode: entry.identity.inode),
            folder: FileLocation(bytes: home + entry.folder.bytes.dropFirst(Self.beginning.count)))
    }
}

/// The list as far as it was read: what others add is read on from there.
struct KnownList {
    private(set) var entries: Set<KnownFolders.Entry> = []
    private(set) var order: [KnownFolders.Entry] = []
    /// The end of the last entry.
    private(set) var end = 0
    private var inode: UInt64 = 0
    private var kept = 0
    /// What was read last, to recognise another list with the same inode number.
    private var last: [UInt8] = []

    private static let fewEntries = 512
    private static let mark = UInt8(ascii: "#")

    /// Whether there are twice as many entries as when those of missing folders were last dropped: so the cost of dropping is shared by the entries added since.
    var isCrowded: Bool { order.count >= Self.fewEntries && order.count / 2 >= kept }

    /// The beginning of a list, which says how many entries were kept.
    static func kept(_ count: Int) -> [UInt8] { Array("#\(count)".utf8) + [0] }

    /// Reads what was added since the last time, or all of another list.
    mutating func read(_ file: OpenFile, limit: Int) throws {
        let status = try file.status()
        if status.inode != inode || status.size < end {
            self = KnownList()
            inode = status.inode
        }
        let begin = end - last.count
        let bytes = try file.read(count: max(0, min(status.size, limit) - begin), at: begin)
        if bytes.starts(with: last) { return take(Array(bytes.dropFirst(last.count))) }
        self = KnownList()
        inode = status.inode
        take(try file.read(count: min(status.size, limit), at: 0))
    }

    /// Bytes after the last zero byte were never finished.
    mutating func take(_ bytes: [UInt8]) {
        guard let zero = bytes.lastIndex(of: 0) else { return }
        for record in bytes[..<zero].split(separator: 0) {
            if record.first == Self.mark {
                kept = Int(String(decoding: record.dropFirst(), as: UTF8.self)) ?? 0
            } else {
                // One that can't be read may have named any folder.
                let entry = Self.entry(record) ?? KnownFolders.severalMissing
                if entries.insert(entry).inserted { order.append(entry) }
            }
        }
        end += zero + 1
        last = Array(bytes[...zero].suffix(64))
    }

    private static func entry(_ record: ArraySlice<UInt8>) -> KnownFolders.Entry? {
        let parts = record.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        let numbers = parts.prefix(2).compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        guard parts.count == 3, numbers.count == 2,
            parts[2].first == UInt8(ascii: "/") || parts[2].starts(with: HomeWay.beginning)
        else { return nil }
        return KnownFolders.Entry(
            identity: FileIdentity(device: numbers[0], inode: numbers[1]),
            folder: FileLocation(bytes: Array(parts[2])))
    }
}
