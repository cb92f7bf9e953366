// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import Foundation
import Readers
import SecretMemory
import Statuses
import Sweeps

/// `zamok sweep`
struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Find secrets that lie in clear in files of this machine.",
        discussion: """
            Looks into the files in which programs are documented to keep passwords, tokens and keys, and into any other text file for tokens of known form, values beside names \
            that mean a secret, passwords in URLs and private keys without a passphrase. Without PATHS: the home folder. A value is never printed: of 12 bytes or more the first and the \
            last two characters are. It follows no link, reads no file of another user, and leaves out binary files and folders of downloaded packages.

            --list shows the places and the forms of tokens. A baseline has fingerprints of findings that are known, under a salt of its own: enough for tokens; a weak \
            password can be found from it by trying.

            --move stores the secrets of places in the keychain, and puts in place what each program needs to go on: a helper, a command, a variable, a reference. Without PATHS it looks \
            at the places in the home folder. It shows that, asks, and says how the program is started from then on. The files as they were are sealed in the home first: --undo gives back \
            every byte, the mode and the time, of a place, a file, a folder or all, and refuses (status 45) where a file was changed since. Status 3: some secrets stay, or copies of them in the \
            same file, and each was told.

            Exit status: 0 nothing found, 1 something found, 2 not everything could be looked at; 64 a baseline can't be read or is none.

            EXAMPLES:
              zamok sweep
              zamok sweep ~/projects --json
              zamok sweep --only npm --only aws
              zamok sweep --move --dry-run
              zamok sweep --move --only npm
              zamok sweep --move ~/projects/one/.env
              zamok sweep --undo npm
              zamok sweep --moved
              zamok sweep . --write-baseline .sweep.json
              zamok sweep . --baseline .sweep.json --sarif > sweep.sarif
            """)

    @Argument(help: "Folders and files; default: the home folder.", completion: .file())
    var paths: [FileWord] = []

    @Option(
        help: ArgumentHelp("Only this place, as --list shows it. May be repeated.", valueName: "place"),
        completion: .list(Catalogue.places.map(\.word)))
    var only: [String] = []

    @Flag(help: "List the places and the forms of tokens that are known.")
    var list = false

    @Flag(help: "Read folders of downloaded packages as well, such as node_modules.")
    var packages = false

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print SARIF 2.1.0.")
    var sarif = false

    @Flag(help: "Print the last line of the report alone.")
    var quiet = false

    @Option(help: ArgumentHelp("Leave out findings that this file has.", valueName: "file"), completion: .file())
    var baseline: FileWord?

    @Option(
        help: ArgumentHelp("Write the findings' fingerprints into this file.", valueName: "file"), completion: .file())
    var writeBaseline: FileWord?

    @OptionGroup var moves: MoveOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let known = Set(Catalogue.places.map(\.word))
        if let word = only.first(where: { !known.contains($0) }) {
            throw ValidationError("\(word.printable) is no place; --list shows them.")
        }
        if [json, sarif, quiet].count(where: { $0 }) > 1 {
            throw ValidationError("--json, --sarif and --quiet exclude each other.")
        }
        guard moves.isWanted else { return }
        if list || sarif || quiet || baseline != nil || writeBaseline != nil || json && !moves.moved {
            throw ValidationError(
                "--list, --json, --sarif, --quiet, --baseline and --write-baseline go with a search; --json with --moved, too."
            )
        }
        if packages, !moves.move { throw ValidationError("--packages goes with a search and with --move.") }
    }

    func run() throws {
        if list { return try printList() }
        guard !moves.isWanted else {
            return try moves.run(
                paths.map(\.location), only: only, packages: packages, json: json, choice: global.choice)
        }
        let home = Environment.value("HOME") ?? ""
        guard !home.isEmpty || !paths.isEmpty else { throw CommandFailure.usage("HOME is not set; name the folder") }
        let known = try baseline.map(readBaseline)
        let bar = ProgressBar()
        var sweep = Sweep(home: home, environment: Environment.value)
        sweep.only = Set(only)
        sweep.includesPackages = packages
        var report = try sweep.run(paths.map(\.location)) { bar.update($0, of: nil) }
        bar.finish()
        if let known { report = try report.without(known) }
        if let writeBaseline { try write(report, to: writeBaseline) }
        if json {
            try Channel.output.line(try report.json().page)
        } else if sarif {
            try Channel.output.line(try report.sarif().page)
        } else {
            try Channel.output.lines(try SweepPrinter(report: report, home: home, now: Date()).lines(isQuiet: quiet))
        }
        if paths.isEmpty, only.isEmpty { LastSweep(date: Date(), findings: report.findings.count).write() }
        throw CommandFailure.silent(report.exitStatus)
    }

    private func readBaseline(_ file: FileWord) throws -> SweepBaseline {
        let bytes: [UInt8]
        do {
            bytes = try OpenFile.open(file.location, mode: .read, hooks: FileHooks()).read(count: SweepBaseline.largest)
        } catch {
            throw CommandFailure.usage("\(file.location) can't be read: \(error.text)")
        }
        guard let baseline = SweepBaseline(bytes) else {
            throw CommandFailure.usage("\(file.location) is no baseline of this version")
        }
        return baseline
    }

    private func write(_ report: SweepReport, to file: FileWord) throws {
        if let known = try? OpenFile.open(file.location, mode: .read, hooks: FileHooks()).read(
            count: SweepBaseline.largest), SweepBaseline(known) == nil
        {
            throw CommandFailure.status(
                .duplicateItem, "\(file.location) is there and is no baseline; nothing was written")
        }
        var baseline = try SweepBaseline()
        for finding in report.findings { try baseline.insert(finding) }
        let url = URL(fileURLWithPath: "\(file.location)")
        do {
            try Data(baseline.text.utf8).write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        } catch {
            throw CommandFailure.status(
                .inputOutput, "\(file.location) can't be written")
        }
    }

    private func printList() throws {
        let places = Catalogue.places.map {
            [
                $0.word, $0.program, ($0.files.map { "~/\($0)" } + $0.names).prefix(3).joined(separator: " "),
                $0.move.word,
            ]
        }
        let issuers = Issuer.all.map {
            ["token/\($0.word)", $0.name, $0.prefixes.prefix(3).joined(separator: " "), ""]
        }
        try Printer(json: json).rows(
            places + issuers, head: ["PLACE", "PROGRAM", "FILES", "MOVE"],
            {
                .object([
                    ("place", .text($0[0])), ("program", .text($0[1])), ("files", .text($0[2])), ("move", .text($0[3])),
                ])
            }, { $0 })
    }
}
