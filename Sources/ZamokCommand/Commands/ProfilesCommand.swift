// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// `zamok profiles`: runs `zamok-profiles`, a program of its own so that this one carries no X.509.
struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "Read, verify and check provisioning profiles and apps (runs zamok-profiles).",
        discussion: """
            EXAMPLES:
              zamok profiles show App.mobileprovision
              zamok profiles check App.ipa --configuration AppStore
              zamok profiles help
            """
    )

    @Argument(parsing: .captureForPassthrough, help: "Words for zamok-profiles.")
    var words: [String] = []

    func run() throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appendingPathComponent("zamok-profiles")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw CommandFailure(exitStatus: 127, message: "zamok-profiles is not beside zamok; install both")
        }
        let process = Process()
        process.executableURL = program
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        let signalled = process.terminationReason == .uncaughtSignal
        throw CommandFailure.silent(process.terminationStatus + (signalled ? 128 : 0))
    }
}
