// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `zamok share`: starts `zamok-sync share` from the folder of this program.
struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Share some secrets with other persons: a family, a team.",
        discussion: """
            Each person has an account of sync. A group's items are those of the access group shared.NAME. An engine that learns nothing keeps them sealed to the members' machines. This is \
            the program zamok-sync, which has to lie beside zamok. Its options: zamok share --help.

            EXAMPLES:
              zamok share create family --engine file:///srv/family --as Anna
              zamok share invite family --as Ben --role writer
              zamok share accept ~/invitation
              zamok share copy wifi/home family
              zamok share sync
              zamok share members family
              zamok share remove family Ben
            """)

    @Argument(
        parsing: .captureForPassthrough, help: "The words of zamok-sync share.", completion: SyncWords.shareCompletion)
    var words: [String] = []

    func run() throws {
        try ProgramBeside(name: "zamok-sync", script: "Scripts/build-sync").start(["share"] + words, self)
    }
}
