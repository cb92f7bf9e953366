// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import ProtectedFiles

/// A run over many files. A failed file is reported, and the run continues. An interruption ends the run between two
/// steps, so each file is unchanged or done, and remaining files are named.
final class FilesRun {
    private let store: ProtectedFileStore
    private let files: [FoundFile]
    private let bar: RateBar
    /// The hard links, for `--all-links`.
    let links: FileLinks?
    /// Outcomes of names that were processed with another name of the same file; nil: already reported.
    private var settled: [FileLocation: Outcome?] = [:]
    private var failure: CommandFailure?
    private(set) var doneCount = 0
    private(set) var skippedCount = 0
    /// Metadata of files that was not kept or restored.
    private var lost: LostMetadata = []
    private var losers: [FileLocation] = []
    /// The folders that were traversed, and those created for results.
    let folders = FolderMetadata()

    /// The outcome for one file.
    enum Outcome {
        case done
        /// Done, but without these metadata.
        case doneWithout(LostMetadata)
        /// Nothing to do.
        case skipped
    }

    init(_ words: [FileWord], _ store: ProtectedFileStore, allLinks: Bool = false) throws {
        Interruption.watch()
        self.store = store
        files = try FoundFiles.all(words, store, folder: folders.note)
        links = allLinks ? store.links(among: files.map(\.location)) : nil
        bar = RateBar(all: files.reduce(0) { $0 + $1.size })
    }

    /// Whether the results need a folder.
    var hasManyFiles: Bool { files.count > 1 || files.contains { !$0.isNamed } }

    /// Runs `body` on each file. `includingUnusable`: also on files that can't be used as they are.
    func run(
        includingUnusable: Bool = false,
        _ body: (FoundFile, @escaping ProtectedFileStore.Progress) throws -> Outcome
    ) throws {
        defer { folders.finish() }
        try store.completingLater { try each(includingUnusable: includingUnusable, body) }
        bar.clear()
        guard let failure else { return }
        // Some files are done and some are not, so neither status alone would be true.
        throw CommandFailure.silent(doneCount > 0 ? ExitStatus.inPart : failure.exitStatus)
    }

    private func each(
        includingUnusable: Bool, _ body: (FoundFile, @escaping ProtectedFileStore.Progress) throws -> Outcome
    ) throws {
        for (number, file) in files.enumerated() {
            if let outcome = settled[file.location] {
                count(outcome, file)
                continue
            }
            do {
                try Interruption.check()
                if case .closedFolder(let error) = file.kind { throw error }
                if !includingUnusable, case .unusable(let error) = file.kind { throw error }
                let outcome = try body(file) { done, _ in
                    self.bar.update(file.location.description, done)
                    try Interruption.check()
                }
                settle(file, outcome)
                count(outcome, file)
            } catch {
                if let status = Interruption.status {
                    throw try interrupted(status, files[number...].filter { settled[$0.location] == nil })
                }
                try note(error)
                settle(file, nil)
                count(nil, file)
            }
        }
    }

    /// Runs `body` on each named file. A failure is reported, and the others follow.
    static func each(_ words: [FileWord], _ body: (FileLocation) throws -> Void) throws {
        var failures: [CommandFailure] = []
        for word in words {
            do { try body(word.location) } catch {
                // An output error affects all files.
                guard words.count > 1, error is ProtectedFileError, let known = CommandFailure(error),
                    (error as? ProtectedFileError)?.code != .stopped, let message = known.message
                else { throw error }
                try Channel.error.line("zamok: \(message)")
                failures.append(known)
            }
        }
        guard let first = failures.first else { return }
        throw CommandFailure.silent(failures.count < words.count ? ExitStatus.inPart : first.exitStatus)
    }

    private func count(_ outcome: Outcome?, _ file: FoundFile) {
        switch outcome {
        case .done: doneCount += 1
        case .doneWithout(let part):
            doneCount += 1
            guard !part.isEmpty else { break }
            lost.formUnion(part)
            losers.append(file.location)
        case .skipped: skippedCount += 1
        case nil: break
        }
        bar.advance(file.size)
    }

    /// Prints one line about lost metadata: `not kept`, `not given back`.
    func sayWhatIsLost(_ what: String) throws {
        guard !losers.isEmpty else { return }
        let words: [(LostMetadata, String)] = [
            (.owner, "owner"), (.group, "group"), (.mode, "mode"), (.accessList, "access list"),
            (.attributes, "extended attributes"),
        ]
        let all = words.filter { lost.contains($0.0) }.map(\.1).joined(separator: ", ")
        let names = losers.prefix(3).map { "\($0)" }.joined(separator: ", ") + (losers.count > 3 ? " and others" : "")
        let files = losers.count == 1 ? "1 file" : "\(losers.count) files"
        try Channel.error.line("zamok: \(what): \(all), of \(files): \(names)")
    }

    private func settle(_ file: FoundFile, _ outcome: Outcome?) {
        for name in links?.names(of: file.location) ?? [] { settled[name] = .some(outcome) }
    }

    private func note(_ error: any Error) throws {
        guard let known = CommandFailure(error), let message = known.message else { throw error }
        bar.clear()
        try Channel.error.line("zamok: \(message)")
        failure = failure ?? known
    }

    private func interrupted(_ status: Int32, _ left: [FoundFile]) throws -> CommandFailure {
        bar.clear()
        try Channel.error.line("zamok: interrupted; \(doneCount) done, \(left.count) left as they were:")
        try Channel.error.lines(left.map { "  \($0.location)" })
        return .silent(status)
    }
}

/// One file of a run.
struct FoundFile {
    let location: FileLocation
    let kind: FolderEntry.Kind
    /// Whether the file was named itself, rather than found in a named folder.
    let isNamed: Bool
    /// The path components from the named folder to the file; only the file name if the file itself was named.
    let pathInFolder: [[UInt8]]

    init(location: FileLocation, kind: FolderEntry.Kind, isNamed: Bool, in folder: FileLocation? = nil) {
        self.location = location
        self.kind = kind
        self.isNamed = isNamed
        let path = location.bytes.dropFirst(folder.map(\.bytes.count) ?? 0)
        pathInFolder = folder == nil ? [location.name] : path.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    /// The folder that is `count` levels above the file's own folder.
    func folder(above count: Int) -> FileLocation { (0..<count).reduce(location) { folder, _ in folder.folder } }

    /// The number of bytes to process.
    var size: Int {
        switch kind {
        case .protected(let info): info.length
        case .unprotected(let size): size
        case .clearLeftover(let size): size
        case .unusable, .missing, .folder, .closedFolder, .other, .leftover, .home: 0
        }
    }

    /// Whether it is plaintext.
    var isClear: Bool { if case .unprotected = kind { true } else { false } }

    /// Whether the folder's index has another file under that name.
    var isDenied: Bool { if case .unusable(let error) = kind { error.code == .replaced } else { false } }
}

/// The files that paths identify. Folders are traversed; links and devices in them are skipped.
enum FoundFiles {
    /// All files at the paths.
    ///
    /// - `leftovers`: also plaintext that killed processes left.
    /// - `looking`: nothing is changed, so the users' own files in a home are traversed too.
    /// - `folder`: called for each traversed folder.
    static func all(
        _ words: [FileWord], _ store: ProtectedFileStore, leftovers: Bool = false, looking: Bool = false,
        folder: (FileLocation) -> Void = { _ in }
    ) throws -> [FoundFile] {
        try words.flatMap { try files(at: $0.location, store: store, leftovers: leftovers, looking: looking, folder) }
    }

    private static func files(
        at path: FileLocation, store: ProtectedFileStore, leftovers: Bool, looking: Bool,
        _ folder: (FileLocation) -> Void
    ) throws -> [FoundFile] {
        var found: [FoundFile] = []
        var folders: [FileLocation] = []
        do {
            try store.enumerate(path, recursively: true, includingHomes: looking) { entry in
                try Interruption.check()
                switch entry.kind {
                case .protected, .unprotected, .unusable, .missing, .closedFolder:
                    found.append(FoundFile(location: entry.location, kind: entry.kind, isNamed: false, in: path))
                case .clearLeftover:
                    if leftovers { found.append(FoundFile(location: entry.location, kind: entry.kind, isNamed: false)) }
                case .home:
                    folders.removeAll { $0 == entry.location }
                    let but = looking ? "; its users' own files are looked at" : ""
                    try Channel.error.line("zamok: \(entry.location): passed over, a home of Zamok's own\(but)")
                case .folder: folders.append(entry.location)
                case .other, .leftover: break
                }
            }
            folders.forEach(folder)
            folder(path)
            return found
        } catch let error {
            if error.cause is Interrupted { throw error }
            let kind = error.code == .notRegular ? kind(of: path, store) : .unusable(error)
            return found + [FoundFile(location: path, kind: kind, isNamed: true)]
        }
    }

    private static func kind(of path: FileLocation, _ store: ProtectedFileStore) -> FolderEntry.Kind {
        do {
            return .protected(try store.info(of: path))
        } catch let error {
            guard error.code == .notProtected else { return .unusable(error) }
            let status = try? OpenFile.status(of: path, FileHooks())
            return .unprotected(size: status?.size ?? 0)
        }
    }
}
