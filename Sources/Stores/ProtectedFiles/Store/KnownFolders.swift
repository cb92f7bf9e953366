// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing
import SecretMemory

/// The folders in which files are sealed under keys of a home (ProtectedFile.md, "Known folders"). Removing retired
/// class keys requires finding the files that need them.
final class KnownFolders: Sendable {
    private let home: FileLocation
    private let storesFolder: FileLocation
    private let path: FileLocation
    private let hooks: FileHooks
    /// Remembers that a list existed.
    private let record: StoreRecord
    private let keybag: Keybag
    private let state = Locked(State())

    private struct State {
        /// Folders that are in the list already.
        var noted: Set<Noted> = []
        var list = KnownList()
    }

    /// A path, and the folder that it led to: links and relative paths may lead to another one later. Bytes, since a
    /// location may hold its folder open.
    private struct Noted: Hashable {
        let path: [UInt8]
        let folder: FileIdentity
    }

    /// A folder's identity, and its path. `lost` and `severalMissing` are stored in the list like folders. No folder
    /// has their path or their device 0: the home's device, for which 0 is stored, is put back (`HomeWay.found`).
    struct Entry: Hashable, Sendable {
        let identity: FileIdentity
        let folder: FileLocation
    }

    static let name = "files"
    static let place = "stores/\(name)"
    private static let applicationID: UInt32 = 0x5A6D_6B66

    init(_ owner: Home, _ hooks: FileHooks) {
        home = FileLocation(owner.folder)
        keybag = owner.keybag
        record = owner.record(of: .files, Self.applicationID, Self.place)
        storesFolder = home.appending("stores")
        path = storesFolder.appending(Self.name)
        self.hooks = hooks
    }

    // MARK: Noting

    /// Adds the folder to the list, durably, before the first file in it is sealed. Costs one call if the folder is
    /// already listed.
    func note(_ folder: FileLocation) throws {
        // The folder itself, even if the path is a link.
        let status = try OpenFile.status(of: folder.appending("."), hooks)
        let noted = status.map { Noted(path: folder.bytes, folder: $0.identity) }
        try state.withLock { state in
            if let noted, state.noted.contains(noted) { return }
            let resolved = try hooks.resolve(folder)
            guard let status = try OpenFile.status(of: resolved, hooks) else { return }
            try add(Entry(identity: status.identity, folder: resolved), &state.list)
            if let noted, noted.folder == status.identity { state.noted.insert(noted) }
        }
    }

    func add(_ entry: Entry, _ list: inout KnownList) throws {
        let file = try locked()
        let doubt = try read(&list, file)
        let way = try HomeWay(home, hooks)
        guard !list.entries.contains(way.stored(entry)) else { return }
        guard doubt == nil || doubt == .recorded, list.end > 0, !list.isCrowded else {
            // A list that was lost or damaged may have named other folders.
            let known = list.order.map(way.found).filter { $0 != Self.lost } + (doubt == nil ? [] : [Self.lost])
            try rewrite((list.isCrowded ? compacted(known) : known) + [entry], list)
            list = KnownList()
            return
        }
        // Overwrites what a crash left after the last entry.
        if try file.status().size > list.end { try file.truncate(to: list.end) }
        let bytes = try list.appending(way.stored(entry), try key())
        try file.write(bytes, at: list.end)
        try file.syncData()
        try list.take(bytes, try key())
        record.remember(list.number, mark: list.mark)
    }

    private func key() throws -> Secret {
        try keybag.metadataKey(of: .none).derived(.knownFolders, keybag.homeIdentifier)
    }

    /// Reads what was added; returns why the list may be incomplete.
    private func read(_ list: inout KnownList, _ file: OpenFile?) throws -> Doubt? {
        // Writers write the list first, then the record, then the mark of a key. Read the other way round, none is
        // ahead of what is read later.
        let hasKeys = try keybag.hasFileKeys
        let known = try record.known()
        let isExpected = hasKeys || known != nil
        guard let file, try file.status().size > 0 else {
            list = KnownList()
            return isExpected ? .missing : nil
        }
        try list.read(file, try key())
        // A process that was killed while it created the first list has sealed nothing yet.
        guard isExpected else { return nil }
        guard list.end > 0 else { return .damaged }
        guard let known else { return .incomparable }
        guard list.hasReached(known) else { return list.hasMore ? .damaged : .older }
        return list.entries.contains(Self.lost) ? .recorded : nil
    }

    /// The list, locked exclusively; created if there is none.
    private func locked() throws -> OpenFile {
        while true {
            let file = try openOrMake()
            try file.lock(waiting: .seconds(10))
            // Another process may have replaced the list before we had the lock.
            if try OpenFile.status(of: path, hooks)?.inode == file.status().inode { return file }
        }
    }

    private func openOrMake() throws -> OpenFile {
        do {
            return try OpenFile.open(path, mode: .change, hooks: hooks)
        } catch let error {
            if !error.isMissing { throw error }
        }
        do { try OpenFile.makeFolder(storesFolder, hooks) } catch let error {
            if !error.isPresentAlready { throw error }
        }
        do {
            let file = try OpenFile.make(path, hooks)
            try hooks.syncFolder(storesFolder)
            try hooks.syncFolder(home)
            return file
        } catch let error {
            if !error.isPresentAlready { throw error }
        }
        return try OpenFile.open(path, mode: .change, hooks: hooks)
    }

    /// Replaces the list with one of these entries. `old` is the list as far as it was read; the caller holds its lock.
    func rewrite(_ entries: [Entry], _ old: KnownList) throws {
        let next = FileLocation(bytes: path.bytes + Array(".new".utf8))
        let known = try record.known()
        try hooks.remove(next)
        let file = try OpenFile.make(next, hooks)
        let way = try HomeWay(home, hooks)
        // No number is reused.
        let number = max(old.number, known?.revision ?? 0) + 1
        let (bytes, list) = try KnownList.encoded(entries.map(way.stored), above: number, try key())
        try file.write(bytes, at: 0)
        try file.sync()
        try hooks.rename(next, to: path, replacing: true)
        try hooks.syncFolder(storesFolder)
        record.remember(list.number, mark: list.mark, isNew: true)
        if known == nil { record.sync() }
    }

    // MARK: Looking

    /// All entries. If the list may be incomplete, they include `lost`, an entry without a location, so that every key
    /// is needed.
    func all() throws -> [Entry] { try examined().entries }

    /// Why the list may be incomplete; nil: it is complete.
    var doubt: Doubt? { get throws { try examined().doubt } }

    private func examined() throws -> (entries: [Entry], doubt: Doubt?) {
        var list = KnownList()
        let doubt = try read(&list, try opened())
        let entries = list.order.map(try HomeWay(home, hooks).found)
        return (doubt == nil || doubt == .recorded ? entries : entries + [Self.lost], doubt)
    }

    private func opened() throws -> OpenFile? {
        guard try OpenFile.status(of: path, hooks) != nil else { return nil }
        return try OpenFile.open(path, mode: .read, hooks: hooks)
    }

    /// Folders that are at none of their listed paths: removed, renamed, not mounted, or replaced by another folder.
    /// `lost` and `severalMissing` are among them if they are in the list.
    func missing() throws -> [Entry] {
        let all = try all()
        let there = Set(try all.filter(isThere).map(\.identity))
        return all.filter { !there.contains($0.identity) }
    }

    /// Whether the listed path still leads to the folder.
    func isThere(_ entry: Entry) throws -> Bool { try present(at: entry.folder)?.identity == entry.identity }

    /// The status of the folder that the path leads to now, through links.
    func present(at folder: FileLocation) throws -> FileStatus? {
        try OpenFile.status(of: folder.appending("."), hooks)
    }

    /// Drops folders permanently, at the user's request. The folders that have their paths now are added instead, since
    /// a device number may have changed. The list is begun anew as a complete one: any doubt ends.
    func drop(_ missing: [Entry]) throws {
        for entry in missing where try present(at: entry.folder) != nil { try note(entry.folder) }
        let file = try locked()
        var list = KnownList()
        _ = try read(&list, file)
        try rewrite(try list.order.map(HomeWay(home, hooks).found).filter { !missing.contains($0) }, list)
    }

    /// Represents folders that are not at their paths. Each may have been renamed, so they are forgotten only on the
    /// user's request.
    static let severalMissing = Entry(
        identity: FileIdentity(device: 0, inode: 0),
        folder: FileLocation("/(several folders that are not there any more)"))

    /// Represents the folders of a list that was lost or damaged.
    static let lost = Entry(
        identity: FileIdentity(device: 0, inode: 1),
        folder: FileLocation("/(folders of a list that was lost or damaged)"))

    /// The entries of existing folders, plus one entry that represents all folders that are gone.
    private func compacted(_ entries: [Entry]) -> [Entry] {
        let present = entries.filter { $0 != Self.severalMissing && !isGone($0) }
        let known = Set(present.map(\.identity))
        // A folder that is also listed under its new name is not missing.
        let isComplete = entries.allSatisfy { known.contains($0.identity) }
        return isComplete ? present : present + [Self.severalMissing]
    }

    /// Whether the folder was removed or renamed, and is not only on an unmounted file system. In that case what is
    /// left of its path is on another device.
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
}

extension KnownFolders {
    /// Why a list may not name every folder with files. Then every retired key is needed.
    enum Doubt {
        /// The list is missing or empty.
        case missing
        /// The list, or its end, was not written by this home.
        case damaged
        /// The list lacks entries at its end, or was restored from an older copy.
        case older
        /// The home has no record of the list's length.
        case incomparable
        /// The list was begun anew after one of these.
        case recorded
    }

    /// The command that stops keeping keys for files in missing folders.
    var removal: String { keybag.command("doctor", "--remove-retired-keys --forget-missing-folders") }

    /// The message for the user: which file is wrong, how, and what to do.
    func explanation(_ doubt: Doubt) -> String {
        let forgetting = "or, to keep no retired keys for files: \(removal)"
        let list = "\(path), the list of folders with protected files,"
        return switch doubt {
        case .missing: "\(list) is missing or empty, but this home had one; put it back, \(forgetting)"
        case .damaged: "\(list) is damaged, and may have named any folder; put it back, \(forgetting)"
        case .older: "\(list) is older than it was, or was cut; put the present one back, \(forgetting)"
        case .incomparable:
            "\(home.appending(StoreRecord.fileName)) doesn't say how long the list was, so that \(list) can't be told from an older one; put the \(StoreRecord.fileName) of before back, \(forgetting)"
        case .recorded:
            "\(list) was lost or damaged and has been begun anew; name the folders with protected files again: \(keybag.command("files rewrap")) DIRS..., then run: \(removal)"
        }
    }
}

/// Stores folders inside the home relative to it, so that they are still found when the home is moved.
struct HomeWay {
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
        // The device number of the home may change, so 0 represents it.
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
