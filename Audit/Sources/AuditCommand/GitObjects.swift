// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings
import Foundation

/// What git has stored of a folder, by three of its commands that read objects and nothing else: `rev-parse`, `ls-tree` and `cat-file`. The repository can
/// come from anybody, and its configuration names programs: hooks, filters, a monitor of files, transports. None of these commands starts a hook, a filter
/// or the monitor; transports, by which git fetches objects that it lacks, are refused, and so is a repository that lies as plain files in another one.
struct GitObjects {
    let folder: String

    /// Files that are of use to an audit: path, with `/`, and bytes. Links and the insides of submodules are not among them.
    func files(of revision: String) throws -> [(path: [UInt8], bytes: Data)] {
        guard !revision.hasPrefix("-") else { throw Failure(message: "\"\(revision.printable)\" is no revision") }
        try refusePipes()
        let prefix = try word(["rev-parse", "--show-prefix"], "\(folder.printable) is not in a git checkout")
        let commit = try word(
            ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"],
            "git knows no revision \"\(revision.printable)\" here")
        let folder = prefix.isEmpty ? [] : ["--", prefix]
        let listed = try git(["ls-tree", "-r", "-z", "--full-tree", commit] + folder, most: Self.mostListed)
        guard listed.bytes.count < Self.mostListed else { throw Self.tooLarge }
        guard listed.status == 0 else { throw failure(listed, Self.lacking) }
        return try contents(of: small(Self.entries(listed.bytes, below: Array(prefix.utf8))))
    }

    /// Bytes of a revision's names: some two million files.
    private static let mostListed = 256 << 20
    /// Bytes of the files that are read: a few objects can be a revision's many files.
    private static let mostBytes = 512 << 20
    private static let tooLarge = Failure(
        message: "that revision holds more than an audit reads: \(mostListed >> 20) MiB of names, or "
            + "\(mostBytes >> 20) MiB of sources and settings")

    private static let lacking =
        "git lacks a part of that revision, and an audit fetches nothing; fetch it first (git fetch --refetch)"

    private struct Entry {
        var path: [UInt8]
        var object: [UInt8]
    }

    /// Of `mode type object TAB path NUL`: plain files.
    private static func entries(_ list: Data, below prefix: [UInt8]) -> [Entry] {
        list.split(separator: 0).compactMap { line in
            guard let tab = line.firstIndex(of: 0x09) else { return nil }
            let words = line[..<tab].split(separator: UInt8(ascii: " "))
            let full = line[(tab + 1)...]
            guard words.count == 3, words[0].starts(with: "100".utf8), full.starts(with: prefix) else { return nil }
            let path = Array(full.dropFirst(prefix.count))
            guard isBelow(path), FileTree.isOfUse(Self.text(path)) else { return nil }
            return Entry(path: path, object: Array(words[2]))
        }
    }

    /// Git itself makes no tree with other names in it, and reads one that somebody else made.
    private static func isBelow(_ path: [UInt8]) -> Bool {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
    }

    /// Those that an audit would read: not too large.
    private func small(_ entries: [Entry]) throws -> [Entry] {
        let answer = try git(["cat-file", "--batch-check"], input: entries.flatMap { $0.object + [0x0A] })
        // `object type size`, or `object missing` for one that was never fetched.
        let lines = answer.bytes.split(separator: 0x0A)
        guard answer.status == 0, lines.count == entries.count else { throw failure(answer, Self.lacking) }
        var left = Self.mostBytes
        return try zip(entries, lines).compactMap { entry, line in
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 3, words[1].elementsEqual("blob".utf8), let size = Int(Self.text(words[2])) else {
                throw Failure(message: Self.lacking)
            }
            guard size <= ProjectModel.Options().largestFile else { return nil }
            left -= size
            guard left >= 0 else { throw Self.tooLarge }
            return entry
        }
    }

    private func contents(of entries: [Entry]) throws -> [(path: [UInt8], bytes: Data)] {
        let answer = try git(["cat-file", "--batch"], input: entries.flatMap { $0.object + [0x0A] })
        guard answer.status == 0 else { throw failure(answer, Self.lacking) }
        var rest = answer.bytes[...]
        var files: [(path: [UInt8], bytes: Data)] = []
        for entry in entries {
            // `object type size LF`, the bytes, LF.
            guard let end = rest.firstIndex(of: 0x0A),
                let size = Int(Self.text(rest[..<end].split(separator: UInt8(ascii: " ")).last ?? [])),
                size < rest[end...].count - 1
            else { throw failure(answer, Self.lacking) }
            files.append((entry.path, Data(rest[(end + 1)...].prefix(size))))
            rest = rest[(end + 1)...].dropFirst(size + 1)
        }
        return files
    }

    // MARK: What git would wait for

    /// Git opens the files of a repository one after another, and waits where one of them is a pipe that nothing is
    /// written to. Pipes and devices have no place there.
    private func refusePipes() throws {
        var open = repositories
        var seen: Set<String> = []
        while let path = open.popLast() {
            switch Disk.entry(path, followingLinks: true) {
            case .folder:
                guard let real = Disk.resolved(path), seen.insert(real).inserted else { continue }
                open += (Disk.names(in: real)?.names ?? []).map { real + "/" + $0 }
            case .other: throw Failure(message: "\(path.printable) is a pipe or a device, and git would wait for it")
            default: break
            }
        }
    }

    /// The folders in which git keeps what belongs to the folder: that of a worktree, and the one that it shares.
    private var repositories: [String] {
        var above = URL(fileURLWithPath: Disk.resolved(folder) ?? folder)
        while Disk.entry(above.path + "/.git") == nil {
            guard above.path != "/", !above.path.isEmpty else { return [] }
            above.deleteLastPathComponent()
        }
        let own = above.appending(path: ".git").path
        // `gitdir: PATH`, in a worktree.
        let text = line(of: own).flatMap { $0.hasPrefix("gitdir: ") ? String($0.dropFirst(8)) : nil }
        let folder = text.map { Self.path($0, from: above.path) } ?? own
        let shared = line(of: folder + "/commondir").map { Self.path($0, from: folder) }
        return [own, folder] + (shared.map { [$0] } ?? [])
    }

    private static func path(_ path: String, from folder: String) -> String {
        path.hasPrefix("/") ? path : folder + "/" + path
    }

    private func line(of path: String) -> String? {
        Disk.bytes(of: path, most: 4096).map { Self.text($0).trimmingCharacters(in: .newlines) }
    }

    // MARK: The program

    /// Before all else that a configuration says.
    private static let settings = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "safe.bareRepository=explicit", "protocol.allow=never",
    ]
    private static let variables = [
        "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LITERAL_PATHSPECS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C",
    ]

    private func git(_ words: [String], input: [UInt8] = [], most: Int? = nil) throws -> OtherProgram {
        let settings = Self.settings.flatMap { ["-c", $0] }
        return try OtherProgram(
            ["git", "--no-pager"] + settings + ["-C", folder] + words, Self.variables, input: input, most: most)
    }

    private func word(_ words: [String], _ what: String) throws -> String {
        let git = try git(words)
        guard git.status == 0 else { throw failure(git, what) }
        return git.output.trimmingCharacters(in: .newlines)
    }

    private func failure(_ git: OtherProgram, _ what: String) -> Failure {
        Failure(message: what + (git.errors.split(separator: "\n").first.map { ": \($0)".printable } ?? ""))
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
}
