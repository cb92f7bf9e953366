// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// `zamok files protect`
struct FilesProtect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Protect files that lie there in clear.",
        discussion: """
            In place, unless -o says where the protected copy goes. Folders are gone through. Files that are protected already stay as they \
            are. Without --class a file gets its folder's default class, else complete-until-first-user-authentication.

            The protected file is a new one, of mode 600 and of whoever runs this: mode, owner, group, access lists and extended attributes of the clear \
            one are not kept; the time of its last change is.

            In place means that the clear file loses its name; blocks that it had may stay on the disk until something overwrites them. \
            Interrupted, each file is as before or protected, and those that are left are named.

            A file that has several names (hard links) would stay in clear under the others, and is refused: --all-links protects it under all of \
            them, if all are among the given paths and folders.

            A file in clear that lies where the folder's index knows a protected one is refused, unless --adopt.

            EXAMPLES:
              zamok files protect report.pdf --class complete
              zamok files protect ~/Documents
              zamok files protect report.pdf -o report.pdf.zamok
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: FilesTarget
    @OptionGroup var links: FilesLinks

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    @Option(name: .customLong("class"), help: ArgumentHelp("The protection class.", valueName: "class"))
    var protection: ProtectionWord?

    @Flag(help: "Also files in clear whose names the folder's index knows as protected ones.")
    var adopt = false

    func validate() throws { try target.validate(links) }

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.choice)
        let run = try FilesRun(paths, store, allLinks: links.allLinks)
        defer { say(run) }
        let (isMany, protection) = (run.hasManyFiles, protection?.protection)
        try run.run(includingUnusable: adopt) { file, progress in
            if case .unusable(let error) = file.kind, error.code != .replaced { throw error }
            if case .missing = file.kind {
                // Says what is missing, unless it came back.
                try store.verify(file.location)
                return .skipped
            }
            guard file.isClear || adopt && file.isDenied else {
                guard target.output == nil || isMany else { throw CommandFailure.protectedAlready(file) }
                return .skipped
            }
            if let target = target.location(for: file, ofMany: isMany) {
                try store.protect(contentsOf: file.location, to: target, protection: protection, progress: progress)
                return .done
            }
            return try protect(file, run.links, store, progress)
        }
    }

    private func protect(
        _ file: FoundFile, _ links: FileLinks?, _ store: ProtectedFileStore,
        _ progress: @escaping ProtectedFileStore.Progress
    ) throws -> FilesRun.Outcome {
        do throws(ProtectedFileError) {
            try store.protect(
                contentsOf: file.location, protection: protection?.protection, adopting: adopt, allLinks: links,
                progress: progress)
            return .done
        } catch {
            // Another process may have been faster since the folder was looked through.
            let isLate = error.code == .alreadyProtected || error.code == .changed
            guard isLate, !file.isNamed, try store.protection(of: file.location) != nil else { throw error }
            return .skipped
        }
    }

    private func say(_ run: FilesRun) {
        let isCopied = target.output == nil ? "" : " and not copied"
        let skipped = run.skippedCount > 0 ? ", \(run.skippedCount) protected already\(isCopied)" : ""
        let warning =
            target.output == nil && run.doneCount > 0 ? "; blocks of the clear files may stay on the disk" : ""
        try? Channel.error.line("zamok: \(run.doneCount) protected\(skipped)\(warning)")
    }
}
