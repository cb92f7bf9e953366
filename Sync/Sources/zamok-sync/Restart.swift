// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KeychainSync
import SyncEngines
import SyncLog

struct Restart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Found the log anew after its engine lost it, or follow where another machine did.",
        discussion: """
            On one machine first, the one that was used last: it founds the log anew with what it has, and shows words. Then on each of the others, which show the same words, and send what \
            the first one lacked. Tickets and the recovery code end. Refused as long as the engine has everything, or a machine can give it back. Who was added in \
            what is lost joins again.

            EXAMPLES:
              zamok sync restart
              zamok sync restart --lost
            """)

    @OptionGroup var options: Options
    @Flag(help: "The machines that have more of the log than this one are lost: found it without what only they had.")
    var lost = false

    func run() async throws {
        var sync = try options.sync()
        let hasFollowed = try await sync.followRestart(confirm: areSame)
        let words = hasFollowed ? sync.headWords : try await sync.restart(isAlone: lost)
        let account = "\(sync.engineURL)#\(EngineName.account(sync.member.replica.state.account))"
        if options.json {
            return try printJSON(["account": account, "words": words, "founded": hasFollowed ? "elsewhere" : "here"])
        }
        if hasFollowed { return print("followed; the account is now \(account)") }
        print(
            "founded anew: \(account)\n\n    \(words)\n\nOn each other machine: zamok sync restart, and compare these words."
        )
    }
}
