// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files open`
struct FilesOpen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Write protected files out in clear.",
        discussion: """
            Say where: -o makes a new file of mode 0600, never in the place of an existing one; --in-place takes the protection away. No file \
            gets its name before all of it was verified. It is a new file, of mode 600 and of whoever runs this: mode, owner, group, access lists and \
            extended attributes are not what they were before it was protected. In place it keeps the time of its last change.

            EXAMPLES:
              zamok files open report.pdf -o /tmp/report.pdf
              zamok files open ~/Documents --in-place
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: FilesTarget
    @OptionGroup var links: FilesLinks

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    func validate() throws {
        try target.validate(links)
        if !target.inPlace, target.output == nil { throw ValidationError("say --output or --in-place") }
    }

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        let run = try FilesRun(paths, store, allLinks: links.allLinks)
        let isMany = run.hasManyFiles
        try run.run { file, progress in
            if file.isClear, !file.isNamed { return .skipped }
            if let target = target.location(for: file, ofMany: isMany) {
                try store.open(file.location, toPlaintextAt: target, progress: progress)
            } else {
                try store.openInPlace(file.location, allLinks: run.links, progress: progress)
            }
            return .done
        }
    }
}
