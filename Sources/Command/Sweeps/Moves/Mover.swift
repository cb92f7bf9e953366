// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import Files
package import Keychains
package import SecretMemory

/// What a move is to do: made by ``MovePlanner``, shown to the user, then carried out.
package struct MovePlan {
    /// A file that is to be changed.
    package struct Change {
        package let location: FileLocation
        package let isConfiguration: Bool
        package let before: [UInt8]?
        package let after: [UInt8]?
        /// Whether its owner may run it from now on.
        package var isProgram = false
        /// The lines that are added to a configuration.
        package var shown: [String] = []

        package init(
            _ location: FileLocation, isConfiguration: Bool = false, before: [UInt8]?, after: [UInt8]?,
            isProgram: Bool = false, shown: [String] = []
        ) {
            (self.location, self.isConfiguration, self.before) = (location, isConfiguration, before)
            (self.after, self.isProgram, self.shown) = (after, isProgram, shown)
        }
    }

    package var place: String
    package var program: String
    package var start: String?
    /// In the order in which they are replaced; the file of the secrets is last.
    package var changes: [Change] = []
    package var items: [(item: MovedItem, secret: Secret)] = []

    package init(place: String, program: String, start: String? = nil) {
        (self.place, self.program, self.start) = (place, program, start)
    }
}

/// Carries out moves, undoes them, and finishes what a killed process began.
///
/// The order of a move: each new content is on the disk beside its file; each item is stored and read back; the files
/// as they were are sealed, durably; the files are replaced by renames, the one of the secrets last; the record gets
/// the name of a finished move. A process that is killed at any of these leaves a state from which ``recover()`` goes
/// on.
package struct Mover {
    private let vault: MoveVault
    private let items: MovedItems
    private let hooks: FileHooks

    package init(home: Home, keychain: Keychain, hooks: FileHooks = FileHooks()) {
        vault = MoveVault(home: home, hooks: hooks)
        items = MovedItems(keychain)
        self.hooks = hooks
    }

    /// Why a move is not undone.
    package struct Refusal: Error {
        package let message: String
        /// The files that were changed since.
        package let files: [FileLocation]
    }

    /// A move that failed, and could not take back all that it had stored.
    package struct Remainder: Error {
        package let cause: any Error
        /// Items that are in the keychain, though nothing refers to them.
        package let items: [MovedItem]
    }

    /// An item that is in the keychain after an undo.
    package struct Kept {
        package enum Reason: Sendable {
            /// It was there before the move.
            case known
            /// It has another secret by now.
            case changed
            /// Another file refers to it: one whose move can be undone, one whose sealed copy was forgotten, or the
            /// one that was changed since.
            case needed(FileLocation?)
            /// The caller wanted that.
            case wanted
        }

        package let item: MovedItem
        package let reason: Reason
    }

    /// What an undo did.
    package struct Undone {
        package let move: SealedMove
        package var kept: [Kept] = []
        /// What this user, or the file system, could not give back.
        package var lost: LostMetadata = []
        /// Configuration files that were changed since; lines of `zamok setup` were taken out of them, nothing else.
        package var edited: [FileLocation] = []
    }

    // MARK: Doing

    /// Carries out a plan. On an error everything is as it was, unless the error says otherwise. Errors:
    /// ``Remainder``, ``ClearFile/Refusal``, ``MovedItems/Refusal``, ``MoveVault/Failure``, `FileError`,
    /// `KeychainError`, `ProtectedFileError`.
    @discardableResult
    package func carryOut(_ plan: MovePlan) throws -> SealedMove {
        let lock = try vault.lock()
        return try withExtendedLifetime(lock) { try carryOutAlone(plan) }
    }

    private func carryOutAlone(_ plan: MovePlan) throws -> SealedMove {
        var move = SealedMove(
            place: plan.place, program: plan.program, start: plan.start,
            files: plan.changes.map {
                SealedMove.File(
                    path: $0.location.bytes, isConfiguration: $0.isConfiguration,
                    before: $0.before.map { SealedMove.Content($0) }, after: $0.after.map { SealedMove.Content($0) },
                    metadata: nil, target: target(of: $0.location))
            }, items: [])
        var prepared: [ClearFile.Prepared] = []
        defer { for each in prepared { each.letGo() } }
        for (number, change) in plan.changes.enumerated() {
            let next = try ClearFile(change.location, hooks).prepare(
                change.after, insteadOf: move.files[number].before, isProgram: change.isProgram)
            move.files[number].metadata = next.metadata.map { SealedMove.Metadata($0) }
            prepared.append(next)
        }
        var stored: [(MovedItem, Secret)] = []
        do {
            let known = try vault.entries().flatMap(\.move.items).filter { $0.isAdded }
            for (item, secret) in plan.items {
                var item = try items.store(secret, as: item)
                if item.isAdded { stored.append((item, secret)) }
                // An item of another move is removed with the last of both.
                let others = known.filter { $0.isSame(as: item) }
                if !others.isEmpty { item.isAdded = true }
                if others.contains(where: { $0.isForgotten == true }) { item.isForgotten = true }
                move.items.append(item)
            }
            try vault.begin(
                move, contents: plan.changes.compactMap(\.before) + plan.items.map { try [UInt8](exposing: $0.secret) })
        } catch {
            let left = stored.filter { item, secret in (try? items.remove(item, having: secret)) == nil }
            throw left.isEmpty ? error : Remainder(cause: error, items: left.map(\.0))
        }
        let entry = MoveVault.Entry(move: move, state: .begun)
        do {
            for each in prepared { try each.place() }
        } catch {
            // What was replaced is put back; if that fails, the next run does it.
            _ = try? settle(entry)
            throw error
        }
        _ = try vault.set(entry, to: .moved)
        return move
    }

    // MARK: Recovering

    /// What was done with what a killed process began.
    package struct Recovery {
        /// Moves that are finished, and those that are taken back.
        package var (finished, takenBack): ([SealedMove], [SealedMove]) = ([], [])
        /// Undos that are finished, and those that are given up: the file was changed meanwhile, or can't be changed.
        package var (undone, givenUp): ([SealedMove], [SealedMove]) = ([], [])

        package init() {}

        /// Of these moves those that are to be undone now: each file once, the newest first. What an undo replaced is
        /// given back if there is no move of the file, and if that undo is not one that was finished just now.
        package func toUndo(_ moves: [SealedMove]) -> [SealedMove] {
            var known = Set(moves.filter { $0.replaced == nil }.compactMap(\.files.last?.path))
            return moves.reversed().filter { move in
                guard let replaced = move.replaced else { return true }
                return !undone.contains { $0.identifier == replaced }
                    && (move.files.last.map { known.insert($0.path).inserted } ?? true)
            }
        }
    }

    /// Finishes or undoes what a killed process began.
    @discardableResult
    package func recover() throws -> Recovery {
        let lock = try vault.lock()
        return try withExtendedLifetime(lock) {
            var recovery = Recovery()
            for entry in try vault.entries() where entry.state == .undoing {
                // A file that can't be changed now keeps no other from being changed. The move can be undone later.
                if (try? resume(entry)) == true {
                    recovery.undone.append(entry.move)
                } else {
                    try settleReplaced(entry.move)
                    _ = try vault.set(entry, to: .moved)
                    recovery.givenUp.append(entry.move)
                }
            }
            let begun = try vault.entries().filter { $0.state == .begun }
            for entry in begun where entry.move.replaced == nil {
                do {
                    let isTakenBack = try settle(entry)
                    if isTakenBack {
                        recovery.takenBack.append(entry.move)
                    } else {
                        recovery.finished.append(entry.move)
                    }
                } catch {
                    _ = try vault.set(entry, to: .moved)
                    recovery.finished.append(entry.move)
                }
            }
            for entry in begun where entry.move.replaced != nil { try settleReplaced(entry) }
            return recovery
        }
    }

    /// Goes on with a move that was begun. It is finished if the file of the secrets was replaced; else what was
    /// replaced is put back. Returns whether it was put back.
    private func settle(_ entry: MoveVault.Entry) throws -> Bool {
        for file in entry.move.files { clean(file) }
        let states = try entry.move.files.map(state)
        guard zip(entry.move.files, states).contains(where: { !$0.isConfiguration && $1 != .before }) else {
            try putBack(entry, states)
            try dropItems(entry)
            try vault.drop(entry)
            return true
        }
        // Changed by another program meanwhile: what is sealed stays, and so does the file.
        _ = try vault.set(entry, to: .moved)
        return false
    }

    /// Goes on with an undo. A file that was changed since stays, and so does the record.
    private func resume(_ entry: MoveVault.Entry) throws -> Bool {
        for file in entry.move.files { clean(file) }
        let states = try entry.move.files.map(state)
        // What a file is now may be sealed already, if it was to be replaced though it was changed.
        let sealed = try sealed(by: entry.move)
        let isAsSealed = try zip(entry.move.files, states).allSatisfy { file, state in
            guard state == .other, !file.isConfiguration else { return true }
            let now = try ClearFile(file.location, hooks).bytes().map { SealedMove.Content($0) }
            return isSameLink(file)
                && sealed.contains { $0.move.files.last?.path == file.path && $0.move.files.last?.before == now }
        }
        guard isAsSealed else { return false }
        try putBack(entry, states, force: true)
        if sealed.isEmpty { try dropItems(entry) }
        try settleReplaced(entry.move)
        try vault.drop(entry)
        return true
    }

    /// The records of what the undo of a move replaces.
    private func sealed(by move: SealedMove) throws -> [MoveVault.Entry] {
        try vault.entries().filter { $0.move.replaced == move.identifier }
    }

    /// Keeps the records of what an undo has replaced, and drops those of what it has not: the file is as it was.
    private func settleReplaced(_ move: SealedMove) throws {
        for entry in try sealed(by: move) where entry.state == .begun { try settleReplaced(entry) }
    }

    private func settleReplaced(_ entry: MoveVault.Entry) throws {
        let isUntouched =
            try vault.entries().contains { $0.move.identifier == entry.move.replaced }
            && entry.move.files.allSatisfy { (try? state($0)).map { $0 != .after } ?? false }
        if isUntouched { try vault.drop(entry) } else { _ = try vault.set(entry, to: .moved) }
    }

    /// Removes what a killed process left beside a file: the file that was to replace it, or the replaced one.
    private func clean(_ file: SealedMove.File) {
        guard let folder = try? hooks.hold(file.location, following: true).folder else { return }
        Leftovers(hooks) { _ in nil }.remove(in: folder)
    }

    /// Where a link at the end of a path leads. Nil: there is none.
    private func target(of location: FileLocation) -> [UInt8]? {
        guard let own = try? hooks.hold(location), let led = try? hooks.hold(location, following: true),
            led.bytes != own.bytes
        else { return nil }
        return led.bytes
    }

    /// Whether the path leads where it led when the record was made.
    private func isSameLink(_ file: SealedMove.File) -> Bool { target(of: file.location) == file.target }

    private enum FileState { case before, after, other }

    private func state(_ file: SealedMove.File) throws -> FileState {
        let now = try ClearFile(file.location, hooks).bytes().map { SealedMove.Content($0) }
        return now == file.before ? .before : now == file.after ? .after : .other
    }

    // MARK: Undoing

    /// The paths of records that are not whole.
    package func damagedRecords() throws -> [FileLocation] { try vault.damaged() }

    /// The moves that can be undone, the oldest first.
    package func moves() throws -> [SealedMove] { try vault.entries().filter { $0.state == .moved }.map(\.move) }

    /// The files of a move that were changed since, with their bytes as they were and as they are; without
    /// configurations. Nil: there was, or is, no file.
    package func difference(_ move: SealedMove) throws -> [(file: FileLocation, before: [UInt8]?, now: [UInt8]?)] {
        let entry = try entry(move)
        return try zip(move.files, try vault.contents(of: entry).files).compactMap { file, before in
            guard try state(file) == .other, !file.isConfiguration else { return nil }
            return (file.location, before, try ClearFile(file.location, hooks).bytes())
        }
    }

    /// Gives back every file of a move: bytes, owner, mode, times and attributes. The file of the secrets is first.
    /// Then the items that the move added are removed, if they still have the secrets that it stored, and no other move
    /// needs them.
    ///
    /// - Parameters:
    ///   - force: Also replace a file that was changed since. What it is now is sealed first, as a record of its own,
    ///     which can be undone in its turn; what that undo replaces is sealed as well.
    ///   - keepsItems: Leave all items.
    ///   - edit: Takes the lines of `zamok setup` out of a configuration that was changed since; nil: it has none.
    ///
    /// Errors: ``Refusal`` if a file was changed since, or its path leads to another one: nothing is changed. Those of
    /// ``carryOut(_:)``.
    package func undo(
        _ move: SealedMove, force: Bool = false, keepsItems: Bool = false,
        edit: (_ file: SealedMove.File, _ before: [UInt8]?, _ now: [UInt8]) throws -> [UInt8]? = { _, _, _ in nil }
    ) throws -> Undone {
        let lock = try vault.lock()
        return try withExtendedLifetime(lock) {
            var entry = try entry(move)
            var contents = try vault.contents(of: entry)
            defer { contents.wipe() }
            var undone = Undone(move: move)
            let states = try move.files.map(state)
            let foreign = zip(move.files, states).filter { !$0.isConfiguration && $1 == .other }.map(\.0.location)
            guard foreign.isEmpty || force else {
                throw Refusal(
                    message:
                        "\(foreign.map(\.description).joined(separator: ", ")): changed since it was moved; nothing was changed",
                    files: foreign)
            }
            let led = zip(move.files, states).filter { $1 == .other && !isSameLink($0) }.map(\.0)
            if let other = led.first(where: { !$0.isConfiguration }) {
                throw Refusal(
                    message:
                        "\(other.location) leads to another file than when it was moved; nothing was changed",
                    files: [other.location])
            }
            let isForeign = try seal(move, states, contents.secrets)
            entry = try vault.set(entry, to: .undoing)
            do {
                undone.lost = try putBack(entry, states, force: force)
            } catch {
                try settleReplaced(move)
                _ = try vault.set(entry, to: .moved)
                throw error
            }
            for (index, file) in move.files.enumerated() where file.isConfiguration && states[index] == .other {
                guard let now = try ClearFile(file.location, hooks).bytes(),
                    let edited = try edit(file, contents.files[index], now), edited != now
                else { continue }
                try ClearFile(file.location, hooks).prepare(edited, insteadOf: SealedMove.Content(now)).place()
                undone.edited.append(file.location)
            }
            if keepsItems || isForeign {
                let reason = isForeign ? Kept.Reason.needed(move.files.last?.location) : .wanted
                undone.kept = move.items.map { Kept(item: $0, reason: $0.isAdded ? reason : .known) }
            } else {
                undone.kept = try dropItems(entry)
            }
            try settleReplaced(move)
            try vault.drop(entry)
            return undone
        }
    }

    /// Seals what files are now that are replaced though they were changed since, or though no move made them what they
    /// are. They may refer to the items, which stay therefore. Returns whether there was one.
    private func seal(_ move: SealedMove, _ states: [FileState], _ secrets: [Secret]) throws -> Bool {
        var isForeign = false
        var items = move.items
        for index in items.indices where items[index].isAdded { items[index].isForgotten = true }
        for (index, file) in move.files.enumerated() where !file.isConfiguration {
            guard states[index] == .other || move.replaced != nil && states[index] == .after,
                let read = try ClearFile(file.location, hooks).read()
            else { continue }
            var record = SealedMove(
                place: move.place, program: move.program, start: nil,
                files: [
                    SealedMove.File(
                        path: file.path, isConfiguration: false, before: SealedMove.Content(read.bytes),
                        after: file.before, metadata: SealedMove.Metadata(try read.file.metadata(read.status)),
                        target: file.target)
                ], items: items)
            record.replaced = move.identifier
            try vault.begin(record, contents: [read.bytes] + secrets.map { try [UInt8](exposing: $0) })
            isForeign = true
        }
        return isForeign
    }

    /// Puts back each file that is as the move left it; the file of the secrets first.
    @discardableResult
    private func putBack(
        _ entry: MoveVault.Entry, _ states: [FileState], force: Bool = false
    ) throws -> LostMetadata {
        var contents = try vault.contents(of: entry)
        defer { contents.wipe() }
        var lost: LostMetadata = []
        for (index, file) in entry.move.files.enumerated().reversed() {
            let isForced = force && states[index] == .other && !file.isConfiguration
            guard states[index] == .after || isForced else { continue }
            let clear = ClearFile(file.location, hooks)
            let now = isForced ? try clear.bytes().map { SealedMove.Content($0) } : file.after
            let prepared = try clear.prepare(contents.files[index], insteadOf: now, metadata: file.metadata?.metadata)
            lost.formUnion(prepared.lost)
            try prepared.place()
        }
        return lost
    }

    /// Removes the items that a move added, and returns those that stay.
    @discardableResult
    private func dropItems(_ entry: MoveVault.Entry) throws -> [Kept] {
        let (entries, damaged) = try vault.read()
        let others = entries.filter { $0.move.identifier != entry.move.identifier }.map(\.move)
        let secrets = try vault.contents(of: entry).secrets
        return try zip(entry.move.items, secrets).compactMap { item, secret in
            guard item.isAdded else { return Kept(item: item, reason: .known) }
            // A record that can't be read may need any item.
            guard damaged.isEmpty else { return Kept(item: item, reason: .needed(nil)) }
            if let other = others.first(where: { $0.items.contains { $0.isSame(as: item) } }) {
                return Kept(item: item, reason: .needed(other.files.last?.location))
            }
            guard item.isForgotten != true else { return Kept(item: item, reason: .needed(nil)) }
            return try items.remove(item, having: secret) ? nil : Kept(item: item, reason: .changed)
        }
    }

    /// Whether another process has undone a move: there is no record of it, and its files are as they were before.
    package func isUndone(_ move: SealedMove) throws -> Bool {
        let known = try vault.entries().contains { $0.move.identifier == move.identifier }
        return try !known && move.files.allSatisfy { try $0.isConfiguration || state($0) == .before }
    }

    private func entry(_ move: SealedMove) throws -> MoveVault.Entry {
        guard let entry = try vault.entries().first(where: { $0.move.identifier == move.identifier }) else {
            throw MoveVault.Failure(
                reason: .gone, message: "another process has undone or forgotten this move meanwhile")
        }
        return entry
    }

    // MARK: Forgetting

    /// Drops the sealed copy of a move, which can't be undone then. Its items stay, and no undo of another move
    /// removes them: its file refers to them. Errors: ``Refusal`` if an item isn't there with its secret any more, so
    /// that the sealed copy may be the last one; `force` drops it all the same.
    package func forget(_ move: SealedMove, force: Bool = false) throws {
        let lock = try vault.lock()
        try withExtendedLifetime(lock) {
            let entry = try entry(move)
            // A file that is as it was before refers to nothing.
            let refers = move.files.contains { !$0.isConfiguration && (try? state($0)) != .before }
            let secrets = try vault.contents(of: entry).secrets
            let gone = try zip(move.items, secrets).filter { item, secret in
                try items.current(item, like: secret)?.isEqual(to: secret) != true
            }
            guard force || !refers || gone.isEmpty else {
                throw Refusal(
                    message:
                        "\(gone.map(\.0.name).joined(separator: ", ")): not in the keychain with this secret any more, so the sealed copy may be the last one; undo it, or drop it with --force",
                    files: [])
            }
            for other in try vault.entries() where refers && other.move.identifier != move.identifier {
                var changed = other.move
                for (index, item) in changed.items.enumerated() where move.items.contains(where: item.isSame) {
                    changed.items[index].isForgotten = true
                }
                guard changed.items != other.move.items else { continue }
                try vault.replace(other, by: changed)
            }
            try vault.drop(entry)
        }
    }
}
