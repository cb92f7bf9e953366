// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files info`
struct FilesInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tell class, length and state of protected files.",
        discussion: """
            Works while locked, too: then "not verified" says that this is what the file claims.

            EXAMPLES:
              zamok files info notes.txt
              zamok files info --json *.pdf
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files.")
    var paths: [FileWord]

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() throws {
        let store = try FilesCommand.store(global.choice)
        for path in paths.map(\.location) {
            let info = try store.info(of: path)
            try Channel.output.line(json ? FilesPrinter.json(path, info).line : FilesPrinter.text(path, info))
        }
    }
}
