// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files rewrap`
struct FilesRewrap: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewrap",
        abstract: "Wrap files' keys anew after the passcode's keys were replaced.",
        discussion: """
            Setting and removing a passcode draws new class keys. Files stay under the retired ones until they are opened for changes, or \
            until this; the retired ones stay until zamok doctor --remove-retired-keys. Content is not touched. Without paths: in all folders in \
            which this home has sealed files, and below them. Files that were copied or moved elsewhere are found only by their paths.

            EXAMPLES:
              zamok files rewrap
              zamok files rewrap /media/stick/Documents
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files and folders.")
    var paths: [FileWord] = []

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        guard paths.isEmpty else {
            return try FilesRun(paths, store).run { file, _ in
                if file.isClear, !file.isNamed { return .skipped }
                return try store.rewrap(file.location) ? .done : .skipped
            }
        }
        let left = try store.rewrapKnownFolders()
        for file in left { try Channel.error.line("zamok: \(file.reason.message)") }
        if let first = left.first { throw CommandFailure.silent(CommandFailure(first.reason).exitStatus) }
    }
}
