// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import Files
import ProtectedFiles
import SecretMemory

/// The sealed records of moves, as protected files of class `complete` in the folder `files/.moved` of the home.
package final class MoveVault: Sendable {
    /// How far a move is. It is the end of the record's name, so that one rename changes it.
    package enum State: String, Sendable, CaseIterable {
        /// The files may have been replaced, or not yet.
        case begun
        /// All files are replaced.
        case moved
        /// It is being undone.
        case undoing
    }

    /// A record that is there.
    package struct Entry: Sendable {
        package let move: SealedMove
        package let state: State
    }

    /// A failure of the vault itself.
    package struct Failure: Error {
        package enum Reason: Sendable { case busy, damaged, gone }
        package let reason: Reason
        package let message: String
    }

    private let store: ProtectedFileStore
    private let folder: FileLocation
    private let hooks: FileHooks

    package init(home: Home, hooks: FileHooks = FileHooks()) {
        var configuration = ProtectedFileStore.Configuration()
        configuration.hooks = hooks
        store = ProtectedFileStore(home: home, configuration: configuration)
        folder = FileLocation(home.folder).appending("files").appending(".moved")
        self.hooks = hooks
    }

    /// Keeps other moves away until the result is released. Makes the folder. Errors: `.busy` after 10 s.
    package func lock() throws -> OpenFile {
        for each in [folder.folder, folder] where try OpenFile.status(of: each, hooks) == nil {
            do throws(FileError) { try OpenFile.makeFolder(each, hooks) } catch {
                guard error.isPresentAlready else { throw error }
            }
            try hooks.syncFolder(each.folder)
        }
        let lock = try OpenFile.open(folder, mode: .folder, hooks: hooks)
        do throws(FileError) { try lock.lock(waiting: .seconds(10)) } catch {
            guard error.operation == .lock else { throw error }
            throw Failure(reason: .busy, message: "another move is being done; nothing was changed; try again")
        }
        return lock
    }

    /// All records that are whole, the oldest first. Errors: `.locked` and others of `ProtectedFileStore.read`.
    package func entries() throws -> [Entry] { try read().entries }

    /// The paths of records that are not whole. They keep no other move from being undone. Errors: as for
    /// ``entries()``.
    package func damaged() throws -> [FileLocation] { try read().damaged }

    /// Both, read once.
    func read() throws -> (entries: [Entry], damaged: [FileLocation]) {
        var (entries, damaged): ([Entry], [FileLocation]) = ([], [])
        for (name, state) in try names() {
            do {
                let bytes = try store.read(from: folder.appending(name))
                entries.append(Entry(move: try Self.whole(try SealedMove.read(bytes), name).move, state: state))
            } catch let error as ProtectedFileError where [.damaged, .notProtected].contains(error.code) {
                damaged.append(folder.appending(name))
            } catch let failure as Failure where failure.reason == .damaged {
                damaged.append(folder.appending(name))
            }
        }
        return (entries, damaged)
    }

    /// What a record has besides the names. Errors: as for ``entries()``.
    func contents(of entry: Entry) throws -> SealedMove.Contents {
        let name = Self.name(entry.move, entry.state)
        var bytes = try store.read(from: folder.appending(name))
        defer { bytes.wipe() }
        return try Self.whole(try SealedMove.read(bytes), name).contents
    }

    /// Seals a record, durably, and reads it back.
    func begin(_ move: SealedMove, contents: [[UInt8]]) throws {
        var bytes = try move.bytes(with: contents)
        defer { bytes.wipe() }
        let path = folder.appending(Self.name(move, .begun))
        try store.write(bytes, to: path, protection: .complete, options: .withoutOverwriting)
        var written = try store.read(from: path)
        defer { written.wipe() }
        guard written == bytes else {
            throw Failure(reason: .damaged, message: "the sealed copy is not what was written; nothing was changed")
        }
    }

    /// Replaces a record by one with other facts about its items, durably. The contents are the same.
    func replace(_ entry: Entry, by move: SealedMove) throws {
        var contents = try contents(of: entry)
        defer { contents.wipe() }
        var bytes = try move.bytes(
            with: contents.files.compactMap(\.self) + contents.secrets.map { try [UInt8](exposing: $0) })
        defer { bytes.wipe() }
        try store.write(bytes, to: folder.appending(Self.name(move, entry.state)), protection: .complete)
    }

    /// Names the state that a move has reached.
    func set(_ entry: Entry, to state: State) throws -> Entry {
        guard entry.state != state else { return entry }
        try store.move(
            folder.appending(Self.name(entry.move, entry.state)), to: folder.appending(Self.name(entry.move, state)))
        return Entry(move: entry.move, state: state)
    }

    /// Drops a record, and with it what the files were.
    package func drop(_ entry: Entry) throws {
        try store.remove(folder.appending(Self.name(entry.move, entry.state)))
    }

    private func names() throws -> [(String, State)] {
        guard try OpenFile.status(of: folder, hooks)?.kind == .folder else { return [] }
        return try hooks.names(in: folder).compactMap { bytes in
            let name = String(decoding: bytes, as: UTF8.self)
            guard let state = State.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else { return nil }
            return (name, state)
        }
    }

    private static func name(_ move: SealedMove, _ state: State) -> String { "\(move.identifier).\(state.rawValue)" }

    private static func whole<R>(_ read: R?, _ name: String) throws -> R {
        guard let read else {
            throw Failure(reason: .damaged, message: "the sealed record \(name) of a move is not whole")
        }
        return read
    }
}
