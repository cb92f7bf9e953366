// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files audit`
struct FilesAudit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List what lies there in clear.",
        discussion: """
            Folders are gone through; links are not followed. Works while locked.

            Status: 0 nothing lies there in clear, 1 findings, 2 something could not be looked at.

            EXAMPLES:
              zamok files audit ~/Documents
              zamok files audit --json . | wc -l
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() throws {
        let store = try FilesCommand.store(global.choice)
        var findings = FilesFindings(isJSON: json)
        for file in try FoundFiles.all(paths, store, leftovers: true) {
            switch file.kind {
            case .unprotected(let size):
                let text = "\(file.location): in clear, \(RateBar.size(size))"
                try findings.add(file.location, "clear", text, size: size)
            case .unusable(let error) where error.code != .damaged: try findings.add(file.location, error)
            case .clearLeftover(let size):
                let text =
                    "\(file.location): in clear, \(RateBar.size(size)), left by a process that was ended; the next write in its folder removes it"
                try findings.add(file.location, "clear", text, size: size)
            case .protected, .unusable, .missing, .folder, .other, .leftover, .home: break
            }
        }
        try findings.conclude()
    }
}
