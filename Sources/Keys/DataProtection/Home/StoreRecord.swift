// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory
import Statuses

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a home remembers about a store, outside the store's own file: that it exists, and how many writes it has taken
/// at least (Documentation/Formats/Keychain.md, "What the home remembers"). A store with fewer writes was lost,
/// restored to an earlier state, or lost its log.
///
/// All stores share one file. If it isn't whole (`Doubt`), a store may be gone that it named, and no key is removed.
///
/// The record is written after the commit, and synced only by `sync()`. It may lag behind the store, but is never ahead
/// of it.
package final class StoreRecord: Sendable {
    package static let fileName = "stores-seen"
    private static let magic: UInt32 = 0x7A6B_7331  // zks1
    /// The flag of a file that a store made, since the home had none.
    private static let begunAnew = 1
    private static let header = 64
    private static let entry = 80
    private static let stores = 8
    private static let size = header + 2 * stores * entry

    /// What the home remembers of a store.
    package struct Remembered: Sendable {
        /// How many writes the store has taken at least.
        package let revision: Int64
        package let flags: UInt32
        package let mark: [UInt8]
        /// The marks of both entries, this one's among them.
        package let marks: [[UInt8]]
    }

    /// The size of a mark: bytes that say more about the store's file than a number does. The store defines them;
    /// zeros: nothing.
    package static let markSize = 16
    private static let noMark = [UInt8](repeating: 0, count: markSize)

    private struct State {
        var file: OpenFile?
        /// The entry to write next: the lower one, once the entries were read. They alternate, so that an interrupted
        /// write leaves the other one.
        var next = 0
    }

    private let folder: HomeFolder
    private let keybag: Keybag
    private let offset: Int
    private let applicationID: UInt32
    /// The store's file in the home: "keychain.db", "stores/files".
    private let name: String
    private let state = Locked(State())

    fileprivate init(_ home: Home, counter: ChangeCounter, applicationID: UInt32, name: String) {
        folder = home.openFolder
        keybag = home.keybag
        offset = Self.offset(Int(counter.rawValue))
        self.applicationID = applicationID
        self.name = name
    }

    private static func offset(_ store: Int) -> Int { header + 2 * entry * store }

    /// What is remembered; nil if nothing is. An entry that does not verify counts as none. It also chooses the entry
    /// that is written next, so it comes before the first `remember`: otherwise that could overwrite the newest entry.
    package func known() throws(DataProtectionError) -> Remembered? {
        let entries = try DataProtectionError.mapping(about: folder.path) {
            // Each nil if it doesn't verify; none if there is no such file.
            try Self.entries(in: folder, keybag, at: offset).map { entry in
                entry.flatMap { $0.applicationID == applicationID && $0.name == name ? $0 : nil }
            }
        }
        let (first, second) = (entries.first ?? nil, entries.last ?? nil)
        let isSecondNext = if let first { second.map { Entry.isBelow($0, first) } ?? true } else { false }
        state.withLock { $0.next = isSecondNext ? 1 : 0 }
        let whole = entries.compactMap(\.self)
        return whole.max(by: Entry.isBelow).map {
            Remembered(revision: $0.revision, flags: $0.flags, mark: $0.mark, marks: whole.map(\.mark))
        }
    }

    /// The entry to write after the commit. It is made before, when keys are in use anyway; nil if they
    /// aren't available.
    package func note(_ revision: Int64, mark: [UInt8]) -> [UInt8]? { try? entry(revision, 0, mark) }

    /// Writes an entry after the commit. A failure to write it is not an error of the commit.
    package func remember(_ note: [UInt8]?) { if let note { try? write(note) } }

    package func remember(_ revision: Int64, mark: [UInt8]? = nil) {
        remember(note(revision, mark: mark ?? Self.noMark))
    }

    /// `isNew`: writes both entries, so that no entry of the same number has other flags.
    package func remember(_ revision: Int64, flags: UInt32 = 0, mark: [UInt8]? = nil, isNew: Bool) {
        for _ in 0..<(isNew ? 2 : 1) { remember(try? entry(revision, flags, mark ?? Self.noMark)) }
    }

    /// Makes what was remembered durable, for what a power cut must not undo.
    package func sync() { try? state.withLock { $0.file }?.sync() }

    /// Makes everything that was ever written to the store's database durable; false on failure.
    package func makeDurable() -> Bool {
        do {
            // The log first: pages that are checkpointed from it in the meantime are in the database file by then.
            for name in [name + "-wal", name] { try folder.openFile(name, .change)?.syncData() }
            return true
        } catch {
            return false
        }
    }

    /// Which file has a name in the home, and when it was last changed in any way.
    package struct FileMark: Equatable, Sendable {
        package static let codeSize = 8

        package let inode: UInt64
        let size: Int
        /// The time of the last status change (ctime), which no call can set.
        let changed: Int64

        package var isEmpty: Bool { size == 0 }

        /// Whether every later change has another time. Before Linux 6.13 changes within one tick, of 10 ms at most,
        /// have the same time. Some file systems store whole seconds.
        package var isExact: Bool { !hasWholeSeconds && !isWithinTick }
        package var hasWholeSeconds: Bool { changed % 1_000_000_000 == 0 }
        private let isWithinTick: Bool
        private static let longestTick: Int64 = 20_000_000

        /// `now`: the time at the latest when the status was read, in nanoseconds since 1970.
        init(_ status: FileStatus, now: Int64) {
            (inode, size, changed) = (status.inode, status.size, status.changed)
            isWithinTick = (now - changed).magnitude <= Self.longestTick
        }

        package var code: [UInt8] {
            var writer = ByteWriter(capacity: 24)
            for number in [Int64(bitPattern: inode), Int64(size), changed] { writer.integer(number) }
            return Array(Digest.sha256(writer.bytes).prefix(Self.codeSize))
        }
    }

    /// The mark of the store's file; nil if its status can't be read.
    package func fileMark() -> FileMark? {
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
        return (try? folder.status(of: name))?.map { FileMark($0, now: now) }
    }

    /// False only if there is no file of this name.
    package func isThere(_ name: String) -> Bool { (try? folder.exists(name)) ?? true }

    /// Seconds since the store's file was written to, for example by a checkpoint; nil if unknown.
    package func age() -> Int? {
        guard let status = try? folder.status(of: name) else { return nil }
        return Int(clamping: Int64(Date().timeIntervalSince1970) - status.modified / 1_000_000_000)
    }

    private func write(_ bytes: [UInt8]) throws {
        if state.withLock({ $0.file == nil }), let file = try open() { state.withLock { $0.file = file } }
        let (file, next) = state.withLock { state in
            defer { state.next = 1 - state.next }
            return (state.file, state.next)
        }
        guard let file else { return }
        try file.write(bytes, at: offset + next * Self.entry)
    }

    private func open() throws -> OpenFile? {
        if let file = try Self.usable(folder) { return file }
        try Self.begin(in: folder)
        return try Self.usable(folder)
    }

    private func entry(_ revision: Int64, _ flags: UInt32, _ mark: [UInt8]) throws -> [UInt8] {
        try Entry(applicationID: applicationID, flags: flags, name: name, revision: revision, mark: mark).encoded(
            try Self.key(keybag))
    }

    private static func key(_ keybag: Keybag) throws -> Secret {
        try keybag.metadataKey(of: .none).derived(.storeRecord, keybag.homeIdentifier)
    }
}

extension StoreRecord {
    /// Why the file may not name every store that the home has had. Then every retired key is needed.
    enum Doubt {
        case missing
        /// Of another size or beginning, or with a store of which no entry verifies.
        case damaged
        /// It was lost or damaged, and a store has begun it anew.
        case begunAnew

        func explanation(_ folder: HomeFolder) -> String {
            "\(folder.path)/\(StoreRecord.fileName) \(reason(folder))"
        }

        /// What is wrong with the file, and what to do.
        func reason(_ folder: HomeFolder) -> String {
            let what =
                switch self {
                case .missing: "is missing"
                case .damaged: "is damaged"
                case .begunAnew: "was lost or damaged, and has been begun anew"
                }
            return
                "\(what): it says which stores there are, so one may be gone unseen; put it back from a backup, or, if none is gone, run: \(folder.acceptCommand)"
        }
    }

    /// Nil: the file names every store.
    static func doubt(in folder: HomeFolder, _ keybag: Keybag) throws -> Doubt? {
        guard let bytes = try folder.read(fileName, limit: size) else { return .missing }
        let headers = [0, begunAnew].map { empty(flags: $0).prefix(header) }
        guard bytes.count == size, let flags = headers.firstIndex(of: bytes.prefix(header)) else { return .damaged }
        let key = try key(keybag)
        for store in 0..<stores {
            let written = (0..<2).map { bytes.dropFirst(offset(store) + $0 * entry).prefix(entry) }
                .filter { $0.contains { $0 != 0 } }
            guard try written.isEmpty || written.contains(where: { try Entry(Array($0), key) != nil }) else {
                return .damaged
            }
        }
        return flags == begunAnew ? .begunAnew : nil
    }

    /// Makes the file for a new home, durably, before its keybag: a home without it has lost it.
    static func make(in folder: HomeFolder) throws {
        if try !folder.exists(fileName) { try folder.replace(fileName, with: empty(flags: 0)) }
    }

    /// Ends the doubt at the user's request: what doesn't verify is given up.
    static func accept(in folder: HomeFolder, _ keybag: Keybag) throws {
        guard try doubt(in: folder, keybag) != nil else { return }
        let key = try key(keybag)
        if try usable(folder) == nil { try begin(in: folder) }
        guard let file = try usable(folder), let bytes = try folder.read(fileName, limit: size) else { return }
        for place in stride(from: header, to: size, by: entry) {
            guard try Entry(Array(bytes.dropFirst(place).prefix(entry)), key) == nil else { continue }
            try file.write([UInt8](repeating: 0, count: entry), at: place)
        }
        try file.write(Array(empty(flags: 0).prefix(header)), at: 0)
        try file.sync()
    }

    private static func usable(_ folder: HomeFolder) throws -> OpenFile? {
        guard let file = try folder.openFile(fileName, .change), try file.status().size == size else { return nil }
        return file
    }

    /// Makes the file where it was lost.
    private static func begin(in folder: HomeFolder) throws {
        try folder.withLock(KeybagFile.lockName) {
            // Nothing is left of a home that was erased meanwhile.
            guard try usable(folder) == nil, try folder.exists(KeybagFile.fileName) else { return }
            try folder.replace(fileName, with: empty(flags: begunAnew))
        }
    }

    private static func empty(flags: Int) -> [UInt8] {
        var writer = ByteWriter(capacity: size)
        writer.integer(magic)
        writer.integer(UInt32(flags))
        writer.append(repeatElement(0, count: size - 8))
        return writer.bytes
    }

    private struct Entry {
        static let nameSize = 16

        var applicationID: UInt32
        var flags: UInt32
        var name: String
        var revision: Int64
        var mark: [UInt8]

        static func isBelow(_ left: Entry, _ right: Entry) -> Bool {
            left.revision == right.revision
                ? left.mark.lexicographicallyPrecedes(right.mark) : left.revision < right.revision
        }

        func encoded(_ key: Secret) throws -> [UInt8] {
            var writer = ByteWriter(capacity: StoreRecord.entry)
            writer.integer(applicationID)
            writer.integer(flags)
            writer.integer(revision)
            let name = name.utf8.prefix(Self.nameSize)
            writer.append(name)
            writer.append(repeatElement(0, count: Self.nameSize - name.count))
            writer.append(mark)
            let code = try key.withSecretBytes { try KeyDerivation.authenticationCode(for: writer.bytes, under: $0) }
            return writer.bytes + code
        }

        /// Nil if the entry does not verify.
        init?(_ bytes: [UInt8], _ key: Secret) throws {
            var reader = ByteReader(bytes)
            let head = try reader.read(StoreRecord.entry - 32)
            let code = try reader.read(32)
            guard try key.withSecretBytes({ try KeyDerivation.isValid(code, for: head, under: $0) }) else { return nil }
            var fields = ByteReader(head)
            applicationID = try fields.integer()
            flags = try fields.integer()
            revision = try fields.integer()
            name = String(decoding: try fields.read(Self.nameSize).prefix { $0 != 0 }, as: UTF8.self)
            mark = try fields.read(StoreRecord.markSize)
            guard revision >= 0 else { return nil }
        }

        init(applicationID: UInt32, flags: UInt32, name: String, revision: Int64, mark: [UInt8]) {
            (self.applicationID, self.flags, self.name) = (applicationID, flags, name)
            (self.revision, self.mark) = (revision, mark)
        }
    }

    /// The two entries of a store; none if there is no such file.
    private static func entries(in folder: HomeFolder, _ keybag: Keybag, at offset: Int) throws -> [Entry?] {
        guard let bytes = try folder.read(fileName, limit: size), bytes.count == size else { return [] }
        let key = try key(keybag)
        return try (0..<2).map { try Entry(Array(bytes.dropFirst(offset + $0 * entry).prefix(entry)), key) }
    }

    /// The files of all stores that are remembered but missing or empty.
    static func missing(in folder: HomeFolder, _ keybag: Keybag) throws -> [String] {
        let names = try (0..<stores).flatMap { try entries(in: folder, keybag, at: offset($0)).compactMap(\.?.name) }
        return try Set(names).filter { try folder.isMissingOrEmpty($0) }.sorted()
    }
}

extension HomeFolder {
    /// `path`: the name of a file, or of a folder and a file in it.
    func isMissingOrEmpty(_ path: String) throws -> Bool {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return try status(of: path).map { $0.size == 0 } ?? true }
        return try folder(parts[0], making: false)?.isMissingOrEmpty(parts[1]) ?? true
    }
}

extension Home {
    /// What is remembered about the store with the file `name`, of at most 16 bytes, and the application
    /// id `applicationID`.
    package func record(of counter: ChangeCounter, _ applicationID: UInt32, _ name: String) -> StoreRecord {
        StoreRecord(self, counter: counter, applicationID: applicationID, name: name)
    }

    /// The files of stores that this home remembers but that are missing or empty. Errors: as opening a store.
    package func missingStores() throws(DataProtectionError) -> [String] {
        try DataProtectionError.mapping(about: folder) { try StoreRecord.missing(in: openFolder, keybag) }
    }

    /// Why `stores-seen` may not name every store that this home has had, for the user; nil: it does. Errors: as
    /// opening a store.
    package func doubtAboutStores() throws(DataProtectionError) -> String? {
        try DataProtectionError.mapping(about: folder) {
            try StoreRecord.doubt(in: openFolder, keybag)?.explanation(openFolder)
        }
    }

    /// Whether the store with the file `name` is sure never to have been written. Errors: as opening a store.
    package func neverHad(_ name: String) throws(DataProtectionError) -> Bool {
        guard try isMissingOrEmpty(name), try doubtAboutStores() == nil else { return false }
        return try !missingStores().contains(name)
    }

    /// Accepts that stores are gone of which `stores-seen` can't tell any more. Only at the user's request.
    package func acceptStores() throws(DataProtectionError) {
        try DataProtectionError.mapping(about: folder) { try StoreRecord.accept(in: openFolder, keybag) }
    }

    /// Whether a file of a store is missing or empty. Errors: `.unsafeHome`, `.io`.
    package func isMissingOrEmpty(_ name: String) throws(DataProtectionError) -> Bool {
        do { return try openFolder.isMissingOrEmpty(name) } catch {
            throw DataProtectionError(error, about: folder)
        }
    }
}
