// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files audit`
struct FilesAudit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List what lies there in clear.",
        discussion: """
            Folders are gone through; links are not followed. Of a protected file the beginning and the length are looked at: one that is damaged, \
            or has bytes behind its end, is a finding. That no program wrote clear text over its middle is told by zamok files verify, which reads it.

            Works while locked; then what the headers say is believed, and how many those are is said. With --json a path that is no text stands \
            in "pathBytes", in Base64.

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
        var believed: [ProtectedFileError.Code: [FoundFile]] = [:]
        for file in try FoundFiles.all(paths, store, leftovers: true) {
            switch file.kind {
            case .unprotected(let size):
                let text = "\(file.location): in clear, \(RateBar.size(size))"
                try findings.add(file.location, "clear", text, size: size)
            case .unusable(let error) where error.code == .damaged:
                let text = "\(error.message) What of it is in clear can't be told."
                try findings.add(file.location, "\(error.code)", text)
            case .unusable(let error), .closedFolder(let error): try findings.add(file.location, error)
            case .protected(let info): if let obstacle = info.obstacle { believed[obstacle, default: []].append(file) }
            case .clearLeftover(let size):
                let text =
                    "\(file.location): in clear, \(RateBar.size(size)), left by a process that was ended; the next write in its folder removes it"
                try findings.add(file.location, "clear", text, size: size)
            case .missing, .folder, .other, .leftover, .home: break
            }
        }
        try say(believed)
        try findings.conclude()
    }

    /// Whose headers nobody could verify.
    private func say(_ believed: [ProtectedFileError.Code: [FoundFile]]) throws {
        for (reason, files) in believed.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let names = reason == .locked ? "" : ": " + files.prefix(3).map { "\($0.location)" }.joined(separator: ", ")
            let others = reason == .locked || files.count <= 3 ? "" : " and others"
            try Channel.error.line(
                "zamok: \(files.count) protected by what their headers say, which could not be verified (\(reason))\(names)\(others)"
            )
        }
    }
}
