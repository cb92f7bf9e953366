// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files index`
struct FilesIndex: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Notice exchanged, rolled back and missing files of a folder.",
        discussion: """
            With an index the folder remembers which state of which file belongs under which name. It begins with the files that are there, \
            which must be unlocked.

            EXAMPLES:
              zamok files index ~/Documents
              zamok files index ~/Documents --off
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A folder.")
    var folder: FileWord

    @Flag(help: "Take the index away.")
    var off = false

    func run() throws {
        try FilesCommand.unlockedStore(global.choice).setIndexed(!off, folder: folder.location)
    }
}
