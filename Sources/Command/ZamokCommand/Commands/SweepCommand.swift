// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import Readers
import SecretMemory
import Sweeps

/// `zamok sweep`
struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Find secrets that lie in clear in files of this machine.",
        discussion: """
            EXAMPLES:
              zamok sweep
            """)

    @Option(help: ArgumentHelp("Only this place, as --list shows it. May be repeated.", valueName: "place"))
    var only: [String] = []

    func run() throws {
        let home = Environment.value("HOME") ?? ""
        for file in Catalogue.files(home: home, only: Set(only), environment: Environment.value) {
            for secret in try file.place.secrets(in: file.location) ?? [] {
                try Channel.output.line(
                    "\(file.location):\(secret.line): \(secret.rule.identifier) \(try MaskedSecret.text(secret.secret))")
            }
        }
    }
}
