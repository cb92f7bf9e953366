// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files reclassify`
struct FilesReclassify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reclassify",
        abstract: "Give protected files another class.",
        discussion: """
            The content is sealed anew under a new key, in the place of the file. Blocks of the old one may stay on the disk, under the old \
            class.

            EXAMPLES:
              zamok files reclassify notes.txt --class complete
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var links: FilesLinks

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    @Option(name: .customLong("class"), help: ArgumentHelp("The protection class.", valueName: "class"))
    var protection: ProtectionWord

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        let run = try FilesRun(paths, store, allLinks: links.allLinks)
        try run.run { file, progress in
            if file.isClear, !file.isNamed { return .skipped }
            try store.reclassify(
                file.location, to: protection.protection, allLinks: run.links, progress: progress)
            return .done
        }
    }
}
