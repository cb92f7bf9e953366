// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A service from a bundle identifier that is missing.
@Suite struct MissingServiceTests {
    /// What a process writes, standard error included, up to its answer.
    private func said(_ command: String) throws -> [String] {
        let temporary = TemporaryHome()
        let worker = try Tool.worker.path
        let child = try Child("/bin/sh", ["-c", "exec \"$1\" keychain \"$2\" 2>&1", "sh", worker, temporary.path])
        try child.send("\(command)\n".utf8)
        var lines: [String] = []
        while !["ok", "error"].contains(lines.last?.split(separator: "\t").first ?? "") {
            lines.append(try child.line())
        }
        return lines
    }

    @Test func `It is named in a warning, and the application identifier takes its place`() throws {
        let lines = try said("nil-service")
        #expect(lines.last == "ok\ttest")
        #expect(lines.contains { $0.contains("warning") && $0.contains("was given no service") })
    }

    @Test func `An empty one likewise`() throws {
        let lines = try said("service\t")
        #expect(lines.last == "ok\ttest")
        #expect(lines.contains { $0.contains("was given no service") })
    }

    @Test func `One that is named is taken without a word`() throws {
        let lines = try said("service\tcom.example.app")
        #expect(lines.last == "ok\tcom.example.app")
        #expect(!lines.contains { $0.contains("warning") })
    }
}
