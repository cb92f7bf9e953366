// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// `zamok erase`
struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Destroy all keys of the home, and so everything in it.",
        discussion: """
            The epoch is zeroed, so that nothing opens any more, in the time of two writes whatever the amount of data; then the \
            files are removed. There is no way back. It works in every state, without the passcode: whoever may delete the files \
            may erase them. What is unlocked is locked first, for every process. Copies made before keep their keys, and so may the old blocks of an SSD.

            EXAMPLES:
              zamok erase
              zamok erase --yes
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Don't ask.")
    var yes = false

    func run() throws {
        guard Session.userName(global.choice) == nil else {
            throw CommandFailure.usage("erase is for the whole home; one user goes with: zamok users remove NAME")
        }
        let configuration = Session.configuration()
        guard try yes || Question.ask("Type erase to destroy everything in this home: ") == "erase" else {
            throw CommandFailure.status(-128, "not erased")
        }
        try Home.erase(configuration)
        try Channel.error.line("The home is erased.")
    }
}
