// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

/// `./zamok tour`
@main
enum Main {
    private static let help = """
        usage: ./zamok tour

        Shows the keychain at work, with the bytes on disk beside each call: stores, finds, updates and shares items with Apple's calls,
        provokes their errors, locks and unlocks, and searches every file for what was stored; then protects files, and attacks them, and
        lets two people share one app. All of it is real, in a home of its own in a temporary folder, which is removed at the end; your own
        home is not touched. It takes a few seconds. Status 1: something was not as it must be.

          ./zamok tour
          NO_COLOR=1 ./zamok tour | less

        """

    static func main() async {
        // Where the reader of the pipe has ended, the program goes on and removes its temporary folder.
        signal(SIGPIPE, SIG_IGN)
        CoreDumps.refuse()
        let words = CommandLine.arguments.dropFirst()
        guard words.isEmpty else {
            let isAsked = words.contains { ["-h", "--help"].contains($0) }
            try? (isAsked ? FileHandle.standardOutput : .standardError).write(contentsOf: Data(help.utf8))
            exit(isAsked ? 0 : 64)
        }
        let wantsColours = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
        do {
            let page = TourPage(hasColours: wantsColours && isatty(STDOUT_FILENO) == 1)
            exit(try await Tour.play(on: page) == 0 ? 0 : 1)
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            // The reader of the pipe has ended: the status is the one that a shell reports for SIGPIPE, without a
            // message.
            guard cause?.code != Int(EPIPE) else { exit(141) }
            try? FileHandle.standardError.write(contentsOf: Data("tour: \(error)\n".utf8))
            exit(1)
        }
    }
}
