// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `zamok tour`
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Show the keychain at work, with the bytes on disk beside each call.",
        discussion: """
            Stores, finds, updates and shares items with Apple's calls, provokes their errors, locks and unlocks, and searches every file \
            for what was stored; then protects files, and attacks them, and lets two people share one app. All of it is real, in a home of its own in a temporary folder, which is removed at the end; \
            your own home is not touched. It takes a few seconds. Status 1: something was not as it must be.

            EXAMPLES:
              zamok tour
              NO_COLOR=1 zamok tour | less
            """
    )

    func run() async throws {
        let wantsColours = Environment.value("NO_COLOR")?.isEmpty ?? true
        let page = TourPage(hasColours: Channel.output.isTerminal && wantsColours, channel: .output)
        guard try await Tour.play(on: page) == 0 else { throw CommandFailure.silent(1) }
    }
}
