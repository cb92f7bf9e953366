// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files default`
struct FilesDefault: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Show or set the class that new files of a folder get.",
        discussion: """
            Folders below it have the same one, unless they have their own; folders of other users end that. Files that are there keep theirs.

            Where the files remember a default class or an index whose record (.zamok-folder) is not there any more, no class is taken for \
            granted: put the record back, or go on without it with --adopt.

            EXAMPLES:
              zamok files default ~/Documents --class complete
              zamok files default ~/Documents
              zamok files default ~/Documents --class complete --adopt
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A folder.")
    var folder: FileWord

    @Option(name: .customLong("class"), help: ArgumentHelp("The protection class.", valueName: "class"))
    var protection: ProtectionWord?

    @Flag(help: "Take the folder's own default class away.")
    var clear = false

    @Flag(help: "Go on though the folder's files remember another record.")
    var adopt = false

    func validate() throws {
        if adopt, !clear, protection == nil { throw ValidationError("--adopt goes with --class or --clear") }
        if clear, protection != nil { throw ValidationError("--clear and --class exclude each other") }
    }

    func run() throws {
        let store = try FilesCommand.store(global.choice)
        if protection != nil || clear {
            return try store.setDefaultProtection(
                protection?.protection, forFolder: folder.location, adopting: adopt)
        }
        guard let found = try store.defaultProtection(forFolder: folder.location) else {
            throw CommandFailure.status(-25_300, "\(folder.location) has no default class")
        }
        try Channel.output.line(ProtectionWord.word(found))
    }
}
