// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files cat`
struct FilesCat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Print the content of protected files.",
        discussion: """
            Exactly the bytes, and none of a chunk (32 KiB) that did not verify. A file that was cut, or lengthened, is refused before its \
            first byte; one that was changed further on, there: look at the status.

            EXAMPLES:
              zamok files cat notes.txt
              zamok files cat archive.tar | tar -x
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files.")
    var paths: [FileWord]

    func run() throws { try Self.print(paths.map(\.location), global.choice) }

    static func print(_ paths: [FileLocation], _ choice: HomeChoice) throws {
        let store = try FilesCommand.unlockedStore(choice)
        for path in paths { try store.read(from: path) { try Channel.output.write($0) } }
    }
}
