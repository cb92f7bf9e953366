// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProvisioningProfiles

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the profiles that are installed for Xcode.",
        discussion: """
            Looks into the folders of Xcode 16 and later and of earlier versions.

            EXAMPLES:
              zamok profiles list
              zamok profiles list --folder Signing --json
            """)

    @Option(help: ArgumentHelp("List this folder instead. May be repeated.", valueName: "folder"))
    var folder: [String] = []

    @OptionGroup var trust: TrustOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let options = try Run.options(trust)
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let folders = folder.isEmpty ? ProfileFolders.existing(home: home) : folder
        var run = Run(options)
        for folder in folders {
            run.attempt(folder) { run throws(ProfileError) in
                for file in try ProfileFolders.files(in: folder) { run.addProfile(file) }
            }
        }
        run.report.findings = []
        if output.json {
            Report.print(try run.report.json(options, output.shortener))
        } else if run.report.profiles.isEmpty, run.report.failures.isEmpty {
            Report.print(
                "No profiles in " + (folders.isEmpty ? "Xcode's folders." : folders.joined(separator: ", ") + "."))
        } else {
            Report.print(run.report.table(at: options.now))
            if !run.report.failures.isEmpty { Report.print(run.report.findingsText()) }
        }
        throw ExitCode(run.report.exitStatus)
    }
}
