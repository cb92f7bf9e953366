// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation
import Testing

@testable import AuditCommand

/// The files of Integrations/audit, run as git, Xcode and GitHub run them.
@Suite("Before a commit, in Xcode and in a pull request")
struct IntegrationTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../../Integrations/audit").standardized
        .path
    private static let leak = """
        import Foundation
        func keep(password: String) {
            UserDefaults.standard.set(password, forKey: "password")
        }

        """

    private func script(_ name: String, _ project: Project, _ variables: [String: String] = [:]) throws -> OtherProgram
    {
        let all = ["ZAMOK_AUDIT": program, "XDG_CACHE_HOME": project.folder + "/.cache"].merging(variables) { _, new in
            new
        }
        return try run("sh", ["-c", "cd '\(project.folder)' && exec '\(Self.folder)/\(name)'"], all)
    }

    @Test func `the hook refuses a commit that brings a finding, and lets one pass that brings none`() throws {
        let project = try Project(["A.swift": Self.leak])
        try project.git("init", "-q")
        try FileManager.default.createSymbolicLink(
            atPath: project.folder + "/.git/hooks/pre-commit", withDestinationPath: Self.folder + "/pre-commit")
        func commit() throws -> OtherProgram {
            try project.git("add", ".")
            return try run(
                "git",
                ["-C", project.folder, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "x"],
                ["ZAMOK_AUDIT": program, "XDG_CACHE_HOME": "/nonexistent"])
        }
        let first = try commit()
        #expect(first.status != 0 && (first.output + first.errors).contains("A.swift:3"), "\(first)")
        try project.git("commit", "-qm", "x", "--no-verify")
        try project.write("// the same, further down\n" + Self.leak, "A.swift")
        #expect(try commit().status == 0)
        try project.write(Self.leak.replacing("keep", with: "other"), "B.swift")
        let second = try commit()
        let told = second.output + second.errors
        #expect(second.status != 0 && told.contains("B.swift:3") && !told.contains("A.swift:4:"), "\(second)")
    }

    @Test func `the build phase writes what Xcode reads, and fails where it is told to`() throws {
        let project = try Project(["A.swift": Self.leak])
        let phase = try script("xcode-build-phase", project, ["SRCROOT": project.folder])
        #expect(phase.status == 0)
        #expect(phase.output.contains("\(project.folder)/A.swift:3:"))
        #expect(phase.output.contains(": warning: "))
        let strict = try script("xcode-build-phase", project, ["SRCROOT": project.folder, "ZAMOK_AUDIT_STRICT": "YES"])
        #expect(strict.status == 1)
        try FileManager.default.createSymbolicLink(atPath: project.folder + "/B.swift", withDestinationPath: "/nowhere")
        #expect(try script("xcode-build-phase", project, ["SRCROOT": project.folder]).status == 2)
        #expect(
            try script("xcode-build-phase", project, ["ZAMOK_AUDIT": "/no/program"]).output.hasPrefix(
                "warning: /no/program"))
    }

    @Test func `the action writes annotations and the log`() throws {
        let project = try Project(["A.swift": Self.leak])
        let ended = try script("run-action", project, ["AUDIT_SARIF": "log.sarif"])
        #expect(ended.status == 1 && ended.output.contains("file=A.swift,line=3"))
        #expect(try project.text("log.sarif").contains("\"results\""))
        let other = try script("run-action", project, ["AUDIT_OPTIONS": "--rule XATS"])
        #expect(other.status == 0)
    }
}
