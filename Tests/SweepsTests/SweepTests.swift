// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Sweeps
@testable import ZamokCommand

@Suite struct SweepTests {
    private static let value = "Tr0ub4dor-and-more"
    private let folder: TemporaryFolder
    private var home: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: "\(home)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func sweep(_ paths: [String] = []) throws -> SweepReport {
        try Sweep(home: home, environment: { _ in nil }).run(paths.map { FileLocation($0) })
    }

    @Test func `a place and another file are found, with line and readers`() throws {
        try write(".npmrc", "registry=https://r/\n//r/:_authToken=\(Self.value)\n")
        try write("notes/app.env", "A=1\n\nDB_PASSWORD=\(Self.value)\n")
        let report = try sweep()
        #expect(report.findings.map { $0.place?.word } == ["npm", "env"])
        #expect(report.findings.map(\.secret.line) == [2, 3])
        #expect(report.isComplete)
        #expect(report.exitStatus == 1)
    }

    // Rule: no form of a report has a secret's value | `MaskedSecret.text` gave all of it | the texts had both
    // values
    @Test func `no form of the report has a value`() throws {
        try write(".netrc", "machine h login a password \(Self.value)\nmachine i login b password short77\n")
        try write("a.log", "GET /?api_key=\(Self.value)9X\n")
        let report = try sweep()
        #expect(report.findings.count == 3)
        let texts = [
            try SweepPrinter(report: report, home: home, now: Date()).lines().joined(separator: "\n"),
            try report.json().page, try report.sarif().page,
        ]
        for text in texts {
            #expect(!text.contains(Self.value) && !text.contains("short77") && !text.contains("ub4dor"))
        }
        #expect(texts[0].contains("Tr…re, 18 bytes"))
        #expect(texts[0].contains("7 bytes"))
    }

    // Rule: below a named folder no link is followed | `Walk.folder` went through what `OpenFile.named` opens for
    // a link | the file outside was read by both links
    @Test func `what is behind a link is not read`() throws {
        let outside = try TemporaryFolder()
        try Data("password=\(Self.value)\n".utf8).write(to: URL(fileURLWithPath: "\(outside.path)/a.env"))
        try FileManager.default.createSymbolicLink(atPath: "\(home)/folder", withDestinationPath: outside.path)
        try FileManager.default.createSymbolicLink(
            atPath: "\(home)/a.env", withDestinationPath: "\(outside.path)/a.env")
        let report = try sweep()
        #expect(report.findings.isEmpty)
        #expect(report.walk.links == 2)
    }

    // Rule: files of another user are not read | `Walk` didn't compare the owner, of names and of opened files |
    // the value was found
    @Test(.enabled(if: geteuid() == 0)) func `a file of another user is not read`() throws {
        try write("a.env", "password=\(Self.value)\n")
        try #require(unsafe chown("\(home)/a.env", 65_534, 65_534) == 0)
        let report = try sweep()
        #expect(report.findings.isEmpty)
        #expect(report.walk.others == 1)
        #expect(try sweep(["\(home)/a.env"]).exitStatus == 2)
    }

    @Test func `pipes, sparse files and odd names neither hang nor confuse`() throws {
        try #require(unsafe mkfifo("\(home)/.npmrc", 0o600) == 0)
        try #require(unsafe mkfifo("\(home)/pipe.log", 0o600) == 0)
        try write("sparse.log", "")
        try #require(unsafe truncate("\(home)/sparse.log", 1 << 40) == 0)
        try write("new\nline \u{1B}[31m.env", "password=\(Self.value)\n")
        let report = try sweep()
        #expect(report.findings.count == 1)
        #expect(report.walk.special == 2)
        let text = try SweepPrinter(report: report, home: home, now: Date()).lines().joined(separator: "\n")
        #expect(text.contains("new\\nline \\u{1b}[31m.env:1"))
    }

    // Rule: what is neither a file nor a folder is not opened, named or behind a link | `OpenFile.named` opened
    // each path for reading | inotify told of an opening
    @Test func `a pipe or a device is not opened`() throws {
        try #require(unsafe mkfifo("\(home)/pipe", 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: "\(home)/.npmrc", withDestinationPath: "pipe")
        try write("file", "nothing\n")
        let watch = inotify_init1(Int32(IN_NONBLOCK))
        try #require(watch >= 0)
        defer { close(watch) }
        for name in ["pipe", "file"] {
            try #require(unsafe inotify_add_watch(watch, "\(home)/\(name)", UInt32(IN_OPEN)) > 0)
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let report = try sweep(["\(home)/pipe", home])
        #expect(report.walk.unread.map(\.reason) == ["neither a regular file nor a folder"])
        let count = unsafe read(watch, &buffer, buffer.count)
        // The file's openings alone, each of 16 bytes; the first number is the watch's.
        try #require(count > 0)
        #expect(stride(from: 0, to: count, by: 16).allSatisfy { buffer[$0] == 2 })
    }

    @Test func `marks of the byte order and UTF-16 are read`() throws {
        let text = "//r/:_authToken=\(Self.value)\nDB_PASSWORD=\(Self.value)9\n"
        try Data([0xEF, 0xBB, 0xBF] + Array(text.utf8)).write(to: URL(fileURLWithPath: "\(home)/.npmrc"))
        try Data([0xEF, 0xBB, 0xBF] + Array("password=\(Self.value)\n".utf8)).write(
            to: URL(fileURLWithPath: "\(home)/a.conf"))
        for (name, order) in [("l.reg", String.Encoding.utf16LittleEndian), ("b.reg", .utf16BigEndian)] {
            let mark: [UInt8] = order == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
            let text = try #require("Windows\r\n\"DefaultPassword\"=\"\(Self.value)\"\r\n".data(using: order))
            try (Data(mark) + text).write(to: URL(fileURLWithPath: "\(home)/\(name)"))
        }
        let report = try sweep()
        #expect(
            report.findings.map { "\(String(decoding: $0.location.name, as: UTF8.self)):\($0.secret.line)" } == [
                ".npmrc:1", ".npmrc:2", "a.conf:1", "b.reg:2", "l.reg:2",
            ])
    }

    @Test func `values with blanks, quotes and lines are read from .env`() throws {
        try write(
            ".env",
            "F_TOKEN=\"a\\nb-esc-99123\"\nB_PASSWORD=\"dq \\\"x\\\" \\\\ back 1a\"\nD_PASSWORD=with space # a comment\n"
                + "C_PASSWORD=correct horse battery staple\nE_PASSWORD=op://vault/item/field\n")
        let values = try sweep().findings.map {
            String(decoding: try [UInt8](exposing: $0.secret.secret), as: UTF8.self)
        }
        #expect(values == ["a\nb-esc-99123", "dq \"x\" \\ back 1a", "with space", "correct horse battery staple"])
    }

    @Test func `a large file is cut, and told`() throws {
        try write("large.log", "")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(home)/large.log"))
        let line = Data(String(repeating: "nothing to see here\n", count: 52_429).utf8)
        for _ in 0..<66 { try handle.write(contentsOf: line) }
        try handle.write(contentsOf: Data("password=\(Self.value)\n".utf8))
        try handle.close()
        let report = try sweep()
        #expect(report.findings.isEmpty)
        #expect(report.cut.count == 1)
        #expect(report.exitStatus == 2)
    }

    @Test func `a secret across windows is found once, with its line`() throws {
        let line = "nothing to see here\n"
        for padding in [1_048_000, 1_048_576 - 20, 1_048_576, 1_097_000, 2_097_152] {
            let count = padding / line.utf8.count
            try write(
                "a.log",
                String(repeating: line, count: count) + "password=\(Self.value)\n"
                    + String(repeating: line, count: 100_000))
            let report = try sweep()
            #expect(report.findings.map(\.secret.line) == [count + 1], "\(padding)")
        }
    }

    // Rule: a file's findings are bounded, and it is told | `FileScan.take` took all, and said nothing | 1,500
    // findings, none cut
    @Test func `more findings than the bound are told`() throws {
        try write("a.log", (0..<1500).map { "password=\(Self.value)\($0)\n" }.joined())
        let report = try sweep()
        #expect(report.findings.count == TextFinder.most)
        #expect(report.cut.count == 1)
    }

    @Test func `folders deeper than the bound are told, and folders of packages are counted`() throws {
        try write("node_modules/x/a.env", "password=\(Self.value)\n")
        var path = home
        for _ in 0..<210 {
            path += "/d"
            try #require(unsafe mkdir(path, 0o700) == 0)
        }
        let report = try sweep()
        #expect(report.walk.packages == 1)
        #expect(report.walk.unread.map(\.reason) == ["it is deeper than 200 folders"])
    }

    @Test func `binary files are skipped`() throws {
        try Data(Array("password=\(Self.value)\n".utf8) + [0, 1, 2]).write(to: URL(fileURLWithPath: "\(home)/a.bin"))
        let report = try sweep()
        #expect(report.findings.isEmpty)
        #expect(report.binaries == 1)
    }

    @Test func `a baseline leaves out what it knows, and nothing else`() throws {
        try write("a.env", "password=\(Self.value)\n")
        let first = try sweep()
        var (baseline, other) = (try SweepBaseline(), try SweepBaseline())
        for finding in first.findings {
            try baseline.insert(finding)
            try other.insert(finding)
        }
        #expect(baseline.text != other.text)
        #expect(!baseline.text.contains(Self.value))
        let read = try #require(SweepBaseline(Array(baseline.text.utf8)))
        #expect(try first.without(read).findings.isEmpty)
        try write("a.env", "password=\(Self.value)X\n")
        #expect(try sweep().without(read).findings.count == 1)
        #expect(SweepBaseline(Array("{}".utf8)) == nil)
    }

    @Test func `git's index says whether git has the file as it is`() throws {
        try write("a.env", "password=\(Self.value)\n")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/git") else { return }
        for words in [["init", "-q"], ["add", "a.env"]] {
            let process = Foundation.Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/git")
            process.arguments = ["-C", home] + words
            try process.run()
            process.waitUntilExit()
        }
        #expect(try sweep().findings.map(\.isInGit) == [true])
        try write("a.env", "password=\(Self.value)2\n")
        #expect(try sweep().findings.map(\.isInGit) == [false])
    }
}
