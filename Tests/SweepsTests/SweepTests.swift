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
