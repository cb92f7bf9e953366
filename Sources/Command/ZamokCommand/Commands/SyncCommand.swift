// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `zamok sync`: starts `zamok-sync` from the folder of this program.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Have the same synchronizable items on several machines.",
        discussion: """
            Sealed entries in a folder, in etcd or in a bucket, which learn nothing. Items that are bound to this device, or that ask for a person, never travel. This is the program zamok-sync, which \
            has to lie beside zamok, since it brings an HTTP client; another of that name in PATH is never started. Its options: zamok sync --help.

            EXAMPLES:
              zamok sync create file:///srv/zamok
              zamok sync join 'file:///srv/zamok#ACCOUNT'
              zamok sync approve CODE
              zamok sync now
              zamok sync auto on
              zamok sync devices
              zamok sync now --user Anna
            """)

    @Argument(
        parsing: .captureForPassthrough, help: "The words of zamok-sync.", completion: SyncWords.completion)
    var words: [String] = []

    func run() throws { try ProgramBeside(name: "zamok-sync", script: "Scripts/build-sync").start(words, self) }
}
