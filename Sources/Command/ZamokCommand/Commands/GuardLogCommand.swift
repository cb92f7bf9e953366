// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import Readers

/// `zamok guard log`
struct GuardLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show what guests used, changed and were refused, from the access log.",
        discussion: """
            Lines are there while the access log is on (zamok log on): each secret given, each change, each refused call, each begin and end of a guest, and each layer that was \
            left out by --without. Of a guest's refused calls 100 a minute have a line, and another says how many more there were. With the network: each request that got \
            a secret, each answer that was searched for one, and each refused request, with method, host and path.

            What is wrong with the log is told on standard error, and the status is 1.

            EXAMPLES:
              zamok guard log
              zamok guard log builder
              zamok guard log builder --json | jq 'select(.why)'
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("Only lines of this guest.", valueName: "name"))
    var name: String?

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() throws {
        let log = try LogCommand.open(global)
        let bar = ProgressBar()
        let printer = Printer(json: json)
        let answer = LongAnswer(head: printer.head(GuestLine.head))
        var report: AccessReport
        var hasLines = false
        do {
            defer { bar.finish() }
            report = try log.read(progress: LogCommand.shown(by: bar)) { line in
                guard let one = GuestLine(line), name.map({ $0 == one.guest }) ?? true else { return }
                hasLines = true
                try answer.append([try printer.row(one, \.json, \.cells)])
            }
        }
        try answer.finish()
        if let name, !hasLines { try Channel.error.line("zamok: the access log has no lines of \(name.printable)") }
        guard try LogCommand.tell(report.findings) else { throw CommandFailure.silent(ExitStatus.findings) }
    }
}

/// A line of the access log that is about a guest.
private struct GuestLine {
    static let head = ["TIME", "GUEST", "USE", "WHAT", "REQUEST", "PROCESS"]

    let guest: String
    private let line: AccessLine

    /// Nil: it is about another program.
    init?(_ line: AccessLine) {
        guard let guest = line.guest else { return nil }
        (self.guest, self.line) = (guest, line)
    }

    var cells: [String] {
        [
            line.timeText, guest.printable, line.useText, line.nameText, request?.printable ?? "-",
            "\(line.client?.process ?? 0)",
        ]
    }

    /// In words.
    private var request: String? {
        line.request.map { request in
            let word = request.isSearch ? AccessLine.search : request.method ?? ""
            return [word, (request.host ?? "") + request.path].filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// Of a refused call: why, the action, and the group that it named.
    private var refusal: (why: String, action: String?, group: String?)? {
        if line.operation == AccessOperation.refusedUse.rawValue { return (line.name, nil, nil) }
        guard line.operation == AccessOperation.refused.rawValue else { return nil }
        guard let colon = line.name.range(of: ": ") else { return (line.name, nil, nil) }
        let rest = line.name[colon.upperBound...].split(separator: " ", maxSplits: 1).map(String.init)
        return (String(line.name[..<colon.lowerBound]), rest.first, rest.count > 1 ? rest[1] : nil)
    }

    var json: JSON {
        let refusal = refusal
        return .known([
            ("line", .number(Int64(clamping: line.number))), ("time", .text(line.timeText)),
            ("guest", .text(guest)),
            ("use", .text(line.useText)), ("what", refusal != nil || line.name.isEmpty ? nil : .text(line.name)),
            ("why", refusal.map { .text($0.why) }), ("action", refusal?.action.map { .text($0) }),
            ("group", refusal?.group.map { .text($0) }), ("search", line.request?.isSearch == true ? .bool(true) : nil),
            ("method", line.request?.method.map { .text($0) }),
            ("host", line.request?.host.map { .text($0) }),
            ("path", line.request.flatMap { $0.path.isEmpty ? nil : .text($0.path) }),
            ("process", .number(Int64(line.client?.process ?? 0))),
            ("lost", line.lost == 0 ? nil : .number(Int64(line.lost))),
        ])
    }
}
