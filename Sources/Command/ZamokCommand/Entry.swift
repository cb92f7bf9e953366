// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import Readers

/// The entry point of the process.
@main
enum Entry {
    static func main() {
        if CommandLine.argc > 2, CommandLine.arguments[1] == InsideGuard.word {
            exit(InsideGuard.run(Array(CommandLine.arguments.dropFirst(2))))
        }
        ProcessSetup.begin()
        var words: [String] = []
        do {
            let given = ProgramArguments.kept(of: try CommandWords.read())
            words = SyncWords.ordered(CredentialHelpers.words(CommandWords.program, given))
            if words.first != "security" { words = CommandWords.withEmptyValues(words) }
            AccessContext.processSource = CredentialHelpers.accessSource(words)
            if try CredentialHelpers.run(words) { return }
            if words.first == "security", words.count > 1, !["-h", "--help"].contains(words[1]) {
                return try SecurityCommand.run(Array(words.dropFirst()))
            }
            if words.first == "help", try Help.answers(words.dropFirst()) { return }
            if words == ["--version"] { return try Channel.output.line(Version.text) }
            if let plain = PlainCommand(words[...]) {
                try plain.run()
            } else {
                var command = try RootCommand.parsed(words)
                guard !(command is any AsyncParsableCommand) else { runAsynchronously(words) }
                try command.run()
            }
        } catch {
            exit(tell(error, words))
        }
    }

    /// Parses the arguments again, since a command can't be passed to a task. The main thread only waits.
    private static func runAsynchronously(_ words: [String]) -> Never {
        Task {
            do {
                guard var command = try RootCommand.parsed(words) as? any AsyncParsableCommand else {
                    return exit(ExitStatus.usage)
                }
                try await command.run()
                exit(0)
            } catch {
                exit(tell(error, words))
            }
        }
        dispatchMain()
    }

    /// Reports an error on one line, and returns the exit status.
    private static func tell(_ error: any Error, _ words: [String]) -> Int32 {
        let failure = failure(for: error, words)
        if let message = failure.message {
            try? Channel.error.line("zamok: \(message)")
        }
        return failure.exitStatus
    }

    private static func failure(for error: any Error, _ words: [String]) -> CommandFailure {
        if let known = CommandFailure(error) { return known }
        let code = RootCommand.exitCode(for: error)
        guard code != .success else {
            // Help, version and completion scripts are "errors" of the parser.
            do {
                try Channel.output.line(Help.page(RootCommand.fullMessage(for: error, columns: Help.unbroken)))
                return .silent(0)
            } catch {
                return CommandFailure(error) ?? .silent(ExitStatus.findings)
            }
        }
        if let miss = NearMisses.unknown(words) { return .usage(NearMisses.text(miss)) }
        let lines = RootCommand.fullMessage(for: error).split(separator: "\n")
        let help = lines.last { $0.contains(" --help' for more information") }
        let isWithoutValue = lines.first?.contains("Missing value for '") == true
        let value = isWithoutValue ? ". A value that begins with a dash or is empty is given as --option=VALUE" : ""
        let mark = words.first == "run" && !words.contains("--") ? ". The program comes after --" : ""
        let hint = value + mark + (help.map { " (" + $0.drop { $0 == " " } + ")" } ?? "")
        let said = NearMisses.unechoed(NearMisses.plausible(RootCommand.message(for: error)), words)
        return CommandFailure(exitStatus: code.rawValue, message: oneLine(said) + hint)
    }

    /// The parser prints suggestions on separate lines.
    private static func oneLine(_ message: String) -> String {
        let lines = message.split(separator: "\n").map { $0.drop { " -".contains($0) } }
        guard let first = lines.first, lines.count > 1 else { return message }
        return "\(first) \(lines.dropFirst().joined(separator: ", "))."
    }
}
