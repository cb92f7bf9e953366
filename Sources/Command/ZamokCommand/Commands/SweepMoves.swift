// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Files
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses
import Sweeps

/// The half of `zamok sweep` that moves secrets to the keychain, and undoes that.
struct SweepMoves {
    let choice: HomeChoice
    /// Don't ask.
    let isGiven: Bool
    let isDry: Bool

    /// Home, items and moves. Errors: `.locked`, before anything is looked at.
    private struct Scene {
        let mover: Mover
        let items: MovedItems

        init(_ choice: HomeChoice) throws {
            guard !GuardedProcess.isGuest else { throw DataProtectionError.insideGuard }
            let home = try ChosenHome.openUnlocked(choice)
            guard home.keybag.lockState == .unlocked else {
                throw CommandFailure.status(
                    .locked, "the keychain is locked; nothing was changed; run: \(home.keybag.command("unlock"))")
            }
            let keychain = Keychain(home: home)
            (mover, items) = (Mover(home: home, keychain: keychain), MovedItems(keychain))
        }
    }

    // MARK: Moving

    /// Moves the secrets of files of known places. Status 3: some secrets stay, each of which was told.
    func move(_ files: [(place: Sweeps.Place, location: FileLocation)]) throws {
        let scene = try scene()
        try tellRecovered(scene)
        let planner = MovePlanner(scene?.items ?? MovedItems(nil), setup: Self.setup)
        var (moved, isWhole) = (0, true)
        for (place, location) in files {
            do {
                guard let bytes = try ClearFile(location).bytes() else { continue }
                let planned = try planner.plan(place, location, bytes)
                try show(planned, place, location)
                if !planned.staying.isEmpty { isWhole = false }
                guard let plan = planned.plan else { continue }
                try refuseUnusable(place)
                guard !isDry, let scene else { continue }
                try Question.confirmWriting(isGiven: isGiven)
                try scene.mover.carryOut(plan)
                moved += 1
                try Channel.error.line("Moved. To undo it: zamok sweep --undo \(location.shellWord)")
            } catch {
                guard let failure = Self.failure(error), files.count > 1,
                    failure.exitStatus != Status.locked.exitStatus,
                    failure.exitStatus != Status.userCancelled.exitStatus
                else { throw Self.failure(error) ?? error }
                isWhole = false
                try Channel.error.line("zamok: \(failure.message ?? "\(location) stays as it is")")
            }
        }
        if isDry { try Channel.error.line("Nothing was changed.") }
        if moved > 0 {
            try Channel.error.line(
                "The sealed copies of the \(moved == 1 ? "file" : "files") stay until: zamok sweep --forget")
        }
        guard isWhole else { throw CommandFailure.inPart }
    }

    /// Nil: there is no home, and none is made by a dry run.
    private func scene() throws -> Scene? {
        guard isDry else { return try Scene(choice) }
        do { return try Scene(choice.reading) } catch let error as DataProtectionError {
            guard error.code == .noHome else { throw error }
            return nil
        }
    }

    private func tellRecovered(_ scene: Scene?) throws {
        guard !isDry, let scene else { return }
        let (finished, undone) = try scene.mover.recover()
        for (moves, what) in [(finished, "is finished"), (undone, "is undone")] {
            for move in moves {
                try Channel.error.line("A move of \(move.shownFile) that was interrupted \(what).")
            }
        }
    }

    private func show(_ planned: MovePlanner.Planned, _ place: Sweeps.Place, _ location: FileLocation) throws {
        guard planned.plan != nil || !planned.staying.isEmpty else { return }
        var lines = ["\(location) (\(place.program)):"]
        for line in planned.lines {
            let place = line.item.map { ", kept as \($0.name.printable)" } ?? ""
            let becomes = line.replacement.isEmpty ? "removed" : "becomes \(line.replacement.printable)"
            lines.append("  line \(line.number): \(line.what) (\(line.masked)) \(becomes)\(place)")
        }
        for (secret, reason) in planned.staying {
            let masked = try MaskedSecret.text(secret.secret)
            lines.append("  line \(secret.line): \(secret.rule.identifier) (\(masked)) stays: \(reason.printable)")
        }
        if !planned.staying.isEmpty {
            lines.append(
                "  What stays can be sealed while no program reads it: zamok files protect \(location.shellWord)")
        }
        for change in planned.plan?.changes ?? [] where !change.shown.isEmpty {
            lines.append("\(change.location):")
            lines += change.shown.map { "+ \($0.printable)" }
        }
        if let plan = planned.plan {
            lines.append(
                "  From now on: \(plan.start?.printable ?? "nothing else; \(plan.program) is started as before")")
        }
        try Channel.output.lines(lines)
    }

    /// Refuses a move after which the program would find no command to ask.
    private func refuseUnusable(_ place: Sweeps.Place) throws {
        switch place.move {
        case .helper(let name):
            guard let obstacle = SetupProgram(rawValue: name)?.obstacle else { return }
            throw CommandFailure.status(.parameter, "nothing was changed: \(obstacle)")
        case .command, .filled:
            guard !Programs.isThere("zamok") else { return }
            throw CommandFailure.status(
                .parameter, "nothing was changed: zamok is not on the PATH, and \(place.program) could not run it")
        case .agent:
            guard AgentSocket.runtimeFolder == nil else { return }
            throw CommandFailure.status(
                .parameter,
                "nothing was changed: XDG_RUNTIME_DIR is not set, so that the agent's socket has no place that stays")
        case .variable, .environment, .reference, .mask, .clearOnly: return
        }
    }

    /// What `zamok setup` adds for an item.
    private static func setup(
        _ program: String, _ item: MovedItem, _ profile: String
    ) throws -> MovePlanner.Setup? {
        guard let known = SetupProgram(rawValue: program) else { return nil }
        // Docker's registry is no profile.
        let change = try known.change(item: item.name, profile: known == .aws ? profile : "default")
        return MovePlanner.Setup(FileLocation(known.file), shown: change.shown) { text in
            do { return try change.applied(to: text ?? "") } catch let refusal as ConfigurationChange.Refusal {
                throw MovePlanner.Refusal("\(known.file): \(refusal.reason); nothing was changed")
            }
        }
    }

    // MARK: Undoing

    /// Undoes the moves of a place or a file; all without a word. The newest is first.
    func undo(_ word: String?, force: Bool, keepsItems: Bool) throws {
        let scene = try Scene(choice.reading)
        try tellRecovered(scene)
        let moves = try Self.chosen(try scene.mover.moves(), word).reversed()
        guard !moves.isEmpty else { throw Self.nothing(word) }
        var isWhole = true
        for move in moves {
            do { try undo(move, scene.mover, force: force, keepsItems: keepsItems) } catch {
                guard let failure = Self.failure(error), moves.count > 1,
                    failure.exitStatus != Status.userCancelled.exitStatus
                else { throw Self.failure(error) ?? error }
                isWhole = false
                try Channel.error.line("zamok: \(failure.message ?? "")")
            }
        }
        guard isWhole else { throw CommandFailure.inPart }
    }

    private func undo(_ move: SealedMove, _ mover: Mover, force: Bool, keepsItems: Bool) throws {
        let changed = try mover.difference(move)
        guard changed.isEmpty || force else {
            throw CommandFailure.status(
                .duplicateItem,
                "\(move.shownFile) was changed since it was moved; nothing was changed; to give the file of before back all the same: add --force, which says first what is lost"
            )
        }
        try Channel.output.line("\(move.shownFile) (\(move.program)): as it was on \(move.shownDate)")
        for (file, before, now) in changed {
            try Channel.output.lines(Self.loss(file, before, now).map { "  " + $0 })
        }
        guard !isDry else { return try Channel.error.line("Nothing was changed.") }
        try Question.confirmWriting(isGiven: isGiven)
        let undone = try mover.undo(move, force: force, keepsItems: keepsItems, edit: Self.edited)
        for item in undone.kept {
            try Channel.error.line(
                "The item stays: \(item.name.printable); to remove it: zamok rm \(item.name.printable)")
        }
        for file in undone.edited {
            try Channel.error.line(
                "\(file) was changed since; what zamok setup had added was removed, and the rest stays.")
        }
        if !undone.lost.isEmpty {
            try Channel.error.line("The owner, access lists or attributes of the file could not all be given back.")
        }
        try Channel.error.line("Undone.")
    }

    /// What a forced undo takes out of a file that was changed since.
    private static func loss(_ file: FileLocation, _ before: [UInt8]?, _ now: [UInt8]?) -> [String] {
        guard let now else { return ["\(file) was removed since, and is made again"] }
        let (old, new) = (before ?? [], now)
        let lines = { (bytes: [UInt8]) in bytes.split(separator: 10, omittingEmptySubsequences: false) }
        let difference = lines(new).difference(from: lines(old))
        return [
            "changed since: \(difference.insertions.count) lines of it are not in the file of before, and \(difference.removals.count) of that not in it",
            "the file as it is now is sealed first; to have that again: zamok sweep --undo \(file.shellWord)",
        ]
    }

    /// A configuration without the lines of `zamok setup` that its content before the move didn't have.
    private static func edited(_ file: SealedMove.File, _ before: [UInt8]?, _ now: [UInt8]) throws -> [UInt8]? {
        guard let text = String(validUTF8: now),
            let program = SetupProgram.allCases.first(where: {
                $0 != .desktop && FileLocation($0.file).bytes == file.path
            })
        else { return nil }
        let old = before.flatMap { String(validUTF8: $0) }
        var changed = text
        let had = Set(ConfigurationChange.tools(in: old ?? ""))
        for tool in ConfigurationChange.tools(in: text) where !had.contains(tool) {
            let profile = tool.hasPrefix("aws --profile ") ? String(tool.dropFirst("aws --profile ".count)) : "default"
            guard tool == program.rawValue || tool.hasPrefix("\(program.rawValue) ") else { continue }
            changed = try program.change(item: "any/any", profile: profile).removed(from: changed, before: old)
        }
        return changed == text ? nil : Array(changed.utf8)
    }

    // MARK: Listing and forgetting

    /// Lists what was moved and can be undone.
    func list(json: Bool) throws {
        let scene = try Scene(choice.reading)
        let moves = try scene.mover.moves()
        let names = { (move: SealedMove) in move.items.map(\.name.printable).joined(separator: ", ") }
        try Printer(json: json).rows(
            moves, head: ["MOVED", "PLACE", "FILE", "KEPT AS"],
            { move in
                .known([
                    ("moved", .date(move.time)), ("place", .text(move.place)), ("file", .text(move.shownFile)),
                    ("items", .texts(move.items.map(\.name))), ("start", move.start.map { .text($0) }),
                ])
            },
            { [$0.shownDate, $0.place.printable, $0.shownFile, names($0)] })
    }

    /// Drops the sealed copies of a place or a file; all without a word. These moves can't be undone then.
    func forget(_ word: String?) throws {
        let scene = try Scene(choice.reading)
        try tellRecovered(scene)
        let moves = try Self.chosen(try scene.mover.moves(), word)
        guard !moves.isEmpty else { throw Self.nothing(word) }
        try Channel.output.lines(moves.map { "\($0.shownFile) (\($0.program)), moved on \($0.shownDate)" })
        guard !isDry else { return try Channel.error.line("Nothing was changed.") }
        try Question.confirm(
            "Forget how they were? [y/N] ", by: ["y", "Y", "yes", "Yes", "YES"], isGiven: isGiven,
            or: "nothing was changed")
        for move in moves { try scene.mover.forget(move) }
        try Channel.error.line("Forgotten.")
    }

    /// The moves that a word names: a place, or a file.
    private static func chosen(_ moves: [SealedMove], _ word: String?) throws -> [SealedMove] {
        guard let word else { return moves }
        try CommandFailure.refuseEmpty(word, of: "place or file")
        let path = URL(fileURLWithPath: word).standardizedFileURL.path
        return moves.filter { move in
            move.place == word || move.files.contains { $0.path == Array(path.utf8) || $0.path == Array(word.utf8) }
        }
    }

    private static func nothing(_ word: String?) -> CommandFailure {
        .status(
            .itemNotFound, "no move\(word.map { " of \($0.printable)" } ?? "") can be undone; see: zamok sweep --moved")
    }

    // MARK: Failures

    private static func failure(_ error: any Error) -> CommandFailure? {
        switch error {
        case let error as ClearFile.Refusal:
            .status(error.reason == .changed ? .busy : .parameter, error.message)
        case let error as MovePlanner.Refusal: .status(.duplicateItem, error.message.printable)
        case let error as MovedItems.Refusal: .status(.duplicateItem, error.message.printable)
        case let error as Mover.Refusal: .status(.duplicateItem, error.message)
        case let error as MoveVault.Failure:
            .status(error.reason == .busy ? .busy : .damaged, error.message)
        case let error as FileError:
            .status(
                error.isFull ? .diskFull : error.isForbidden || error.isReadOnly ? .noWritePermission : .inputOutput,
                "\(error); nothing was changed")
        default: CommandFailure(error)
        }
    }
}

extension SealedMove {
    /// The file that had the secrets.
    var shownFile: String { files.last.map { "\($0.location)" } ?? "" }
    var time: Date { Date(timeIntervalSince1970: Double(date)) }
    var shownDate: String { time.formatted(.iso8601) }
}
