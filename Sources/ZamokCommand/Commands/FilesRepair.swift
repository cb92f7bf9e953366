// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files repair`
struct FilesRepair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Remove what was put behind the end of protected files.",
        discussion: """
            Only of a file whose content verifies, and whose folder's index, if there is one, knows it. A damaged half of its header is \
            written anew. What was removed is not kept. Whatever else is damaged stays as it is, and is named: restore it from a backup.

            EXAMPLES:
              zamok files repair notes.txt
              zamok files repair ~/Documents
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        try FilesRun(paths, store).run(includingUnusable: true) { file, _ in
            if file.isClear, !file.isNamed { return .skipped }
            let path = file.location
            let repair = try store.repair(path)
            if repair.removedBytes > 0 {
                try Channel.output.line("\(path): \(repair.removedBytes) bytes behind its end removed")
            }
            if repair.hadDamagedHalf { try Channel.output.line("\(path): half of its header written anew") }
            return repair.removedBytes > 0 || repair.hadDamagedHalf ? .done : .skipped
        }
    }
}
