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

    /// Moves the secrets of files of known places. Status 3: some secrets stay, each of which was told; 44: a named
    /// file is not there.
    ///
    /// - Parameters:
    ///   - only: The words of the places that are wanted, for messages.
    ///   - isNamed: Whether files or folders were named.
    func move(_ targets: MoveTargets, only: [String], isNamed: Bool) throws {
        let scene = try scene()
        try tellRecovered(scene)
        let planner = MovePlanner(scene?.items ?? MovedItems(nil), setup: Self.setup)
        var (moved, seen, isWhole) = (0, 0, true)
        var fault: CommandFailure?
        for target in targets.files {
            do {
                let outcome = try move(target, planner, scene)
                moved += outcome.isMoved ? 1 : 0
                seen += outcome.isSeen ? 1 : 0
                isWhole = isWhole && outcome.isWhole
            } catch {
                let failure = try Self.told(error)
                (seen, isWhole) = (seen + 1, false)
                if !Self.isReason(error) { fault = fault ?? failure }
                try Channel.error.line("zamok: \(failure.message ?? "\(target.location) stays as it is")")
            }
        }
        for obstacle in targets.obstacles {
            try Channel.error.line("zamok: \(obstacle.location): \(obstacle.reason); nothing of it is moved")
        }
        if seen == 0, targets.obstacles.isEmpty { try Channel.error.line(Self.nothing(only, isNamed)) }
        if isDry { try Channel.error.line("Nothing was changed.") }
        if moved > 0, !isNamed, only.isEmpty {
            try Channel.error.line("Files in other places are moved by their path: zamok sweep shows them.")
        }
        if moved > 0 {
            try Channel.error.line(
                "The sealed \(moved == 1 ? "copy of the file stays" : "copies of the files stay") until: zamok sweep --forget"
            )
        }
        guard !targets.obstacles.contains(where: \.isMissing) || seen > 0 else {
            throw CommandFailure.silent(Status.itemNotFound.exitStatus)
        }
        if let fault { throw CommandFailure.silent(fault.exitStatus) }
        guard isWhole, targets.obstacles.isEmpty else { throw CommandFailure.inPart }
    }

    /// A failure after which the next file's turn comes. Throws what ends the run.
    private static func told(_ error: any Error) throws -> CommandFailure {
        guard let failure = failure(error) else { throw error }
        let ending: [Status] = [.locked, .userCancelled, .interactionRequired]
        guard !ending.map(\.exitStatus).contains(failure.exitStatus) else { throw failure }
        return failure
    }

    /// Whether a file stays for a reason of its own, and nothing failed.
    private static func isReason(_ error: any Error) -> Bool {
        switch error {
        case is ClearFile.Refusal, is MovePlanner.Refusal, is MovedItems.Refusal: true
        case let error as FileError: error.isForbidden || error.isReadOnly
        default: false
        }
    }

    /// Why a file that is to be changed can't be. Nil: nothing is known that prevents it.
    private static func obstacle(_ plan: MovePlan?) throws -> String? {
        for change in plan?.changes ?? [] where change.before != nil {
            guard let reason = try ClearFile(change.location).obstacle() else { continue }
            return change.isConfiguration ? "\(change.location): \(reason)" : reason
        }
        return nil
    }

    private func move(
        _ target: MoveTargets.File, _ planner: MovePlanner, _ scene: Scene?
    ) throws -> (isMoved: Bool, isSeen: Bool, isWhole: Bool) {
        let (place, location) = (target.place, target.location)
        guard var bytes = try ClearFile(location).bytes() else { return (false, false, true) }
        defer { bytes.wipe() }
        var planned = try planner.plan(place, location, bytes, isUsual: target.isUsual)
        if planned.plan != nil, let reason = try Self.obstacle(place) ?? Self.obstacle(planned.plan) {
            planned.refuse(reason)
        }
        let isWhole = planned.staying.isEmpty && planned.copies.isEmpty
        guard let plan = planned.plan else {
            try show(planned, place, location)
            return (false, !planned.staying.isEmpty, isWhole)
        }
        try show(planned, place, location)
        guard !isDry, let scene else { return (false, true, isWhole) }
        try Question.confirmWriting(isGiven: isGiven)
        try scene.mover.carryOut(plan)
        LastSweep.noteChange()
        try Channel.error.line("Moved. To undo it: zamok sweep --undo \(location.shellWord)")
        return (true, true, isWhole)
    }

    /// Why there is nothing to move.
    private static func nothing(_ only: [String], _ isNamed: Bool) -> String {
        let what = only.isEmpty ? "" : " of \(only.joined(separator: ", "))"
        return isNamed
            ? "There is nothing to move: no secret in clear\(what) was found there."
            : "There is nothing to move: no file\(what) that is where its program looks for it has a secret in clear. Others are moved by their path: zamok sweep shows them."
    }

    /// Nil: there is no home, and none is made by a dry run.
    private func scene() throws -> Scene? {
        guard isDry else { return try Scene(choice) }
        do { return try Scene(choice.reading) } catch let error as DataProtectionError {
            guard error.code == .noHome else { throw error }
            return nil
        }
    }

    @discardableResult
    private func tellRecovered(_ scene: Scene?) throws -> Mover.Recovery {
        guard !isDry, let scene else { return Mover.Recovery() }
        let recovery = try scene.mover.recover()
        for (moves, what, end) in [
            (recovery.finished, "A move", "finished"), (recovery.takenBack, "A move", "undone"),
            (recovery.undone, "An undo", "finished"),
            (recovery.givenUp, "An undo", "given up, since the file was changed meanwhile or can't be changed"),
        ] {
            for move in moves {
                try Channel.error.line("\(what) of \(move.shownFile) that was interrupted is \(end).")
            }
        }
        return recovery
    }

    private func show(_ planned: MovePlanner.Planned, _ place: Sweeps.Place, _ location: FileLocation) throws {
        guard planned.plan != nil || !planned.staying.isEmpty else { return }
        var lines = ["\(location) (\(place.program)):"]
        for line in planned.lines {
            let place = line.item.map { ", kept as \($0.name.printable)" } ?? ""
            let becomes = line.replacement.isEmpty ? "removed" : "becomes \(line.replacement.printable)"
            lines.append("  line \(line.number): \(line.what.printable) (\(line.masked)) \(becomes)\(place)")
        }
        for (secret, reason) in planned.staying {
            let masked = try MaskedSecret.text(secret.secret)
            lines.append(
                "  line \(secret.line): \(secret.rule.identifier.printable) (\(masked)) stays: \(reason.printable)")
        }
        for copy in planned.copies {
            lines.append(
                "  line \(copy.line) of the changed file still has it in clear (\(copy.masked)), in a form that is not moved: change it by hand"
            )
        }
        if !planned.staying.isEmpty {
            lines.append(
                "  What stays can be sealed while no program reads it: zamok files protect \(location.shellWord)")
        }
        for change in planned.plan?.changes ?? [] where !change.shown.isEmpty {
            lines.append("\(change.location):")
            lines += change.shown.map { "+ \($0.printable)" }
        }
        if let plan = planned.plan { lines += Self.start(plan, place).map { "  \($0.printable)" } }
        try Channel.output.lines(lines)
    }

    /// How the program is started from then on.
    private static func start(_ plan: MovePlan, _ place: Sweeps.Place) -> [String] {
        guard let start = plan.start else {
            if case .mask = place.move { return ["From now on: nothing else"] }
            return ["From now on: nothing else; start \(plan.program) as before"]
        }
        let lines = ["From now on: \(start)"]
        switch place.move {
        case .agent:
            return lines + [
                "The agent has to run, or ssh finds no key: systemctl --user enable --now zamok-agent.socket; without systemd, in each shell: eval \"$(zamok agent)\""
            ]
        case .variable, .environment, .filled:
            guard let command = MovePlanner.command(place) else { return lines }
            let others =
                place.word == "netrc" ? ["wget, git, ftp and Heroku find no login in this file from then on"] : []
            return lines + others + [
                "\(command) alone finds no secret from then on; for good, in your shell's profile: alias \(command)=\(start.shellWord)"
            ]
        default: return lines
        }
    }

    /// Why a program would find no command to ask after a move. Nil: it does.
    private static func obstacle(_ place: Sweeps.Place) -> String? {
        switch place.move {
        case .helper(let name): return SetupProgram(rawValue: name)?.obstacle
        case .command, .filled:
            return Programs.isThere("zamok") ? nil : "zamok is not on the PATH, and \(place.program) could not run it"
        case .agent:
            return AgentSocket.runtimeFolder != nil
                ? nil
                : "XDG_RUNTIME_DIR is not set, so that the agent's socket has no place that stays; a log-in with systemd sets it to /run/user/UID"
        case .variable, .environment, .reference, .mask, .clearOnly: return nil
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
    func undo(_ wish: MoveWish, force: Bool, keepsItems: Bool) throws {
        let scene = try Scene(choice.reading)
        let recovery = try tellRecovered(scene)
        let moves = recovery.toUndo(try wish.chosen(try scene.mover.moves()))
        guard !moves.isEmpty else {
            guard try wish.chosen(recovery.takenBack + recovery.undone).isEmpty else { return }
            throw Self.nothing(wish)
        }
        var isWhole = true
        var fault: CommandFailure?
        for move in moves {
            do { try undo(move, scene.mover, force: force, keepsItems: keepsItems) } catch {
                if let failure = error as? MoveVault.Failure, failure.reason == .gone, try scene.mover.isUndone(move) {
                    try Channel.error.line("\(move.shownFile) was undone by another process meanwhile.")
                    continue
                }
                let failure = try Self.told(error)
                let isChanged = failure.exitStatus == Status.duplicateItem.exitStatus
                guard moves.count > 1 || Self.isReason(error) else { throw failure }
                isWhole = false
                if !Self.isReason(error), !isChanged { fault = fault ?? failure }
                try Channel.error.line("zamok: \(failure.message ?? "\(move.shownFile) stays as it is")")
            }
        }
        if isDry { try Channel.error.line("Nothing was changed.") }
        if let fault { throw CommandFailure.silent(fault.exitStatus) }
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
        if move.replaced != nil, changed.isEmpty {
            try Channel.output.lines(move.files.suffix(1).map { "  " + Self.sealed($0.location) })
        }
        guard !isDry else { return }
        try Question.confirmWriting(isGiven: isGiven)
        let undone = try mover.undo(move, force: force, keepsItems: keepsItems, edit: Self.edited)
        LastSweep.noteChange()
        for kept in undone.kept { try Channel.error.line(Self.shown(kept)) }
        for file in undone.edited {
            try Channel.error.line(
                "\(file) was changed since; what zamok setup had added was removed, and the rest stays.")
        }
        if !undone.lost.isEmpty {
            try Channel.error.line("The owner, access lists or attributes of the file could not all be given back.")
        }
        try Channel.error.line("Undone.")
    }

    private static func shown(_ kept: Mover.Kept) -> String {
        let name = kept.item.name.printable
        let reason =
            switch kept.reason {
            case .known: "it was there before the move"
            case .changed: "it has another secret by now"
            case .needed(let file?): "\(file) needs it"
            case .needed(nil): "a file that no sealed copy is kept of may need it"
            case .wanted: "--keep-items"
            }
        return "The item stays: \(name) (\(reason)); to remove it: zamok rm \(name)"
    }

    /// What a forced undo takes out of a file that was changed since.
    private static func loss(_ file: FileLocation, _ before: [UInt8]?, _ now: [UInt8]?) -> [String] {
        guard let now else { return ["\(file) was removed since, and is made again"] }
        let (old, new) = (before ?? [], now)
        let lines = { (bytes: [UInt8]) in bytes.split(separator: 10, omittingEmptySubsequences: false) }
        let difference = lines(new).difference(from: lines(old))
        return [
            "changed since: \(counted(difference.insertions.count)) of it not in the file of before, and \(difference.removals.count) of that not in it",
            sealed(file),
        ]
    }

    private static func sealed(_ file: FileLocation) -> String {
        "the file as it is now is sealed first; to have that again: zamok sweep --undo \(file.shellWord)"
    }

    private static func counted(_ lines: Int) -> String { lines == 1 ? "1 line" : "\(lines) lines" }

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
            let written =
                tool.hasPrefix("aws --profile ") ? String(tool.dropFirst("aws --profile ".count)) : "default"
            let profile = written.filter { $0 != "\"" }
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
        for record in try scene.mover.damagedRecords() {
            try Channel.error.line(
                "The record \(record.description.printable) of a move is not whole, so its files can't be given back: put it back from a backup, or remove it."
            )
        }
        let names = { (move: SealedMove) in move.items.map(\.name.printable).joined(separator: ", ") }
        try Printer(json: json).rows(
            moves, head: ["MOVED", "PLACE", "FILE", "KEPT AS", "FROM NOW ON"],
            { move in
                .known([
                    ("moved", .date(move.time)), ("place", .text(move.place)), ("file", .text(move.shownFile)),
                    ("items", .texts(move.items.map(\.name))), ("start", move.start.map { .text($0) }),
                ])
            },
            { [$0.shownDate, $0.place.printable, $0.shownFile, names($0), $0.start?.printable ?? "as before"] })
    }

    /// Drops the sealed copies of a place or a file; all without a word. These moves can't be undone then.
    func forget(_ wish: MoveWish, force: Bool) throws {
        let scene = try Scene(choice.reading)
        try tellRecovered(scene)
        let moves = try wish.chosen(try scene.mover.moves())
        guard !moves.isEmpty else { throw Self.nothing(wish) }
        try Channel.output.lines(moves.map { "\($0.shownFile) (\($0.program)), moved on \($0.shownDate)" })
        guard !isDry else { return try Channel.error.line("Nothing was changed.") }
        try Question.confirm(
            "Forget how they were? [y/N] ", by: ["y", "Y", "yes", "Yes", "YES"], isGiven: isGiven,
            or: "nothing was changed")
        do { for move in moves { try scene.mover.forget(move, force: force) } } catch {
            throw Self.failure(error) ?? CommandFailure.status(.internalComponent, "\(error)")
        }
        try Channel.error.line("Forgotten.")
        let items = Set(moves.flatMap(\.items).map(\.name.printable)).sorted()
        guard !items.isEmpty else { return }
        try Channel.error.line(
            "\(items.count == 1 ? "The item stays" : "The items stay") in the keychain: \(items.joined(separator: ", "))"
        )
    }

    private static func nothing(_ wish: MoveWish) -> CommandFailure {
        guard wish.isKnown else {
            return .status(
                .itemNotFound, "there is no place and no file \(wish.word?.printable ?? ""); see: zamok sweep --moved")
        }
        return .status(
            .itemNotFound,
            "no move\(wish.word.map { " of \($0.printable)" } ?? "") can be undone; see: zamok sweep --moved")
    }

    // MARK: Failures

    private static func failure(_ error: any Error) -> CommandFailure? {
        switch error {
        case let error as ClearFile.Refusal:
            .status(error.reason == .changed ? .busy : .parameter, error.message)
        case let error as MovePlanner.Refusal: .status(.duplicateItem, error.message.printable)
        case let error as MovedItems.Refusal: .status(.duplicateItem, error.message.printable)
        case let error as Mover.Refusal: .status(.duplicateItem, error.message)
        case let error as Mover.Remainder: remainder(error)
        case let error as MoveVault.Failure:
            .status(error.reason == .busy ? .busy : error.reason == .gone ? .itemNotFound : .damaged, error.message)
        case let error as FileError:
            .status(
                error.isFull ? .diskFull : error.isForbidden || error.isReadOnly ? .noWritePermission : .inputOutput,
                "\(error); nothing was changed")
        default: CommandFailure(error)
        }
    }

    private static func remainder(_ error: Mover.Remainder) -> CommandFailure? {
        let cause = failure(error.cause)
        let names = error.items.map(\.name.printable)
        return CommandFailure(
            exitStatus: cause?.exitStatus ?? Status.inputOutput.exitStatus,
            message:
                "\(cause?.message ?? "the move failed"); the file is as it was, and the keychain has what could not be taken out again; to remove it: \(names.map { "zamok rm \($0)" }.joined(separator: "; "))"
        )
    }
}

extension SealedMove {
    /// The file that had the secrets.
    var shownFile: String { files.last.map { "\($0.location)" } ?? "" }
    var time: Date { Date(timeIntervalSince1970: Double(date)) }
    var shownDate: String { time.formatted(.iso8601) }
}
