// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Files
import Foundation
import KeychainEngine
import Readers
import SecretMemory

/// Makes the plan of a move: what is put in place of each secret of a file, and what is stored.
package struct MovePlanner {
    /// What `zamok setup` adds to a program's configuration.
    package struct Setup {
        package let location: FileLocation
        /// The lines that are added.
        package let shown: [String]
        /// The text with what is added; nil text: there is no file.
        package let applied: (_ text: String?) throws -> String

        package init(
            _ location: FileLocation, shown: [String], applied: @escaping (_ text: String?) throws -> String
        ) {
            (self.location, self.shown, self.applied) = (location, shown, applied)
        }
    }

    /// One secret, as it is shown before it moves.
    package struct Line: Sendable {
        package let number: Int
        package let what: String
        package let masked: String
        /// What is put in place; empty: its lines are removed.
        package let replacement: String
        /// Where the secret is from then on; nil: nowhere.
        package let item: MovedItem?
    }

    /// What is to be done with a file.
    package struct Planned {
        /// Nil: nothing is changed.
        package var plan: MovePlan?
        package var lines: [Line] = []
        /// Secrets that stay, with the reason.
        package var staying: [(secret: ClearSecret, reason: String)] = []
        /// Lines of the changed file that have a secret that moved, in a form that the program does not read.
        package var copies: [(line: Int, masked: String)] = []
        var edits: [Edit] = []

        /// Nothing is changed, for this reason.
        package mutating func refuse(_ reason: String) {
            let all = edits.map { ($0.secret, reason) } + staying
            (plan, lines, copies, edits) = (nil, [], [], [])
            staying = all.sorted { $0.0.range.lowerBound < $1.0.range.lowerBound }
        }
    }

    /// Why a file, or one secret of it, stays as it is.
    package struct Refusal: Error {
        package let message: String

        package init(_ message: String) { self.message = message }
    }

    let items: MovedItems
    /// The configuration of a program for an item; nil: the program has no helper.
    let setup: (_ program: String, _ item: MovedItem, _ profile: String) throws -> Setup?

    /// `setup` gives what `zamok setup PROGRAM` would add.
    package init(
        _ items: MovedItems,
        setup: @escaping (_ program: String, _ item: MovedItem, _ profile: String) throws -> Setup?
    ) {
        (self.items, self.setup) = (items, setup)
    }

    /// A secret that moves, and the bytes that are replaced.
    struct Edit {
        let secret: ClearSecret
        let range: Range<Int>
        let by: [UInt8]
        var more: [Range<Int>] = []
        let item: MovedItem?
        let stored: Secret
        /// The variable that the program is started with.
        var variable: String?
        /// What `zamok setup` adds, with its profile.
        var profile = ""

        func covers(_ other: Range<Int>) -> Bool { ([range, secret.range] + more).contains { $0.overlaps(other) } }
    }

    /// The changes of a file so far, and the names that they take.
    struct Edits {
        private(set) var list: [Edit] = []
        private var byItem: [MovedItem: Int] = [:]
        private var byVariable: [String: Int] = [:]

        mutating func append(_ edit: Edit) {
            if let item = edit.item, byItem[item] == nil { byItem[item] = list.count }
            if let name = edit.variable, byVariable[name] == nil { byVariable[name] = list.count }
            list.append(edit)
        }

        func stored(as item: MovedItem) -> Secret? { byItem[item].map { list[$0].stored } }
        func having(variable: String) -> Edit? { byVariable[variable].map { list[$0] } }
    }

    /// The largest secret that is moved, in bytes. Linux passes no larger variable than 128 KiB to a program.
    package static let largestSecret = 64 << 10

    /// How many secrets of a file are moved at once. The others are the next move's.
    package static let mostSecrets = 1_000
    private static let isNext = "\(mostSecrets) secrets of a file are moved at once; move once more"

    /// The plan for a file.
    ///
    /// - Parameter isUsual: Whether it is where the program looks for it by itself; otherwise it is a copy, or of
    ///   another user of the program, for which no configuration is changed.
    ///
    /// Errors: `KeychainError`; `FileError` of a configuration.
    package func plan(
        _ place: Place, _ location: FileLocation, _ bytes: [UInt8], isUsual: Bool = true
    ) throws -> Planned {
        let path = location.text ?? String(decoding: location.bytes, as: UTF8.self)
        let found = try place.read(bytes, path).sorted { $0.range.lowerBound < $1.range.lowerBound }
        var planned = Planned()
        if case .clearOnly(let reason) = place.move {
            planned.staying = found.map { ($0, reason) }
        } else if case .helper = place.move, !isUsual {
            let reason =
                "\(place.program) does not look into this file by itself; if it is a copy, remove it, else change it by hand"
            planned.staying = found.map { ($0, reason) }
        } else if !found.isEmpty {
            try plan(&planned, found, place, location, FileText(bytes: bytes), path)
        }
        planned.staying += try others(bytes, path, besides: found, planned.edits)
        return planned
    }

    /// What a sweep finds in the file besides: its program's format has no secret there.
    private func others(
        _ bytes: [UInt8], _ path: String, besides found: [ClearSecret], _ edits: [Edit]
    ) throws -> [(secret: ClearSecret, reason: String)] {
        let kind = TextKind.of(path)
        guard kind != .keys else { return [] }
        let known = found.map(\.range) + edits.flatMap { [$0.range] + $0.more }
        let sorted = known.sorted { $0.lowerBound < $1.lowerBound }
        let copies = try ClearCopies(edits, in: bytes)
        let text = FileText(bytes: bytes)
        var (next, end) = (0, 0)
        return try TextFinder.secrets(in: bytes, path, kind).compactMap { other in
            while next < sorted.count, sorted[next].lowerBound < other.range.upperBound {
                end = max(end, sorted[next].upperBound)
                next += 1
            }
            // Copies of what moves are told by themselves.
            guard end <= other.range.lowerBound, !text.asksZamok(at: other.range.lowerBound),
                try !copies.looks(for: [UInt8](exposing: other.secret))
            else {
                return nil
            }
            return (other, "it is written in a form that is not moved; change it by hand")
        }
    }

    private func plan(
        _ planned: inout Planned, _ found: [ClearSecret], _ place: Place, _ location: FileLocation, _ text: FileText,
        _ path: String
    ) throws {
        if let reason = reasonToStay(place, location, text) {
            planned.staying = found.map { ($0, reason) }
            return
        }
        var edits = Edits()
        for secret in found {
            do {
                guard secret.range.count <= Self.largestSecret else {
                    throw Refusal("it has more than \(Self.largestSecret) bytes")
                }
                guard edits.list.count < Self.mostSecrets else {
                    throw Refusal(Self.isNext)
                }
                edits.append(try edit(secret, place, text, location, after: edits))
            } catch let refusal as Refusal {
                planned.staying.append((secret, refusal.message))
            } catch let refusal as MovedItems.Refusal {
                planned.staying.append((secret, refusal.message))
            }
        }
        guard !edits.list.isEmpty else { return }
        try take(&planned, edits.list, found, place, location, text, path)
        planned.staying.sort { $0.secret.range.lowerBound < $1.secret.range.lowerBound }
        guard let plan = planned.plan else { return }
        planned.lines = try planned.edits.map(line)
        if let after = plan.changes.last?.after {
            planned.copies = try ClearCopies(planned.edits, in: text.bytes).lines(in: after)
        }
    }

    /// How often a file is changed and read anew at most to find the changes after which it is read as before.
    private static let mostTries = 64

    /// Takes the changes after which the program reads the file as before; the others' secrets stay, with the reason.
    private func take(
        _ planned: inout Planned, _ edits: [Edit], _ found: [ClearSecret], _ place: Place, _ location: FileLocation,
        _ text: FileText, _ path: String
    ) throws {
        var open = [Self.units(edits)]
        var tries = 0
        var next: [ClearSecret] = []
        defer { planned.staying += next.map { ($0, Self.isNext) } }
        while let units = open.popLast() {
            let wanted = planned.edits + units.joined()
            do {
                tries += 1
                let plan = try plan(place, location, text, wanted)
                let moved = Set(wanted.map(\.secret.range))
                let staying = found.filter { !moved.contains($0.range) }
                next = try check(plan.changes.last?.after, place, path, text.bytes, found, staying: staying)
                (planned.plan, planned.edits) = (plan, wanted)
            } catch {
                guard let reason = (error as? Refusal)?.message ?? (error as? ClearFile.Refusal)?.message else {
                    throw error
                }
                guard units.count > 1, tries + open.count < Self.mostTries else {
                    planned.staying += units.joined().map { ($0.secret, reason) }
                    continue
                }
                open += [Array(units[(units.count / 2)...]), Array(units[..<(units.count / 2)])]
            }
        }
    }

    /// The changes that are made together or not at all: those of one range.
    private static func units(_ edits: [Edit]) -> [[Edit]] {
        var units: [[Edit]] = []
        var known: [Range<Int>: Int] = [:]
        for edit in edits {
            if let index = known[edit.range] {
                units[index].append(edit)
            } else {
                known[edit.range] = units.count
                units.append([edit])
            }
        }
        return units
    }

    /// Why nothing of a file moves; nil: what its program is started by fits the whole file.
    private func reasonToStay(_ place: Place, _ location: FileLocation, _ text: FileText) -> String? {
        if isEnvironment(place, location) {
            do { _ = try EnvironmentText.lines(String(decoding: text.bytes, as: UTF8.self)) } catch {
                return "zamok run does not read its file: \(error.message)"
            }
        }
        let lines = place.word == "pgpass" ? text.text(0..<text.bytes.count).split(separator: "\n") : []
        return lines.count { !$0.hasPrefix("#") } > 1
            ? "its program would give PGPASSWORD to each server of the file; change it by hand" : nil
    }

    private func line(_ edit: Edit) throws -> Line {
        Line(
            number: edit.secret.line, what: edit.secret.rule.identifier,
            masked: try MaskedSecret.text(edit.secret.secret),
            replacement: String(decoding: edit.by, as: UTF8.self), item: edit.item)
    }

    private func plan(_ place: Place, _ location: FileLocation, _ text: FileText, _ edits: [Edit]) throws -> MovePlan {
        var plan = MovePlan(place: place.word, program: place.program)
        var items: Set<MovedItem> = []
        for edit in edits {
            guard let item = edit.item, items.insert(item).inserted else { continue }
            plan.items.append((item, edit.stored))
        }
        // git takes the first line of a server, and its helper the newest item.
        if case .helper("git") = place.move { plan.items.reverse() }
        var after: [UInt8]?
        var isProgram = false
        switch place.move {
        case .agent: after = nil
        case .helper("docker"): after = try docker(text, edits)
        default:
            guard
                let changed = text.replacing(
                    edits.flatMap { edit in
                        [(edit.range, edit.by)] + edit.more.map { ($0, []) }
                    })
            else { throw Refusal("it overlaps another secret; change it by hand") }
            after = changed
            isProgram = changed.starts(with: Array("#!".utf8)) && !text.bytes.starts(with: Array("#!".utf8))
        }
        var own: [String] = []
        let configurations = try configure(place, location, edits, &after, &own)
        plan.changes =
            configurations + [
                MovePlan.Change(location, before: text.bytes, after: after, isProgram: isProgram, shown: own)
            ]
        if case .agent = place.move { plan.changes.insert(contentsOf: try publicHalf(location, text.bytes), at: 0) }
        plan.start = start(place, location, edits)
        return plan
    }

    /// The changes of other files that `zamok setup` makes. If the configuration is the file itself, it changes that.
    private func configure(
        _ place: Place, _ location: FileLocation, _ edits: [Edit], _ after: inout [UInt8]?,
        _ own: inout [String]
    ) throws -> [MovePlan.Change] {
        let program: String
        switch place.move {
        case .helper(let name): program = name
        case .agent: program = "ssh"
        default: return []
        }
        var changes: [MovePlan.Change] = []
        var done: Set<String> = []
        for edit in edits {
            guard let item = edit.item, done.insert(edit.profile).inserted,
                let setup = try setup(program, item, edit.profile)
            else { continue }
            if setup.location.bytes == location.bytes {
                let changed = try after.map { Array(try setup.applied(String(decoding: $0, as: UTF8.self)).utf8) }
                if changed != after { own += setup.shown }
                after = changed
                continue
            }
            let index = changes.firstIndex { $0.location == setup.location }
            let before = try index.map { changes[$0].before } ?? ClearFile(setup.location).bytes()
            let read = index.map { changes[$0].after } ?? before
            let text = read.flatMap { String(validUTF8: $0) }
            guard (text == nil) == (read == nil) else {
                throw Refusal("\(setup.location) is not text (UTF-8); nothing was changed")
            }
            let applied = Array(try setup.applied(text).utf8)
            let shown = (index.map { changes[$0].shown } ?? []) + setup.shown
            let change = MovePlan.Change(
                setup.location, isConfiguration: true, before: before, after: applied, shown: shown)
            if let index { changes[index] = change } else { changes.append(change) }
        }
        return changes.filter { $0.after != $0.before }
    }

    // MARK: Checks

    /// Reads the changed file as its program does: the secrets that moved are not there, the others are, and what was
    /// JSON is JSON. Returns those behind the last one that was found before: a text is searched for so many alone.
    private func check(
        _ after: [UInt8]?, _ place: Place, _ path: String, _ before: [UInt8], _ found: [ClearSecret],
        staying: [ClearSecret]
    ) throws -> [ClearSecret] {
        guard let after else { return [] }
        let text = FileText(bytes: after)
        // A command that prints the secret is none.
        let read = try place.read(after, path).filter { !text.asksZamok(at: $0.range.lowerBound) }
        let isCut = if case .mask = place.move { found.count >= TextFinder.most } else { false }
        let end = found.last.map { after.count - (before.count - $0.range.upperBound) } ?? after.count
        let next = isCut ? read.filter { $0.range.lowerBound >= end } : []
        let left = isCut ? read.filter { $0.range.lowerBound < end } : read
        let isSame =
            try left.count == staying.count
            && zip(left.sorted { $0.range.lowerBound < $1.range.lowerBound }, staying).allSatisfy {
                try $0.rule.identifier == $1.rule.identifier && $0.secret.isEqual(to: $1.secret)
            }
        guard isSame else { throw Refusal("without it, its file would not be read as before; change it by hand") }
        guard JSONValue(json: before) == nil || JSONValue(json: after) != nil else {
            throw Refusal("without it, its file would not be JSON; change it by hand")
        }
        return next
    }

    // MARK: Starting

    /// The command that a program is called by, where it is not the word of its place. Empty: it has none, or several.
    private static let commands = [
        "claude-code": "claude", "vscode": "code", "codex-auth": "codex", "continue-yaml": "cn", "shell-gpt": "sgpt",
        "linode": "linode-cli", "scaleway": "scw", "ovh": "", "snowflake": "snowsql", "tfvars": "terraform",
        "ci": "circleci", "sentry": "sentry-cli", "expo": "eas", "huggingface": "hf", "huggingface-tokens": "hf",
        "pgpass": "psql", "pgservice": "psql", "clickhouse": "clickhouse-client", "yarn-classic": "yarn",
        "pypi": "twine", "maven": "mvn",
    ]

    /// The command that an alias can be made for. Nil: there is none.
    package static func command(_ place: Place) -> String? {
        guard case .filled(let start) = place.move else {
            let command = commands[place.word] ?? place.word
            return command.isEmpty ? nil : command
        }
        return start.split(separator: " ").first.map(String.init).flatMap { $0 == "zamok" ? nil : $0 }
    }

    private func start(_ place: Place, _ location: FileLocation, _ edits: [Edit]) -> String? {
        let file = location.shellWord
        switch place.move {
        case .variable, .environment:
            var seen: Set<String> = []
            let words = edits.compactMap { edit in
                edit.variable.flatMap { name in
                    seen.insert(name).inserted ? "--env \(name)=\(edit.item?.name ?? "")" : nil
                }
            }
            return "zamok run \(words.joined(separator: " ")) -- \(Self.command(place) ?? "PROGRAM")"
        case .filled(let start): return start.replacingOccurrences(of: "$FILE", with: file)
        case .reference:
            return Self.isEnvironmentFile(location)
                ? "zamok run --env-file \(file) -- PROGRAM" : "zamok inject -i \(file) -o NEW-FILE"
        case .agent: return "ssh, with zamok agent running"
        case .helper, .command, .mask, .clearOnly: return nil
        }
    }

    /// Whether `zamok run` reads the file.
    func isEnvironment(_ place: Place, _ location: FileLocation) -> Bool {
        if case .reference = place.move { Self.isEnvironmentFile(location) } else { false }
    }

    static func isEnvironmentFile(_ location: FileLocation) -> Bool {
        let name = String(decoding: location.name, as: UTF8.self)
        return name == ".env" || name.hasPrefix(".env.") || name.hasSuffix(".env")
    }
}
