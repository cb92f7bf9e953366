// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files verify`
struct FilesVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read protected files whole, and tell what is damaged, exchanged or missing.",
        discussion: """
            Folders are gone through, and so are the names that their indexes know: one that is missing, or is a link, folder, pipe or file in \
            clear now, is a finding. So is a folder's record (.zamok-folder) that its files remember and that is not there. Nothing is changed.

            Where there is no index, exchanged and missing files can't be noticed. If only some of the folders have one, the others are named; \
            with --indexed each folder without one is a finding. A protected file whose beginning was written over, or that was cut to nothing, looks \
            like any file in clear there: how many of these there are is said (with --json in an object with "note" in place of "finding").

            Status: 0 all is well, 1 findings, 2 something could not be looked at (because it is locked, or of another home, for example).

            EXAMPLES:
              zamok files verify ~/Documents
              zamok files verify --indexed --json ~/Documents
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    @Flag(help: "Report all folders without an index, where exchanged files can't be noticed.")
    var indexed = false

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        var findings = FilesFindings(isJSON: json)
        var folders: [FileLocation] = []
        let found = try paths.map { path in (path, try FoundFiles.all([path], store) { folders.append($0) }) }
        let files = found.flatMap(\.1)
        // What is wrong with these is told below.
        let closed = Set(files.filter { if case .closedFolder = $0.kind { true } else { false } }.map(\.location))
        let bare = try look(at: folders.filter { !closed.contains($0) }, store, &findings)
        for (path, files) in found { try say(path.location, files, bare, findings) }
        let bar = RateBar(all: files.reduce(0) { $0 + $1.size })
        for file in files {
            try look(at: file, store, bar, &findings)
            bar.advance(file.size)
        }
        bar.clear()
        try findings.conclude()
    }

    private func look(
        at folders: [FileLocation], _ store: ProtectedFileStore, _ findings: inout FilesFindings
    ) throws -> Set<FileLocation> {
        // What is wrong with a record concerns the folders below it, too.
        var told: Set<String> = []
        for folder in folders {
            do { try store.verify(folder: folder) } catch let error {
                if told.insert(error.message).inserted { try findings.add(folder, error) }
            }
        }
        let bare = folders.filter { (try? store.isIndexed($0)) == false }
        for folder in bare {
            let text = "\(folder): the folder has no index"
            if indexed {
                try findings.add(folder, "noIndex", text)
            } else if bare.count < folders.count {
                try Channel.error.line("zamok: \(text); exchanged and missing files can't be noticed there")
            }
        }
        return Set(bare)
    }

    /// What is not protected where no index tells whether it was.
    private func say(
        _ path: FileLocation, _ files: [FoundFile], _ bare: Set<FileLocation>, _ findings: FilesFindings
    ) throws {
        let clear = files.filter { $0.isClear && !$0.isNamed && bare.contains($0.location.folder) }
        guard !clear.isEmpty else { return }
        let empty = clear.count { $0.size == 0 }
        let empties = empty > 0 ? ", \(empty) of them empty" : ""
        let text =
            "\(path): \(clear.count) not protected\(empties); without an index nobody can tell whether they ever were"
        try findings.note(
            path, "notProtected", text, [("count", .number(Int64(clear.count))), ("empty", .number(Int64(empty)))])
    }

    private func look(
        at file: FoundFile, _ store: ProtectedFileStore, _ bar: RateBar, _ findings: inout FilesFindings
    ) throws {
        let path = file.location
        do {
            switch file.kind {
            // The record's own trouble was told with its folder.
            case .unusable where !file.isNamed && path.name == Array(".zamok-folder".utf8): return
            case .unusable(let error) where error.code == .replaced: throw error
            case .closedFolder(let error): throw error
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
