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
    /// By which it is known that there was a list.
    private let record: StoreRecord
    private let keybag: Keybag
    private let state = Locked(State())

    private struct State {
        var isRemembered = false
        /// Folders that are in the file already.
        var noted: Set<Noted> = []
        var list = KnownList()
    }

    /// A path, and what it meant: links and relative paths may come to mean another folder.
    private struct Noted: Hashable {
        let path: FileLocation
        let folder: FileIdentity
    }

    /// A folder, as which it was known there, and where.
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
        // A list that was lost may have named other folders. What a crash left behind the last zero byte is written over.
        let isAnew = try list.end == 0 && isKnown
        let bytes = (isAnew ? Self.encode(Self.severalMissing) : []) + Self.encode(way.stored(entry))
        try file.write(bytes, at: list.end)
        try file.syncData()
        list.take(bytes)
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

    /// Puts a list of these in the place of the old one; the old one's lock is held.
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

    /// All of them; of a list that was lost, that there were some.
    func all() throws -> [Entry] {
        if try isLost { return [Self.severalMissing] }
        guard try OpenFile.status(of: path, hooks) != nil else { return [] }
        return try entries(of: try OpenFile.open(path, mode: .read, hooks: hooks))
    }

    /// Whether there was a list, and there is none.
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

    /// Whether the folder that was noted is what its path means now.
    private func isThere(_ entry: Entry) throws -> Bool { try present(at: entry.folder)?.identity == entry.identity }

    /// What the path means now, through links.
    func present(at folder: FileLocation) throws -> FileStatus? {
        try OpenFile.status(of: folder.appending("."), hooks)
    }

    private func entries(of file: OpenFile) throws -> [Entry] {
        var list = KnownList()
        try list.read(file, limit: Self.sizeLimit)
        return list.order.map(try HomeWay(home, hooks).found)
    }

    /// Drops folders, for good. What has their names now is noted in their stead: the number of a device may be another one than it was.
    func drop(_ missing: [Entry]) throws {
        for entry in missing where try present(at: entry.folder) != nil { try note(entry.folder) }
        let file = try locked()
        try rewrite(try entries(of: file).filter { !missing.contains($0) })
    }

    /// Stands for folders that are not where they were: each may have been renamed, so that they are forgotten only by a person's word.
    static let severalMissing = Entry(
        identity: FileIdentity(device: 0, inode: 0),
        folder: FileLocation("/(several folders that are not there any more)"))

    /// Without the folders that are gone, which leave one entry for all.
    private func compacted(_ entries: [Entry]) -> [Entry] {
        let present = entries.filter { $0 != Self.severalMissing && !isGone($0) }
        let known = Set(present.map(\.identity))
        // One that is noted under its new name, too, is not missing.
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

/// How folders in the home itself are noted: from the home on, so that they are where they were when the home is moved.
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
    /// Behind the last entry.
    private(set) var end = 0
    private var inode: UInt64 = 0
    private var kept = 0
    /// What was read last: another list may have the same number.
    private var last: [UInt8] = []

    private static let fewEntries = 512
    private static let mark = UInt8(ascii: "#")

    /// Twice as many as when those of folders that are gone were dropped last: what dropping costs is paid by the entries between.
    var isCrowded: Bool { order.count >= Self.fewEntries && order.count / 2 >= kept }

    /// Says at the beginning of a list how many were kept.
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

    /// Whatever lies behind the last zero byte was never finished.
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
