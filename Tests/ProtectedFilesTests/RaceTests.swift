// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import TestSupport
import Testing

@testable import ProtectedFiles

/// Real processes on the same home, folder and file at the same moment: nothing intact is reported as missing or
/// damaged.
@Suite struct RaceTests {
    private let isLong = ProcessInfo.processInfo.environment["ZAMOK_LONG"] != nil

    private func answers(_ lines: [String], _ home: String) throws -> [String] {
        let children = try lines.map { _ in try Child("test-worker", ["files", home]) }
        for (child, line) in zip(children, lines) { try child.send((line + "\n").utf8) }
        let answers = try children.map { try $0.line() }
        for child in children { _ = try child.finish() }
        return answers
    }

    @Test("the first files of a home and of a folder are protected by several processes at the same moment")
    func firstProtects() throws {
        let base = try TemporaryFolder()
        // Written by a process that starts no others. A program that another test starts here at that moment would have
        // the file open.
        let writer = try Child("test-worker", ["files", base.path("home")])
        for round in 0..<(isLong ? 400 : 12) {
            let folder = try TemporaryFolder()
            try FileManager.default.createDirectory(
                atPath: folder.path("files"), withIntermediateDirectories: false)
            let names = (0..<8).map { folder.path("files/\($0)") }
            for name in names {
                try writer.send("clear \(name) a*70\n".utf8)
                #expect(try writer.line() == "ok")
            }
            let content = try Data(contentsOf: URL(fileURLWithPath: names[0]))
            let said = try answers(names.map { "protect \($0) \(round % 2 == 0 ? 4 : 2)" }, folder.path("home"))
            #expect(said == names.map { _ in "ok" }, "round \(round)")
            let store = ProtectedFileStore(
                home: try Home(TemporaryHome.configuration(of: folder.path("home"))), configuration: .sealed)
            for name in names { #expect(try store.read(from: FileLocation(name)) == Array(content)) }
        }
    }

    // Rule: what doesn't fit is looked at twice | one look | also "readers beside a file that is replaced ..."
    @Test("readers beside a file that grows see one state after the other", arguments: [false, true])
    func growing(isIndexed: Bool) throws {
        let count = isLong ? 2000 : 120
        let site = try CrashSite(["create @f 4 a*70000"] + (isIndexed ? ["index @"] : []))
        let path = site.resolve("@f")
        // At 18 MB a file grows faster than an unoptimised reader reads it, and the answer says that.
        let watch = isLong ? "watch-again" : "watch"
        let lines = ["grow \(path) b*9000 \(count)"] + [String](repeating: "\(watch) \(path) \(2 * count)", count: 3)
        let said = try answers(lines, site.home)
        #expect(said == ["ok", "ok", "ok", "ok"])
        #expect(try site.store().read(from: FileLocation(path)).count == 70_000 + count * 9000)
    }

    @Test("readers beside a file that is replaced over and over see one file or the other", arguments: [false, true])
    func replacing(isIndexed: Bool) throws {
        let count = isLong ? 1000 : 60
        let site = try CrashSite(["create @f 4 a*70000"] + (isIndexed ? ["index @"] : []))
        let path = site.resolve("@f")
        let lines =
            ["renew \(path) b*9000 \(count)", "renew \(path) c*40000 \(count)"]
            + [String](repeating: "watch \(path) \(3 * count)", count: 2)
        let said = try answers(lines, site.home)
        #expect(said == ["ok", "ok", "ok", "ok"])
    }
}
