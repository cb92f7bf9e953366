// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import ProtectedFiles

/// `zamok files move`
struct FilesMove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Rename a protected file, as its folder's index has to be told.",
        discussion: """
            In a folder with an index (zamok files index) a file that mv renamed is taken for an exchanged one: this tells the index. It works in folders without one, and while \
            locked, too; old and new name are on one file system. Nothing is replaced, except with --replace.

            EXAMPLES:
              zamok files move notes.txt 2026.txt
              zamok files move notes.txt ~/Documents/Archive
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The file.")
    var file: FileWord

    @Argument(help: "Its new name, or a folder to move it to.")
    var target: FileWord

    @Flag(help: "Replace the file that has the new name.")
    var replace = false

    func run() throws {
        let store = try FilesCommand.store(global.reading)
        let isFolder = (try? OpenFile.status(of: target.location, FileHooks())?.kind) == .folder
        let place = isFolder ? target.location.appending(file.location.name) : target.location
        try store.move(file.location, to: place, options: replace ? [] : [.withoutOverwriting])
    }
}
