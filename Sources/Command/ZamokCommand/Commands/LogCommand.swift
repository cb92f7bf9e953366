// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import Readers

/// `zamok log`
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show which program used which secret, when, and by which API or helper.",
        discussion: """
            Off until zamok log on. Then each process writes a line before it gives out the secret of an item: its program, its parent, who asked it, the item, the use, the source. Lines are \
            sealed: writing works while locked, reading needs an unlocked home. They are chained, so that a line that was changed, dropped or cut off is named by log verify, and by log \
            (status 1). It refuses no access, and is no boundary between programs of one user: one that runs while the home is unlocked can get around it. Every user has a log of their own.

            EXAMPLES:
              zamok log on
              zamok log --last 20
              zamok log --follow --json
              zamok log verify
            """,
        subcommands: [
            LogShow.self, LogOn.self, LogOff.self, LogStatus.self, LogVerify.self, LogClear.self,
        ],
        defaultSubcommand: LogShow.self
    )

    static func open(_ global: GlobalOptions) throws -> AccessLog {
        try AccessLog.of(try ChosenHome.openUnlocked(global.reading))
    }

    /// Progress over the segments that were checked, shown if it takes longer than a second.
    static func shown(by bar: ProgressBar) -> (UInt64, UInt64) -> Void {
        { bar.update(Int(clamping: $0), of: Int(clamping: $1), isSlow: true) }
    }

    /// Prints each finding on a line of standard error. Returns true if there is none.
    static func tell(_ findings: [AccessFinding]) throws -> Bool {
        for finding in findings { try Channel.error.line("zamok: access log: \(finding.text)") }
        return findings.isEmpty
    }
}

/// `zamok log show`
struct LogShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the lines, the oldest first.",
        discussion: """
            What is wrong with the log is told on standard error, and the status is 1. A path that is longer than 104 bytes is shown by its end, a name longer than 56 by its beginning.

            EXAMPLES:
              zamok log
              zamok log show --last 20
              zamok log --follow
              zamok log --json | jq 'select(.source == "agent")'
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only so many of the youngest lines.", valueName: "lines"))
    var last: UInt64?

    @Flag(name: [.long, .customShort("f")], help: "Go on with lines as they come, until it is ended.")
    var follow = false

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() throws {
        let log = try LogCommand.open(global)
        let bar = ProgressBar()
        let answer = LongAnswer(head: Printer(json: json).head(LogLine.head))
        let printer = Printer(json: json)
        var report: AccessReport
        do {
            defer { bar.finish() }
            report = try log.read(last: last, progress: LogCommand.shown(by: bar)) { line in
                try answer.append([try printer.row(line, { LogLine($0).json }, { LogLine($0).cells })])
            }
        }
        try answer.finish()
        let isWhole = try LogCommand.tell(report.findings)
        guard follow else {
            guard isWhole else { throw CommandFailure.silent(ExitStatus.findings) }
            return
        }
        var known = report.findings
        while true {
            Thread.sleep(forTimeInterval: 0.25)
            guard try log.nextNumber() != report.next else { continue }
            let from = report.next
            report = try log.read(from: from, verifiesAll: false) { line in
                try printer.answer(LogLine(line).json, LogLine(line).cells.joined(separator: "\t"))
            }
            _ = try LogCommand.tell(report.findings.filter { !known.contains($0) })
            known += report.findings
        }
    }
}

/// A line of the log in the output for users and scripts.
private struct LogLine {
    static let head = ["LINE", "TIME", "USE", "SOURCE", "PROGRAM", "ITEM"]

    private let line: AccessLine

    init(_ line: AccessLine) { self.line = line }

    private var source: String { AccessSource(rawValue: line.source)?.name ?? "\(line.source)" }
    private var itemClass: String? {
        [1: "generic password", 2: "internet password", 3: "certificate", 4: "key"][line.itemClass]
    }

    var cells: [String] {
        let program = Self.text(line.client ?? line.program)
        let behind = line.client == nil ? Self.text(line.parent) : Self.text(line.program)
        let word = line.client == nil ? "of" : "by"
        return [
            "\(line.number)", line.timeText, line.useText, source, "\(program), \(word) \(behind)", line.nameText,
        ]
    }

    private static func text(_ program: AccessLine.Program) -> String {
        (program.path.isEmpty ? "(not known)" : program.path.printable) + " (\(program.process))"
    }

    private static func json(_ program: AccessLine.Program) -> JSON {
        .known([
            ("process", .number(Int64(program.process))), ("path", program.path.isEmpty ? nil : .text(program.path)),
        ])
    }

    var json: JSON {
        .known([
            ("line", .number(Int64(clamping: line.number))), ("time", .text(line.timeText)),
            ("use", .text(line.useText)),
            ("source", .text(source)), ("user", .number(Int64(line.user))), ("program", Self.json(line.program)),
            ("parent", Self.json(line.parent)), ("client", line.client.map(Self.json)),
            ("class", itemClass.map { .text($0) }), ("item", line.name.isEmpty ? nil : .text(line.name)),
            ("uuid", line.item.allSatisfy { $0 == 0 } ? nil : .text(Self.digits(line.item))),
            ("lost", line.lost == 0 ? nil : .number(Int64(line.lost))),
        ])
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension AccessLine {
    /// When it was written, as users and scripts get it.
    var timeText: String {
        Date(timeIntervalSince1970: Double(time) / 1_000_000).formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true)) + "Z"
    }

    /// What was done.
    var useText: String { AccessOperation(rawValue: operation)?.name ?? "\(operation)" }

    /// The item's name, and how many lines before this one are missing.
    var nameText: String {
        (name.isEmpty ? "-" : name.printable) + (lost == 0 ? "" : "; \(lost) before it were not recorded")
    }
}

/// `zamok log on`
struct LogOn: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Write lines from now on, or change how many are kept.",
        discussion: """
            The first time it makes the log's keys, which needs an unlocked home. What isn't named stays as it is: at first 16 MiB and 90 days, some 32,000 lines.

            EXAMPLES:
              zamok log on
              zamok log on --size 64 --days 365
              zamok log on --require
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Most MiB of all lines, 1 to 256.", valueName: "MiB"))
    var size: UInt64?

    @Option(help: ArgumentHelp("Most days that a line is kept, up to 3650; 0: any number.", valueName: "days"))
    var days: UInt32?

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Give no secret that can't be recorded, on a full disk for example.")
    var require: Bool?

    func validate() throws {
        guard size.map({ (1...256).contains($0) }) ?? true else { throw ValidationError("--size takes 1 to 256 MiB.") }
        guard days ?? 0 <= 3650 else { throw ValidationError("--days takes 0 to 3650 days.") }
    }

    func run() throws {
        var change = AccessLog.Change()
        change.isRequired = require
        change.sizeLimit = size.map { $0 << 20 }
        change.days = days
        try AccessLog.of(try ChosenHome.openUnlocked(global.choice)).turnOn(change)
    }
}

/// `zamok log off`
struct LogOff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Write no more lines; those that are there stay.",
        discussion: """
            The last line says who turned it off.

            EXAMPLES:
              zamok log off
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws { try LogCommand.open(global).turnOff() }
}

/// `zamok log status`
struct LogStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the log is on, and how much is kept.",
        discussion: """
            Works while locked.

            EXAMPLES:
              zamok log status
              zamok log status --json
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let log = try LogCommand.open(global)
        let status = try log.status()
        let doubt = try log.doubt().map { "whether it ever was on can't be told: \($0)" }
        let known = status ?? AccessLog.Status()
        try Printer(json: json).answer(
            .known([
                ("on", .bool(known.isOn)), ("required", .bool(known.isRequired)),
                ("lines", .number(Int64(clamping: known.lines))), ("bytes", .number(Int64(clamping: known.size))),
                ("sizeLimit", status.map { .number(Int64(clamping: $0.sizeLimit)) }),
                ("days", status.map { .number(Int64($0.days)) }),
            ]),
            [
                status == nil
                    ? "off (\(doubt ?? "it was never on"))"
                    : (known.isOn ? "on" : "off") + (known.isRequired ? ", refuses what it can't record" : ""),
                "lines: \(known.lines), \(known.size >> 10) KiB" + (status.map(Self.limits) ?? ""),
            ])
    }

    private static func limits(_ status: AccessLog.Status) -> String {
        " of \(status.sizeLimit >> 10) KiB; \(status.days == 0 ? "any age" : "\(status.days) days")"
    }
}

/// `zamok log verify`
struct LogVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Look whether lines were changed, dropped, exchanged or cut off.",
        discussion: """
            Status 0: the log is whole; 1: what is wrong is named; 2: it could not be looked at, while locked for example. Lines of the last seconds before a power cut may be missing.

            EXAMPLES:
              zamok log verify
              zamok log verify --json
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let report: AccessReport
        do {
            let bar = ProgressBar()
            defer { bar.finish() }
            report = try LogCommand.open(global).read(from: .max, progress: LogCommand.shown(by: bar)) { _ in }
        } catch {
            throw CommandFailure(exitStatus: ExitStatus.notRun, message: CommandFailure(error)?.message ?? "\(error)")
        }
        try Printer(json: json).answer(
            .object([
                ("whole", .number(Int64(clamping: report.whole))), ("first", .number(Int64(clamping: report.first))),
                ("next", .number(Int64(clamping: report.next))),
                ("findings", .texts(report.findings.map(\.text))),
            ]), "\(report.whole) lines are whole, from \(report.first) on")
        guard try json ? report.findings.isEmpty : LogCommand.tell(report.findings) else {
            throw CommandFailure.silent(ExitStatus.findings)
        }
    }
}

/// `zamok log clear`
struct LogClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove all lines and begin anew, with new keys.",
        discussion: """
            Also where the log is damaged. Needs an unlocked home. The first line of the new log says who did it, and its number goes on from the old ones.

            EXAMPLES:
              zamok log clear --yes
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Don't ask.")
    var yes = false

    func run() throws {
        let log = try LogCommand.open(global)
        try Question.confirm("Type clear to remove all lines: ", by: ["clear"], isGiven: yes, or: "nothing was removed")
        try log.clear()
    }
}
