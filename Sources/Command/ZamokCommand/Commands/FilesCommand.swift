// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Files
import ProtectedFiles
import Statuses

/// `zamok files`
struct FilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Protect files with a protection class, and use them.",
        discussion: """
            A file's class says when it can be read: complete while unlocked; complete-unless-open too, but such a file can be made \
            while locked; complete-until-first-user-authentication from the first unlock on; none always. The raw values of \
            FileProtectionType, NSFileProtectionComplete for example, are understood too.

            EXAMPLES:
              zamok files protect notes.txt --class complete
              zamok files cat notes.txt
              zamok files audit ~/Documents
            """,
        subcommands: [
            FilesProtect.self, FilesOpen.self, FilesCat.self, FilesInfo.self, FilesReclassify.self, FilesMove.self,
            FilesVerify.self, FilesRepair.self, FilesAudit.self, FilesRewrap.self, FilesDefault.self, FilesIndex.self,
        ]
    )

    /// The store of the home, unlocked if a passcode file is given, for operations that need keys.
    static func unlockedStore(_ choice: HomeChoice) throws -> ProtectedFileStore {
        ProtectedFileStore(home: try ChosenHome.openUnlocked(choice))
    }

    /// The store of the home in its current lock state.
    static func store(_ choice: HomeChoice) throws -> ProtectedFileStore {
        ProtectedFileStore(home: try ChosenHome.open(choice))
    }

    /// For commands that report findings. If the store can't be opened, the status is 2, because 44 would be a
    /// statement about a file.
    static func looking(_ open: () throws -> ProtectedFileStore) throws -> ProtectedFileStore {
        do { return try open() } catch {
            guard let failure = CommandFailure(error), failure.exitStatus != ExitStatus.usage else { throw error }
            throw CommandFailure(
                exitStatus: ExitStatus.notRun, message: failure.message.map { "nothing was looked at: \($0)" })
        }
    }

    private static func isMissing(_ path: FileLocation) -> Bool {
        do { return try OpenFile.status(of: path, FileHooks()) == nil } catch { return false }
    }

    /// The home choice for these paths. A home is created only if at least one of the files exists, or is
    /// standard input.
    static func choice(_ paths: [FileWord], _ global: GlobalOptions) throws -> HomeChoice {
        guard let first = paths.first, paths.allSatisfy({ !$0.isStandard && isMissing($0.location) }) else {
            return global.choice
        }
        do {
            _ = try ChosenHome.openRoot(.automatic, global.reading)
            return global.choice
        } catch let error as DataProtectionError where error.code == .noHome {
            throw CommandFailure.status(.itemNotFound, "\(first.location): there is no such file")
        }
    }
}

/// `zamok files protect`
struct FilesProtect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Encrypt plaintext files in place.",
        discussion: """
            In place, unless -o says where the protected copy goes. In a folder every file is protected. Files that are protected already stay as they \
            are, and where that is another class than --class it is told (45, or 3). Without --class a file gets its folder's default class, otherwise complete-until-first-user-authentication.

            Mode, owner, group, times, access lists and extended attributes of files are kept, and those of folders that are made with -o; a folder that is gone through keeps its times. What can't be kept, the owner \
            without privileges for example, is said once; then no user has more access than before.

            In place means that the plaintext file loses its name; its blocks may stay on the disk until something overwrites them. \
            After an interruption each file is as before or protected, and those that are left are named.

            A file that has several names (hard links) would stay plaintext under the others, and is refused: --all-links protects it under all of \
            them, if all are among the given paths and folders.

            A plaintext file in a place where the folder's index knows a protected one is refused, unless --adopt.

            EXAMPLES:
              zamok files protect report.pdf --class complete
              zamok files protect ~/Documents
              zamok files protect report.pdf -o report.pdf.zamok
              pg_dump shop | zamok files protect - -o shop.sql
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: FilesTarget
    @OptionGroup var links: FilesLinks

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    @Option(name: .customLong("class"), help: ArgumentHelp("The protection class.", valueName: "class"))
    var protection: ProtectionWord?

    @Flag(help: "Also plaintext files whose names the folder's index knows as protected ones.")
    var adopt = false

    func validate() throws { try target.validate(links) }

    func run() throws {
        let store = try FilesCommand.unlockedStore(FilesCommand.choice(paths, global))
        if let source = paths.first, source.isStandard { return try protectStandardInput(source, store) }
        let run = try FilesRun(paths, store, allLinks: links.allLinks)
        try target.check(ofMany: run.hasManyFiles)
        defer {
            say(run)
            try? run.sayWhatIsLost("not kept")
        }
        let (isMany, protection) = (run.hasManyFiles, protection?.protection)
        var others: [FileLocation] = []
        try run.run(includingUnusable: adopt) { file, progress in
            if case .unusable(let error) = file.kind, error.code != .replaced { throw error }
            if case .missing = file.kind {
                // Reports a missing file, unless it exists again.
                try store.verify(file.location)
                return .skipped
            }
            guard file.isClear || adopt && file.isDenied else {
                guard target.output == nil || isMany else { throw CommandFailure.protectedAlready(file) }
                if let protection, case .protected(let info) = file.kind, info.protection != protection {
                    others.append(file.location)
                }
                return .skipped
            }
            if let target = try target.location(for: file, ofMany: isMany, run.folders) {
                return .doneWithout(
                    try store.protect(contentsOf: file.location, to: target, protection: protection, progress: progress)
                )
            }
            return try protect(file, links: run.links, store: store, progress)
        }
        if let protection, let first = others.first { throw otherClass(protection, first, others.count, run) }
    }

    /// The failure for files that are already protected and keep a class other than the requested one.
    private func otherClass(
        _ protection: ProtectionClass, _ first: FileLocation, _ count: Int, _ run: FilesRun
    ) -> CommandFailure {
        let which = count == 1 ? "\(first) has" : "\(count) files, \(first) for one, have"
        let words = count == 1 ? first.shellWord : paths.map(\.location.shellWord).joined(separator: " ")
        return CommandFailure(
            exitStatus: run.doneCount > 0 ? ExitStatus.inPart : Status.duplicateItem.exitStatus,
            message:
                "\(which) another class than \(protection) already; to change it: zamok files reclassify \(words) --class \(protection)"
        )
    }

    /// Protects standard input, whose plaintext is never on the disk.
    private func protectStandardInput(_ source: FileWord, _ store: ProtectedFileStore) throws {
        guard paths.count == 1, let output = target.output, !output.isStandard else {
            throw CommandFailure.usage(
                "standard input is protected alone, and into a file: zamok files protect - -o FILE")
        }
        try store.protect(
            parts: { try StandardInput.next(atMost: 1 << 20) }, to: output.location, protection: protection?.protection)
    }

    private func protect(
        _ file: FoundFile, links: FileLinks?, store: ProtectedFileStore,
        _ progress: @escaping ProtectedFileStore.Progress
    ) throws -> FilesRun.Outcome {
        do throws(ProtectedFileError) {
            return .doneWithout(
                try store.protect(
                    contentsOf: file.location, protection: protection?.protection, adopting: adopt, allLinks: links,
                    progress: progress))
        } catch {
            // Another process may have protected the file since the folder was listed.
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

/// `zamok files open`
struct FilesOpen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Write protected files out as plaintext.",
        discussion: """
            Say where: -o makes a new file, never in the place of an existing one; --in-place takes the protection away. No file \
            gets its name before all of it was verified.

            The plaintext has the mode, owner, group, times, access lists and extended attributes that the protected file has; what can't be given back, the owner without privileges \
            for example, is said once. Where the protected file is another user's, and Zamok has not put it there for that user, its mode and owner count for nothing: \
            any user can copy ciphertext. Then the plaintext has mode 600 and belongs to the user who runs this.

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
        let store = try FilesCommand.unlockedStore(global.reading)
        let run = try FilesRun(paths, store, allLinks: links.allLinks)
        let isMany = run.hasManyFiles
        if let output = target.output, output.isStandard {
            return try run.run { file, _ in
                if file.isClear, !file.isNamed { return .skipped }
                try store.read(from: file.location) { try Channel.output.write($0) }
                return .done
            }
        }
        try target.check(ofMany: isMany)
        defer { try? run.sayWhatIsLost("not given back") }
        try run.run { file, progress in
            if file.isClear, !file.isNamed { return .skipped }
            if let target = try target.location(for: file, ofMany: isMany, run.folders) {
                return .doneWithout(try store.open(file.location, toPlaintextAt: target, progress: progress))
            }
            return .doneWithout(try store.openInPlace(file.location, allLinks: run.links, progress: progress))
        }
    }
}

/// `zamok files cat`
struct FilesCat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Print the content of protected files.",
        discussion: """
            Exactly the bytes, and none of a chunk (32 KiB) that did not verify. A file that was cut, or lengthened, is refused before its \
            first byte; one that was changed further on, there: look at the status. Of several files those that can't be printed are told, the others are printed, and the \
            status is 3.

            EXAMPLES:
              zamok files cat notes.txt
              zamok files cat archive.tar | tar -x
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files.")
    var paths: [FileWord]

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.reading)
        try FilesRun.each(paths) { path in try store.read(from: path) { try Channel.output.write($0) } }
    }
}

/// `zamok files info`
struct FilesInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show class, length and state of protected files.",
        discussion: """
            Works while locked, too: then "not verified" says that this is what the file claims. Of several files those that are not protected, or can't be looked at, are \
            told, and the status is 3.

            EXAMPLES:
              zamok files info notes.txt
              zamok files info --json *.pdf
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files.")
    var paths: [FileWord]

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() throws {
        let store = try FilesCommand.store(global.reading)
        try FilesRun.each(paths) { path in
            let info = try store.info(of: path)
            try Printer(json: json).answer(FilesPrinter.json(path, info), FilesPrinter.text(path, info))
        }
    }
}

/// `zamok files reclassify`
struct FilesReclassify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reclassify",
        abstract: "Give protected files another class.",
        discussion: """
            The content is sealed again under a new key, in the place of the file. Blocks of the old file may stay on the disk, under the old \
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
        let store = try FilesCommand.unlockedStore(global.reading)
        let run = try FilesRun(paths, store, allLinks: links.allLinks)
        try run.run { file, progress in
            if file.isClear, !file.isNamed { return .skipped }
            try store.reclassify(
                file.location, to: protection.protection, allLinks: run.links, progress: progress)
            return .done
        }
    }
}

/// `zamok files verify`
struct FilesVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read protected files whole, and report what is damaged, exchanged or missing.",
        discussion: """
            Folders are looked through, and so are the names that their indexes know: one that is missing, or is now a link, folder, pipe or plaintext \
            file, is a finding. So is a folder's record (.zamok-folder) that its files remember and that is not there. Nothing is changed.

            Where there is no index, exchanged and missing files can't be noticed. If only some of the folders have one, the others are named; \
            with --indexed each folder without one is a finding. A protected file whose beginning was overwritten, or that was cut to nothing, looks \
            like any plaintext file there: the number of these is given (with --json in an object with "note" in place of "finding").

            Status: 0 all is well, 1 findings, 2 something could not be looked at (for example because it is locked, or of another home).

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
        let store = try FilesCommand.looking { try FilesCommand.unlockedStore(global.reading) }
        var findings = FilesFindings(Printer(json: json))
        var folders: [FileLocation] = []
        let found = try paths.map { path in
            (path, try FoundFiles.all([path], store, looking: true) { folders.append($0) })
        }
        let files = found.flatMap(\.1)
        // Errors of these folders are reported below.
        let closed = Set(files.filter { if case .closedFolder = $0.kind { true } else { false } }.map(\.location))
        let bare = try look(at: folders.filter { !closed.contains($0) }, store, &findings)
        for (path, files) in found { try say(path.location, files: files, bare: bare, findings: findings) }
        let bar = RateBar(all: files.reduce(0) { $0 + $1.size })
        for file in files {
            try look(at: file, store: store, bar: bar, findings: &findings)
            bar.advance(file.size)
        }
        bar.clear()
        if Channel.error.isTerminal {
            let count = files.count { if case .protected = $0.kind { true } else { false } }
            let size = RateBar.size(files.reduce(0) { $0 + ($1.isClear ? 0 : $1.size) })
            try Channel.error.line("zamok: \(count) protected files, \(size), were read")
        }
        try findings.conclude()
    }

    private func look(
        at folders: [FileLocation], _ store: ProtectedFileStore, _ findings: inout FilesFindings
    ) throws -> Set<FileLocation> {
        for folder in folders {
            do { try store.verify(folder: folder) } catch let error { try findings.add(folder, error) }
        }
        let bare = folders.filter { (try? store.isIndexed($0)) == false }
        for folder in bare {
            let text = "\(folder): the folder has no index"
            if indexed {
                try findings.add(folder, finding: "noIndex", text: text)
            } else if bare.count < folders.count {
                try Channel.error.line("zamok: \(text); exchanged and missing files can't be noticed there")
            }
        }
        return Set(bare)
    }

    /// Reports plaintext files in folders without an index, where former protection is unknown.
    private func say(
        _ path: FileLocation, files: [FoundFile], bare: Set<FileLocation>, findings: FilesFindings
    ) throws {
        let clear = files.filter { $0.isClear && !$0.isNamed && bare.contains($0.location.folder) }
        guard !clear.isEmpty else { return }
        let empty = clear.count { $0.size == 0 }
        let empties = empty > 0 ? ", \(empty) of them empty" : ""
        let text =
            "\(path): \(clear.count) not protected\(empties); without an index it is unknown whether they ever were"
        try findings.note(
            path, note: "notProtected", text: text,
            more: [("count", .number(Int64(clear.count))), ("empty", .number(Int64(empty)))])
    }

    private func look(
        at file: FoundFile, store: ProtectedFileStore, bar: RateBar, findings: inout FilesFindings
    ) throws {
        let path = file.location
        do {
            switch file.kind {
            // The record's own problem is already reported with its folder.
            case .unusable where !file.isNamed && path.name == Array(".zamok-folder".utf8): return
            case .unusable(let error) where error.code == .replaced: throw error
            case .closedFolder(let error): throw error
            case .protected, .unusable: break
            case .unprotected: if !file.isNamed { return }
            case .missing, .folder, .other, .leftover, .clearLeftover, .home:
                bar.clear()
                return try findings.add(path, finding: "missing", text: "\(path): missing; the folder's index knows it")
            }
            let info = try store.verify(path) { done, _ in bar.update("\(path)", done) }
            if info.hasDamagedHalf {
                bar.clear()
                try findings.add(
                    path, finding: "damagedHalf",
                    text: "\(path): half of its header is damaged; the next change mends it"
                )
            }
        } catch let error as ProtectedFileError {
            bar.clear()
            try findings.add(path, error)
        }
    }
}

/// `zamok files repair`
struct FilesRepair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Remove what was appended to protected files.",
        discussion: """
            Only from a file whose content verifies, and that its folder's index, if there is one, knows. A damaged half of its header is \
            written again. What was removed is not kept. All other damage stays as it is, and is named: restore it from a backup.

            EXAMPLES:
              zamok files repair notes.txt
              zamok files repair ~/Documents
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Files and folders.")
    var paths: [FileWord]

    func run() throws {
        let store = try FilesCommand.unlockedStore(global.reading)
        try FilesRun(paths, store).run(includingUnusable: true) { file, _ in
            if file.isClear, !file.isNamed { return .skipped }
            let path = file.location
            let repair = try store.repair(path)
            if repair.removedBytes > 0 || repair.hadDamagedHalf { Done.note("\(path) is repaired") }
            if repair.removedBytes > 0 {
                try Channel.output.line("\(path): \(repair.removedBytes) bytes after its end removed")
            }
            if repair.hadDamagedHalf { try Channel.output.line("\(path): half of its header written again") }
            return repair.removedBytes > 0 || repair.hadDamagedHalf ? .done : .skipped
        }
    }
}

/// `zamok files audit`
struct FilesAudit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List plaintext files.",
        discussion: """
            Folders are looked through; links are not followed. Of a protected file the beginning and the length are looked at: one that is damaged, \
            or has bytes after its end, is a finding. Only zamok files verify, which reads all of it, notices plaintext that was written over its middle.

            Works while locked; then what the headers say is believed, and the number of such files is given. With --json a path that is not text is \
            in "pathBytes", in Base64.

            Status: 0 no plaintext, 1 findings, 2 something could not be looked at: where there is no home yet, nothing can be.

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
        let store = try FilesCommand.looking { try FilesCommand.store(global.reading) }
        var findings = FilesFindings(Printer(json: json))
        var believed: [ProtectedFileError.Code: [FoundFile]] = [:]
        for file in try FoundFiles.all(paths, store, leftovers: true, looking: true) {
            switch file.kind {
            case .unprotected(let size):
                let text = "\(file.location): in clear, \(RateBar.size(size))"
                try findings.add(file.location, finding: "clear", text: text, size: size)
            case .unusable(let error) where error.code == .damaged:
                let text = "\(error.message); what of it is in clear can't be told"
                try findings.add(file.location, finding: "\(error.code)", text: text)
            case .unusable(let error), .closedFolder(let error): try findings.add(file.location, error)
            case .protected(let info): if let obstacle = info.obstacle { believed[obstacle, default: []].append(file) }
            case .clearLeftover(let size):
                let text =
                    "\(file.location): in clear, \(RateBar.size(size)), left by a process that was ended; the next write in its folder removes it"
                try findings.add(file.location, finding: "clear", text: text, size: size)
            case .missing, .folder, .other, .leftover, .home: break
            }
        }
        try say(believed)
        try findings.conclude()
    }

    /// Reports files whose headers could not be verified.
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

/// `zamok files rewrap`
struct FilesRewrap: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewrap",
        abstract: "Wrap files' keys again after the passcode's keys were replaced.",
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
        let store = try FilesCommand.unlockedStore(global.reading)
        guard paths.isEmpty else {
            return try FilesRun(paths, store).run { file, _ in
                if file.isClear, !file.isNamed { return .skipped }
                // A file that is already under the newest keys needs no change.
                _ = try store.rewrap(file.location)
                return .done
            }
        }
        let left = try store.rewrapKnownFolders()
        for file in left { try Channel.error.line("zamok: \(file.reason.message)") }
        if let first = left.first { throw CommandFailure.silent(CommandFailure(first.reason).exitStatus) }
    }
}

/// `zamok files default`
struct FilesDefault: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Show or set the class that new files of a folder get.",
        discussion: """
            Folders below it have the same class, unless they have one of their own or belong to another user. Files that are there keep theirs.

            Where the files remember a default class or an index whose record (.zamok-folder) is no longer there, no class is taken for \
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

    @Flag(help: "Remove the folder's own default class.")
    var clear = false

    @Flag(help: "Go on though the folder's files remember another record.")
    var adopt = false

    func validate() throws {
        if adopt, !clear, protection == nil { throw ValidationError("--adopt goes with --class or --clear") }
        if clear, protection != nil { throw ValidationError("--clear and --class exclude each other") }
    }

    func run() throws {
        let isChange = protection != nil
        let store = try FilesCommand.store(isChange ? FilesCommand.choice([folder], global) : global.reading)
        if isChange || clear {
            return try store.setDefaultProtection(
                protection?.protection, forFolder: folder.location, adopting: adopt)
        }
        guard let found = try store.defaultProtection(forFolder: folder.location) else {
            throw CommandFailure.status(.itemNotFound, "\(folder.location) has no default class")
        }
        try Channel.output.line(ProtectionWord.word(found))
    }
}

/// `zamok files index`
struct FilesIndex: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Notice exchanged, rolled back and missing files of a folder.",
        discussion: """
            With an index the folder remembers which file, in which state, belongs to which name. It begins with the files that are there, \
            which must be unlocked. Folders below it don't get an index from that. Files are renamed with zamok files move from then on: one that mv renamed counts as exchanged.

            Given again, or after --off, the command refuses files that contradict the index, and names them; --adopt begins again with what is there now. \
            The same holds where the folder's record was removed.

            EXAMPLES:
              zamok files index ~/Documents
              zamok files index ~/Documents --adopt
              zamok files index ~/Documents --off
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A folder.")
    var folder: FileWord

    @Flag(help: "Remove the index.")
    var off = false

    @Flag(help: "Begin again with the files that are there, regardless of what the index knew.")
    var adopt = false

    func run() throws {
        let store = try FilesCommand.unlockedStore(off ? global.reading : FilesCommand.choice([folder], global))
        try store.setIndexed(!off, folder: folder.location, adopting: adopt)
    }
}
