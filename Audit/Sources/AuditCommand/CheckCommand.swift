// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Findings
import Foundation

extension Certainty: ExpressibleByArgument {}

/// `zamok-audit [PATH]`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Examine a folder. This is what happens without a subcommand.")

    enum Format: String, ExpressibleByArgument, CaseIterable { case terminal, json, sarif, github, xcode, html, csv }
    enum Colour: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

    @Argument(help: "The folder of the app, or one file.", completion: .directory)
    var path = "."

    @Option(help: "How to tell it: terminal, json, sarif, github (annotations), xcode, html or csv.")
    var format: Format?

    @Flag(help: "As --format csv.")
    var csv = false

    @Option(
        name: [.customShort("o"), .long], help: "The file to write; a summary goes to standard error.",
        completion: .file())
    var output: String?

    @Flag(help: "Let -o and --write-baseline replace a file that holds something else.")
    var force = false

    @Option(help: "The configuration; otherwise .zamok-audit.json in the folder, if it is there.", completion: .file())
    var config: String?

    @Option(help: "Findings in this file don't count.", completion: .file())
    var baseline: String?

    @Option(help: "Write every finding that counts into this file, for --baseline.", completion: .file())
    var writeBaseline: String?

    @Option(
        help: ArgumentHelp(
            "Only findings that were not there in this revision count; git tells what it held.", valueName: "revision"))
    var changedSince: String?

    @Flag(help: "Show the changes that remove findings as a diff; nothing is written.")
    var fix = false

    @Flag(help: "With --fix: make the changes.")
    var apply = false

    @Option(help: "Leave out what is less sure: possible, likely or sure. Default: likely.")
    var minCertainty: Certainty?

    @Option(help: ArgumentHelp("Only this rule or group; can be given again.", valueName: "rule"))
    var rule: [String] = []

    @Flag(help: "Examine code of others too: Pods, Carthage, vendored sources.")
    var includeThirdParty = false

    @Flag(help: "Examine tests too.")
    var includeTests = false

    @Flag(help: "Neither use what is known of unchanged files, nor keep it.")
    var noCache = false

    @Option(help: "How many threads read files and run rules. Default: one for each core.")
    var threads: Int?

    @Option(help: "Colours: auto, always or never.")
    var color = Colour.auto

    @Option(help: "What csv prints as the app. Default: the folder's name.")
    var app: String?

    func validate() throws {
        if apply, !fix { throw ValidationError("--apply makes the changes that --fix shows; write --fix --apply.") }
        if csv, let format, format != .csv {
            throw ValidationError("--csv and --format \(format.rawValue) exclude each other.")
        }
        if let threads, !(1...64).contains(threads) { throw ValidationError("--threads takes 1 to 64.") }
        for name in rule where !Rulebook.whole.names.contains(name) {
            throw ValidationError("There is no rule \"\(name.printable)\"; zamok-audit rules lists them.")
        }
    }

    func run() throws {
        if !force {
            if let output {
                try WrittenFile.check(output, mayBe: WrittenFile.isReport, what: "report")
            }
            if let writeBaseline {
                try WrittenFile.check(writeBaseline, mayBe: WrittenFile.isBaseline, what: "baseline")
            }
        }
        let settings = try Settings(self)
        var audit = AuditRun(settings)
        if fix { return try FixRun.run(&audit, applying: apply) }
        let report = try audit.report()
        if let writeBaseline {
            let text = Baseline(report.open, &audit.sources).text
            try Output.write(text, to: writeBaseline)
            Output.aside("\(report.open.count) findings written to \(writeBaseline.printable); use it with --baseline")
            throw ExitCode(report.unread.isEmpty ? 0 : 2)
        }
        let format = csv ? .csv : format ?? .terminal
        let text = text(report, format, settings)
        if let output {
            try Output.write(text, to: output)
            Output.aside("\(report.summary); \(report.scopeText)")
        } else {
            try Output.write(text)
        }
        if format != .terminal, format != .html {
            for part in report.unread { Output.aside("not read: \(part.path.printable): \(part.reason)") }
        }
        throw ExitCode(report.exitStatus)
    }

    private func text(_ report: Report, _ format: Format, _ settings: Settings) -> String {
        switch format {
        case .terminal: TerminalOutput(report, isColoured: isColoured).text
        case .json: Encoded.page(report)
        case .sarif: SARIFOutput.text(report)
        case .github: GitHubOutput.text(report)
        case .xcode: CompilerOutput.text(report, root: settings.absoluteRoot)
        case .html: HTMLOutput(report).text
        case .csv: CSVOutput.text(report, app: app ?? report.name)
        }
    }

    private var isColoured: Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto: output == nil && isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        }
    }
}
