// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KeychainSync

struct ShareDomains: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Choose preferences that travel, too: by the beginning of their names.",
        discussion: """
            A domain is the beginning of names: editor has the preference editor and those that are called editor.font and the like. Each machine chooses its own. The next round sends what is \
            here, and takes what the account has; where both have a value, the account's stands, and this one is among the conflicts. Settings of the app that all users share never travel.

            EXAMPLES:
              zamok sync preferences add editor
              zamok sync preferences add --all
              zamok sync preferences list --json
              zamok sync preferences remove editor
            """)

    enum Wanted: String, ExpressibleByArgument, CaseIterable { case add, remove, list }

    @OptionGroup var options: Options
    @Flag(help: "All preferences of the user.") var all = false
    @Argument(help: ArgumentHelp("What to do.", valueName: "add|remove|list")) var wanted: Wanted
    @Argument(help: ArgumentHelp("The beginning of names, up to a dot.", valueName: "domain")) var domains: [String] =
        []

    func validate() throws {
        if wanted == .list {
            guard domains.isEmpty && !all else {
                throw ValidationError("list shows all that were chosen: zamok sync preferences list")
            }
            return
        }
        guard domains.isEmpty != !all, !domains.contains("") else {
            throw ValidationError("Name domains to add or remove, or --all, as: zamok sync preferences add editor")
        }
    }

    func run() async throws {
        var sync = try options.sync()
        switch wanted {
        case .add: try sync.addPreferences(all ? [""] : domains)
        case .remove: try sync.removePreferences(all ? [""] : domains)
        case .list: break
        }
        // Systemd is to look at the file of preferences, or no longer.
        if wanted != .list { try AutoUnits(options).refresh() }
        let chosen = sync.preferenceDomains
        if options.json { return try printJSON(Answer(all: chosen.contains(""), domains: chosen.filter { $0 != "" })) }
        if wanted == .list {
            for domain in chosen { print(domain.isEmpty ? "all" : domain) }
        } else {
            let stay =
                chosen.isEmpty ? "no preferences travel now" : "these stay here now; what travelled stays there, too"
            print(wanted == .add ? "the next round shares them: zamok sync now" : stay)
        }
    }

    struct Answer: Encodable {
        let all: Bool
        let domains: [String]
    }
}
