// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation
import Testing

@testable import AuditCommand

/// What stands on the disk and is not the auditor's: programs of a repository, pipes, sources, what a file has beside its content.
@Suite("What an audit leaves alone")
struct CareTests {
    private static let leak = "func f() { shout() }\n"
    private let cache = ["XDG_CACHE_HOME": "/nonexistent"]

    private func audit(_ words: [String]) throws -> OtherProgram {
        try run(program, ["--no-cache"] + words, cache)
    }

    // MARK: Git

    /// A repository of one commit, whose configuration names programs at every place where git takes one.
    private func hostile() throws -> (project: Project, mark: String) {
        let project = try Project(["A.swift": Self.leak, ".gitattributes": "*.swift filter=evil diff=evil\n"])
        try project.git("init", "-q")
        try project.git("add", ".")
        try project.git("commit", "-qm", "first")
        let mark = project.folder + "/ran"
        // A shell runs it.
        let script = "'\(project.folder)/.git/evil'"
        try project.write("#!/bin/sh\necho \"$0 $*\" >>'\(mark)'\nexit 1\n", ".git/evil")
        let hooks = ["post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"]
        for hook in hooks { try project.write("#!/bin/sh\necho \(hook) >>'\(mark)'\n", ".git/own/\(hook)") }
        try run("chmod", ["-R", "+x", project.folder + "/.git/evil", project.folder + "/.git/own"])
        for (key, value) in [
            ("core.hooksPath", project.folder + "/.git/own"), ("core.fsmonitor", script), ("core.pager", script),
            ("core.sshCommand", script), ("core.gitProxy", script), ("core.editor", script), ("diff.external", script),
            ("filter.evil.smudge", script), ("filter.evil.clean", script), ("filter.evil.process", script),
            ("filter.evil.required", "true"), ("diff.evil.textconv", script), ("credential.helper", script),
            ("uploadpack.packObjectsHook", script), ("gpg.program", script),
        ] {
            try project.git("config", key, value)
        }
        return (project, mark)
    }

    // Rule: git runs nothing of the repository | files of a revision by read-tree and checkout-index | hooks and filters run
    @Test func `nothing that a repository names is run`() throws {
        let (project, mark) = try hostile()
        try project.write(Self.leak + Self.leak, "A.swift")
        let report = try project.report { $0.revision = "HEAD" }
        #expect(report.open.count == 1)
        #expect(!FileManager.default.fileExists(atPath: mark), "\((try? project.text("ran")) ?? "")")
    }

    // Rule: git fetches nothing | lazy fetching left on | the transport's program runs
    @Test func `what git lacks is told, and not fetched`() throws {
        let (project, mark) = try hostile()
        for (key, value) in [
            ("remote.o.url", "ssh://nowhere.invalid/x"), ("remote.o.promisor", "true"),
            ("remote.o.uploadpack", "'\(project.folder)/.git/evil'"), ("extensions.partialClone", "o"),
            ("core.repositoryFormatVersion", "1"),
        ] {
            try project.git("config", key, value)
        }
        let object = try project.git("rev-parse", "HEAD:A.swift").trimmingCharacters(in: .newlines)
        try project.remove(".git/objects/\(object.prefix(2))/\(object.dropFirst(2))")
        try? project.remove("ran")
        let error = #expect(throws: Failure.self) { try project.report { $0.revision = "HEAD" } }
        #expect(error?.message.contains("an audit fetches nothing") == true)
        #expect(!FileManager.default.fileExists(atPath: mark), "\((try? project.text("ran")) ?? "")")
    }

    // Rule: a repository that lies as plain files in a checkout isn't taken for one | bare ones allowed | its configuration is used
    @Test func `plain files of a repository are no repository`() throws {
        let (inner, mark) = try hostile()
        let project = try Project(["A.swift": Self.leak])
        try run("cp", ["-R", inner.folder + "/.git", project.folder + "/Sub"])
        try run("rm", ["-f", mark])
        #expect(throws: Failure.self) {
            try project.report {
                $0.root += "/Sub"
                $0.revision = "HEAD"
            }
        }
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    // Rule: no file of a revision is written outside of its folder | .. taken from a tree | a file appears above it
    @Test func `names that lead out of a tree are passed over`() throws {
        let project = try Project(["A.swift": Self.leak])
        try project.git("init", "-q")
        let blob = try project.git("hash-object", "-w", "A.swift").trimmingCharacters(in: .newlines)
        let raw = stride(from: 0, to: 40, by: 2).map { start in
            UInt8(blob.dropFirst(start).prefix(2), radix: 16) ?? 0
        }
        func tree(_ name: String, _ mode: String, _ object: [UInt8]) throws -> String {
            try run(
                "git", ["-C", project.folder, "hash-object", "-t", "tree", "-w", "--stdin", "--literally"],
                input: Array("\(mode) \(name)\0".utf8) + object
            ).output.trimmingCharacters(in: .newlines)
        }
        let inner = try tree("Escaped.swift", "100644", raw)
        let bytes = stride(from: 0, to: 40, by: 2).map { UInt8(inner.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        let outer = try tree("..", "40000", bytes)
        let commit = try project.git("commit-tree", outer, "-m", "x").trimmingCharacters(in: .newlines)
        #expect(try GitObjects(folder: project.folder).files(of: commit).isEmpty)
        #expect(try project.report { $0.revision = commit }.open.count == 1)
    }

    // MARK: Pipes

    // Rule: a pipe is refused at once | opened and read | the audit waits for ever
    @Test func `pipes, devices and folders are no input`() throws {
        let project = try Project(["A.swift": Self.leak])
        let pipe = project.folder + "/pipe"
        #expect(try run("mkfifo", [pipe]).status == 0)
        for words in [["--config", pipe], ["--baseline", pipe], ["--config", "/dev/zero"], ["--baseline", "/dev"]] {
            let ended = try audit([project.folder] + words)
            #expect(ended.status == 64 && ended.errors.hasSuffix("is no plain file\n"), "\(words): \(ended)")
        }
        #expect(try audit([pipe]).status == 2)
        #expect(try run("mkfifo", [project.folder + "/" + Configuration.name]).status == 0)
        #expect(try audit([project.folder]).status == 64)
        try project.remove(Configuration.name)
        // Rule: a configuration that can't be read is told | a dangling link counts as none | the audit runs without it
        try FileManager.default.createSymbolicLink(
            atPath: project.folder + "/" + Configuration.name, withDestinationPath: "nowhere.json")
        let ended = try audit([project.folder])
        #expect(ended.status == 64 && ended.errors.hasSuffix("is a link that leads nowhere\n"), "\(ended)")
    }

    // Rule: a pipe without a reader is refused | opened for writing as a file is | the audit waits for ever
    @Test func `a report goes into a pipe that is read, and into no other`() throws {
        let project = try Project(["A.swift": Self.leak])
        let pipe = project.folder + "/pipe"
        #expect(try run("mkfifo", [pipe]).status == 0)
        let ended = try audit([project.folder, "-o", pipe])
        #expect(ended.status == 64 && ended.errors.hasSuffix("no process reads it\n"), "\(ended)")
        let shell = try run(
            "sh", ["-c", "cat '\(pipe)' & '\(program)' '\(project.folder)' --no-cache -o '\(pipe)'; wait"])
        #expect(shell.output.contains("1 file examined") || shell.errors.contains("no process reads it"), "\(shell)")
    }

    // MARK: Files of others

    // Rule: an output replaces nothing but an output | -o over a source | the source is gone
    @Test func `a report or a baseline takes the place of another one, and of nothing else`() throws {
        let project = try Project(["A.swift": "let a = 1\n", "notes.json": "{\"findings\": 3}\n", "empty": ""])
        func write(_ words: String...) throws -> Int32 { try audit([project.folder] + words).status }
        for name in ["A.swift", "notes.json"] {
            let file = project.folder + "/" + name
            let before = try project.text(name)
            for words in [["-o", file], ["-o", file, "--format", "json"], ["--write-baseline", file]] {
                let ended = try audit([project.folder] + words)
                #expect(ended.status == 64 && ended.errors.contains("--force"), "\(words): \(ended)")
            }
            #expect(try project.text(name) == before)
        }
        let report = project.folder + "/report"
        for form in ["terminal", "json", "sarif", "github", "html", "csv", "xcode"] {
            // The one before is replaced, the same again too.
            for _ in 0..<2 { #expect(try write("-o", report, "--format", form) == 0, "\(form)") }
        }
        #expect(try write("-o", project.folder + "/empty") == 0)
        #expect(try write("--write-baseline", report) == 0)
        #expect(try write("--write-baseline", report) == 0)
        #expect(try write("-o", report) == 64)
        #expect(try write("-o", report, "--force") == 0)
        #expect(try write("--write-baseline", report) == 64)
        #expect(try write("-o", "/dev/null") == 0)
    }

    @Test func `findings in Xcode's form take the place of such`() throws {
        let project = try Project(["A.swift": "func f(password: String) { print(password) }\n"])
        let report = project.folder + "/report"
        for _ in 0..<2 {
            #expect(try audit([project.folder, "--format", "xcode", "-o", report]).status == 1)
        }
    }

    // Rule: a changed source stays its owner's | a new file in its place | mode, attributes and further names are lost
    @Test func `what a source has beside its content stays, and read-only ones are left`() throws {
        let project = try Project(["A.swift": Self.leak, "B.swift": Self.leak, "C.swift": Self.leak])
        let file = project.folder + "/A.swift"
        let files = FileManager.default
        try files.linkItem(atPath: file, toPath: project.folder + "/A.txt")
        try files.setAttributes([.posixPermissions: 0o664], ofItemAtPath: file)
        let isRoot = geteuid() == 0
        if isRoot {
            try files.setAttributes([.ownerAccountID: 12345, .groupOwnerAccountID: 23456], ofItemAtPath: file)
        }
        try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: project.folder + "/B.swift")
        let before = try files.attributesOfItem(atPath: file)
        var audit = AuditRun(project.settings)
        #expect(throws: (any Error).self) { try FixRun.run(&audit, applying: true) }
        let after = try files.attributesOfItem(atPath: file)
        for key in [FileAttributeKey.posixPermissions, .ownerAccountID, .groupOwnerAccountID, .systemFileNumber] {
            #expect(after[key] as? Int == before[key] as? Int, "\(key)")
        }
        for name in ["A.swift", "A.txt", "C.swift"] { #expect(try project.text(name) == "func f() { whisper() }\n") }
        #expect(try project.text("B.swift") == Self.leak)
        #expect(try files.contentsOfDirectory(atPath: project.folder).count == 4)
    }

    @Test func `a source that changed meanwhile, or can't grow, is as it was`() throws {
        let project = try Project(["A.swift": Self.leak])
        let place = SourceReplacement(path: project.folder + "/A.swift")
        #expect(throws: Failure.self) { try place.replace([1], by: [2]) }
        #expect(try project.text("A.swift") == Self.leak)
        try place.replace(Array(Self.leak.utf8), by: Array("long\n".utf8))
        #expect(try project.text("A.swift") == "long\n")
        try place.replace(Array("long\n".utf8), by: Array(Self.leak.utf8))
        #expect(try project.text("A.swift") == Self.leak)
        try FileManager.default.createSymbolicLink(
            atPath: project.folder + "/L.swift", withDestinationPath: "A.swift")
        #expect(throws: Failure.self) { try SourceReplacement(path: project.folder + "/L.swift").replace([], by: [1]) }
    }

    // MARK: Names

    // Rule: no name ends a line of a report | names written as they are | a line of its own in the log of a build
    @Test func `names that would be words of their own are escaped in every form`() throws {
        let project = try Project()
        let name = "A\u{1B}[31m\u{9B}\u{202E}\n::error ::x, \"q\".swift"
        try project.write("func f(password: String) { print(password) }\n", name)
        for form in ["terminal", "github", "xcode", "csv", "sarif", "json", "html"] {
            let ended = try audit([project.folder, "--format", form])
            #expect(
                ended.status == 1 && !ended.output.contains("\n::error ::x"), "\(form): \(ended.output.prefix(2000))")
            #expect(!ended.output.utf8.contains(0x1B), "\(form)")
            if form != "json" { #expect(!ended.output.unicodeScalars.contains("\u{202E}"), "\(form)") }
        }
        let rows = try audit([project.folder, "--csv"]).output.split(separator: "\n")
        #expect(rows.count == 2 && rows[1].contains("A\\u{1b}[31m\\u{9b}\\u{202e}\\u{a}::error ::x, \"\"q\"\".swift"))
    }
}
