// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProvisioningProfiles

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify that Apple signed profiles, and that they are not expired.",
        discussion: """
            The chain is verified at the signing time, offline, under Apple's two pinned roots.

            EXAMPLES:
              zamok profiles verify Signing/*.mobileprovision
              zamok profiles verify App.mobileprovision --warn-days 45 --at 2026-05-31
            """)

    @Argument(help: "Profiles, folders of profiles, .app folders or .ipa files.")
    var paths: [String]

    @Flag(help: "Print SARIF 2.1.0.")
    var sarif = false

    @OptionGroup var limits: LimitOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let options = try Run.options(trust, limits)
        var run = Run(options)
        for path in paths { run.gather(path) { run, app in run.addEmbedded(app) } }
        try run.report.printResult(sarif: sarif, output, options)
    }
}
