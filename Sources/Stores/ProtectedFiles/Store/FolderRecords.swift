// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import SecretMemory

/// The records of folders (Documentation/Formats/FolderIndex.md). They are checked at each use, and parsed only when
/// they changed.
final class FolderRecords: Sendable {
    let keybag: Keybag
    let hooks: FileHooks
    let locks: FolderLocks
    let boundary: HomeBoundary
    private let state = Locked(State())
    private let open = Locked(OpenRecord())
    private static let cacheLimit = 1024

    private struct State {
        var parsed: [FileIdentity: Parsed] = [:]
        /// The settings in force in folders whose files were already checked for other remembered records.
        var checked: [FileIdentity: FolderMemory] = [:]
        /// How many runs are in progress. In a run, a change is completed together with the next one.
        var runs = 0
        var incomplete: Incomplete?
    }

    /// A finished change that its folder's record still lists as in progress.
    private struct Incomplete {
        let folder: FileLocation
        /// The identity of the record.
        let identity: FileIdentity
        let intents: [Intent]
    }

    /// A file that is about to change from one state to another.
    private struct Intent {
        let name: [UInt8]
        let from: FileState
        let to: FileState

        var entry: FolderRecord.Entry { .intent(name: name, from: from, to: to) }
        var completion: FolderRecord.Entry { to == .absent ? .gone(name: name) : .known(name: name, to) }

        /// Whether the record has no later entry for this name.
        func isLast(in record: FolderRecord) -> Bool { record.files[name] == FolderRecord.Known(state: from, next: to) }
    }

    /// The record that a run changes. It stays open between changes, so that its growth and its seals are
    /// announced once.
    private struct OpenRecord: ~Copyable {
        var identity: FileIdentity?
        var file: SealedFile?

        /// Takes the open file if it is that of the wanted record; nil takes any.
        mutating func take(_ wanted: FileIdentity?) -> SealedFile? {
            guard wanted == nil || wanted == identity else { return nil }
            var taken: SealedFile?
            swap(&taken, &file)
            return taken
        }
    }

    /// A record as it was read.
    struct Parsed: Sendable {
        let record: FolderRecord
        /// The beginning of its file, which differs for every state.
        let slots: [UInt8]
        /// The shared page's change counter before it was read.
        let changes: UInt64
    }

    init(_ home: Home, boundary: HomeBoundary, hooks: FileHooks) {
        self.boundary = boundary
        keybag = home.keybag
        self.hooks = hooks
        locks = FolderLocks(home: FileLocation(home.folder), hooks)
    }

    private func path(_ folder: FileLocation) -> FileLocation { folder.appending(FolderRecord.fileName) }

    // MARK: Looking

    /// The folder's record; nil where no valid one exists.
    func record(of folder: FileLocation) throws -> FolderRecord? { try parsed(folder)?.record }

    /// Like `record(of:)`. `rereading`: read even if the shared page reports no change, since writers update that
    /// page last.
    func parsed(_ folder: FileLocation, rereading: Bool = false) throws -> Parsed? {
        let path = path(folder)
        guard try OpenFile.status(of: path, hooks) != nil,
            try OpenFile.status(of: folder.appending("."), hooks)?.isOurs == true
        else { return nil }
        return try look(path, in: nil, path, rereading: rereading)
    }

    /// The record at `name`, relative to the folder `base`; `shown` is its path for messages.
    func look(
        _ name: FileLocation, in base: OpenFile?, _ shown: FileLocation, rereading: Bool = false
    ) throws -> Parsed? {
        for _ in 0..<100 {
            guard let status = try OpenFile.status(of: name, hooks, in: base), status.isOurs else { return nil }
            try Self.check(status, shown)
            let identity = status.identity
            let changes = keybag.changeCount(.files)
            let known = state.withLock { $0.parsed[identity] }
            if !rereading, let known, known.changes == changes { return known }
            let file = try OpenFile.open(name, mode: .read, hooks: hooks, in: base, named: shown)
            // Another record may have replaced it since.
            guard try file.status().identity == identity else { continue }
            if let known, try file.read(count: HeaderPage.size, at: 0) == known.slots {
                return keep(known.record, slots: known.slots, identity: identity, changes: changes)
            }
            do {
                var sealed = try SealedFile.verify(file, keybag)
                let record = try Self.parse(&sealed)
                return keep(record, slots: sealed.slots, identity: identity, changes: changes)
            } catch {
                throw Self.naming(shown, error)
            }
        }
        throw ProtectedFileError(.busy, "\(shown) is exchanged faster than it can be read; try again")
    }

    /// Refuses a record that other users may change, and anything but a regular file, which Zamok never creates there.
    private static func check(_ status: FileStatus, _ path: FileLocation) throws {
        guard status.kind == .file else {
            throw ProtectedFileError(
                .folderRecord, "\(path) should be the folder's record, and is not a regular file: remove it")
        }
        guard status.permissions & 0o022 == 0 else {
            throw ProtectedFileError(
                .folderRecord,
                "\(path), the folder's record, can be written by others and doesn't count: run chmod 600 on it, or remove it"
            )
        }
    }

    /// Makes the error name the record, regardless of the file that was requested.
    private static func naming(_ path: FileLocation, _ error: any Error) -> ProtectedFileError {
        let error = ProtectedFileError(error, about: "\(path)")
        let remedy =
            "put it back from a backup; or do without it: remove it, and run zamok files index \(path.folder.shellWord) --adopt if it had an index"
        if error.code == .notProtected {
            return ProtectedFileError(
                .folderRecord, "\(path), the folder's record, was emptied or written over: \(remedy)", cause: error)
        }
        // Other damage has a remedy of its own, which keeps the record.
        if error.code == .damaged, error.message.hasSuffix(ProtectedFileError.restore) {
            let what = error.message.dropLast(ProtectedFileError.restore.count)
            return ProtectedFileError(.damaged, "\(what)It is the folder's record: \(remedy)", cause: error)
        }
        guard error.code == .keyDestroyed || error.code == .foreign else { return error }
        let text =
            error.code == .foreign
            ? "belongs to another home, or to another user: name that one with ZAMOK_HOME or --user. Only if no program uses the "
                + "folder with it any more, remove the record; then it has no default class and no index"
            : "was sealed for a class key that is gone: remove the record to use the folder without default class and index"
        return ProtectedFileError(
            error.code, "\(path), the folder's record, \(text)", cause: error, owner: error.owner)
    }

    @discardableResult
    private func keep(
        _ record: FolderRecord, slots: [UInt8], identity: FileIdentity, changes: UInt64
    ) -> Parsed {
        let parsed = Parsed(record: record, slots: slots, changes: changes)
        state.withLock { state in
            if state.parsed.count >= Self.cacheLimit { state.parsed.removeAll() }
            state.parsed[identity] = parsed
        }
        return parsed
    }

    private static func parse(_ file: inout SealedFile) throws -> FolderRecord {
        guard file.header.protection == .none else {
            throw ProtectedFileError.damaged("\(file.path)", "it is not of class none")
        }
        guard file.length <= FolderRecord.contentLimit else {
            throw ProtectedFileError.damaged("\(file.path)", "it is longer than any record")
        }
        var content: [UInt8] = []
        // Reads all of it in one consistent state; it may grow meanwhile.
        try file.read(into: &content, count: .max, at: 0)
        if FolderRecord.isNewer(content) {
            throw ProtectedFileError(
                .newerFormat, "\(file.path) was written by a newer version; update Zamok to use it"
            )
        }
        do { return try FolderRecord(content) } catch {
            throw ProtectedFileError.damaged("\(file.path)", "its records break the format")
        }
    }

    /// The index of a folder; nil where it has none.
    func indexed(_ folder: FileLocation) throws -> FolderIndex? {
        guard let parsed = try parsed(folder), parsed.record.isIndexed else { return nil }
        return FolderIndex(folder: folder, parsed: parsed, records: self)
    }

    /// Whether the files of a folder were already checked for other remembered records, with the same settings
    /// in force.
    func wasChecked(_ folder: FileIdentity, _ memory: FolderMemory) -> Bool {
        state.withLock { $0.checked[folder] == memory }
    }

    func noteChecked(_ folder: FileIdentity, _ memory: FolderMemory) {
        state.withLock { state in
            if state.checked.count >= Self.cacheLimit { state.checked.removeAll() }
            state.checked[folder] = memory
        }
    }

    // MARK: Changing

    /// Runs `body` with the folder's index, nil where it has none. Meanwhile no process changes the index or a file
    /// that it lists.
    func settled<R>(_ folder: FileLocation, _ body: (FolderRecord?) throws -> R) throws -> R {
        let lock = try locks.lock(folder, alone: true)
        defer { withExtendedLifetime(lock) {} }
        return try body(parsed(folder, rereading: true).flatMap { $0.record.isIndexed ? $0.record : nil })
    }

    /// Runs `body`, which brings the named files into these states, and updates the index before and after it. If the
    /// folder has no index, no process creates one meanwhile.
    func changing(_ folder: FileLocation, states: [[UInt8]: FileState], _ body: () throws -> Void) throws {
        guard states[FolderRecord.fileName] == nil else { return try body() }
        try complete(except: folder)
        var isIndexed = try record(of: folder)?.isIndexed == true
        while true {
            let lock = try locks.lock(folder, alone: isIndexed)
            defer { withExtendedLifetime(lock) {} }
            let record = try parsed(folder, rereading: true)?.record
            guard let record, record.isIndexed else { return try body() }
            if isIndexed { return try changing(folder, states: states, record: record, body) }
            isIndexed = true
        }
    }

    private func changing(
        _ folder: FileLocation, states: [[UInt8]: FileState], record: FolderRecord, _ body: () throws -> Void
    ) throws {
        let intents = states.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { name, state in
            Intent(name: name, from: present(name, folder: folder, record: record), to: state)
        }
        let identity = try append(intents.map(\.entry), to: folder)
        try body()
        let isLeft = state.withLock { state in
            guard state.runs > 0, state.incomplete == nil else { return false }
            state.incomplete = Incomplete(folder: folder, identity: identity, intents: intents)
            return true
        }
        if !isLeft { try append(intents.map(\.completion), to: folder) }
    }

    /// Runs `body`, which changes many files. The completion of each change is committed together with the next change
    /// in its folder, and the last one at the end.
    func completingLater<R>(_ body: () throws -> R) throws -> R {
        state.withLock { $0.runs += 1 }
        let result = Result { try body() }
        state.withLock { $0.runs -= 1 }
        let completed = Result { try complete() }
        let settled = Result {
            guard var file = open.withLock({ $0.take(nil) }) else { return }
            try file.settle()
        }
        let value = try result.get()
        try completed.get()
        try settled.get()
        return value
    }

    /// Completes the pending change, unless it is in this folder.
    private func complete(except folder: FileLocation? = nil) throws {
        guard state.withLock({ $0.incomplete != nil }) else { return }
        let identity = try folder.flatMap { try OpenFile.status(of: path($0), hooks)?.identity }
        let left = state.withLock { state -> Incomplete? in
            guard let left = state.incomplete, left.identity != identity else { return nil }
            state.incomplete = nil
            return left
        }
        guard let left else { return }
        let lock = try locks.lock(left.folder, alone: true)
        defer { withExtendedLifetime(lock) {} }
        // Otherwise the record was removed or exchanged meanwhile.
        guard let record = try parsed(left.folder, rereading: true)?.record else { return }
        let entries = left.intents.filter { $0.isLast(in: record) }.map(\.completion)
        if !entries.isEmpty { try append(entries, to: left.folder) }
    }

    /// The state that a file is in now, if the index admits it.
    private func present(_ name: [UInt8], folder: FileLocation, record: FolderRecord) -> FileState {
        let known = record.files[name] ?? FolderRecord.Known(state: .absent)
        let path = folder.appending(name)
        guard let file = try? OpenFile.open(path, mode: .look, hooks: hooks),
            let page = try? SealedFile.settled(file, { try HeaderPage($0, path) })
        else { return known.admits(.absent) ? .absent : known.state }
        let found = FileState(page.claimed)
        return known.admits(found) ? found : known.state
    }

    /// Keeps the record open for the next change of a run, and settles the record that was open before.
    private func keepOpen(_ file: consuming SealedFile, _ identity: FileIdentity) throws {
        var other: SealedFile? = file
        open.withLock { open in
            swap(&other, &open.file)
            open.identity = identity
        }
        try other?.settle()
    }

    /// Adds entries to a folder's record in one durable commit, preceded by the completion of its pending change.
    /// Returns the record's identity.
    @discardableResult
    func append(_ entries: [FolderRecord.Entry], to folder: FileLocation) throws -> FileIdentity {
        let kept = try OpenFile.status(of: path(folder), hooks).flatMap { status in
            open.withLock { $0.take(status.identity) }
        }
        var file = try kept ?? SealedFile.open(path(folder), mode: .change, keybag: keybag, hooks: hooks)
        let identity = try file.file.status().identity
        let known = state.withLock { $0.parsed[identity] }
        let slots = file.slots
        try file.beginChange()
        do {
            var record = if let known, known.slots == slots { known.record } else { try Self.parse(&file) }
            let left = state.withLock { $0.incomplete?.identity == identity ? $0.incomplete?.intents : nil } ?? []
            let entries = left.filter { $0.isLast(in: record) }.map(\.completion) + entries
            for entry in entries { record.apply(entry) }
            var content = entries.flatMap(FolderRecord.encode)
            if record.isSparse {
                content = record.compact
                record = try FolderRecord(content)
                try file.setLength(0)
            }
            let end = file.length
            guard end + content.count <= FolderRecord.contentLimit else {
                throw ProtectedFileError(.tooLarge, "\(path(folder)): the folder has more names than an index can hold")
            }
            try content.withSpan(content.count) { try file.write($0, at: end) }
            try file.commit()
            if state.withLock({ $0.runs == 0 }) { try file.settle() }
            keep(record, slots: file.slots, identity: identity, changes: keybag.changeCount(.files))
            state.withLock { if $0.incomplete?.identity == identity { $0.incomplete = nil } }
        } catch {
            file.abandon()
            throw error
        }
        if state.withLock({ $0.runs > 0 }) { try keepOpen(file, identity) }
        return identity
    }
}
