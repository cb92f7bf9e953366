// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `zamok-profiles`, which `zamok profiles` runs.
@main
struct ZamokProfiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zamok-profiles",
        abstract: "Read, verify and check provisioning profiles, apps and build settings before an app ships.",
        discussion: """
            Works offline and on Linux. Exit status: 0 clean, 1 findings (warnings or errors), 2 something could not be \
            read, 64 wrong usage. Device identifiers and names of people are shortened unless --full is given.

            EXAMPLES:
              zamok profiles show App.mobileprovision
              zamok profiles verify Signing/ --warn-days 45
              zamok profiles check App.ipa --configuration AppStore
            """,
        subcommands: [Show.self, Verify.self, Check.self, List.self, Install.self])
}
