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
            which must be unlocked. Folders below it have none of their own from that.

            Given again, or after --off, it takes nothing that it denies, and says what that is; --adopt begins anew with what is there now. \
            So does it where the folder's record was removed.

            EXAMPLES:
              zamok files index ~/Documents
              zamok files index ~/Documents --adopt
              zamok files index ~/Documents --off
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A folder.")
    var folder: FileWord

    @Flag(help: "Take the index away.")
    var off = false

    @Flag(help: "Begin anew with the files that are there, whatever the index knew.")
    var adopt = false

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        try store.setIndexed(!off, folder: folder.location, adopting: adopt)
    }
}
