// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files verify`
struct FilesVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read protected files whole, and tell what is damaged, exchanged or missing.",
        discussion: """
            Folders are gone through. Nothing is changed. Exchanged and missing files are noticed in folders with an index.

            Status: 0 all is well, 1 findings, 2 something could not be looked at (because it is locked, for example).

            EXAMPLES:
              zamok files verify ~/Documents
              zamok files verify --json ~/Documents
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    @Flag(help: "Report folders without an index, where exchanged files can't be noticed.")
    var indexed = false

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        var findings = FilesFindings(isJSON: json)
        if indexed { try reportFolders(store, &findings) }
        let files = try FoundFiles.all(paths, store)
        let bar = RateBar(all: files.reduce(0) { $0 + $1.size })
        for file in files {
            try look(at: file, store, bar, &findings)
            bar.advance(file.size)
        }
        bar.clear()
        try findings.conclude()
    }

    private func reportFolders(_ store: ProtectedFileStore, _ findings: inout FilesFindings) throws {
        for path in paths.map(\.location) where (try? store.isIndexed(path)) == false {
            try findings.add(path, "noIndex", "\(path): the folder has no index")
        }
    }

    private func look(
        at file: FoundFile, _ store: ProtectedFileStore, _ bar: RateBar, _ findings: inout FilesFindings
    ) throws {
        let path = file.location
        do {
            switch file.kind {
            case .protected, .unusable: break
            case .unprotected: if !file.isNamed { return }
            case .missing, .folder, .other, .leftover, .clearLeftover, .home:
                bar.clear()
                return try findings.add(path, "missing", "\(path): missing; the folder's index knows it")
            }
            let info = try store.verify(path) { done, _ in bar.update("\(path)", done) }
            if info.hasDamagedHalf {
                bar.clear()
                try findings.add(
                    path, "damagedHalf", "\(path): half of its header is damaged; the next change mends it"
                )
            }
        } catch let error as ProtectedFileError {
            bar.clear()
            try findings.add(path, error)
        }
    }
}
