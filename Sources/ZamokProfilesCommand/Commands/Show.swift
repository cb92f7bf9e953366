// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProvisioningProfiles

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what profiles say and who signed them.",
        discussion: """
            One profile is shown in full, several as a table. Of apps: how they are signed, and their profiles.

            EXAMPLES:
              zamok profiles show App.mobileprovision
              zamok profiles show App.ipa --json | jq .profiles[0].entitlements
            """)

    @Argument(help: "Profiles, folders of profiles, .app folders or .ipa files.")
    var paths: [String]

    @OptionGroup var trust: TrustOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let options = try Run.options(trust)
        var run = Run(options)
        for path in paths {
            run.gather(path) { run, reading in
                run.report.apps.append(reading.app)
                run.addEmbedded(reading)
            }
        }
        run.report.findings = []
        if output.json {
            Report.print(try run.report.json(options, output.shortener))
        } else {
            if !run.report.apps.isEmpty { Report.print(run.report.appTable(options, output.shortener) + "\n") }
            if run.report.profiles.count == 1, let one = run.report.profiles.first {
                Report.print(ProfileDetails(path: one.path, one.examined, at: options.now, output.shortener).text)
            } else if !run.report.profiles.isEmpty {
                Report.print(run.report.table(at: options.now))
            }
            if !run.report.failures.isEmpty { Report.print(run.report.findingsText()) }
        }
        throw ExitCode(run.report.exitStatus)
    }
}
