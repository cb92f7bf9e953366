// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The conformance suite of SecItem, inside a guard with grants for its two groups.
@Suite(.needsBoundary) struct ConformanceTests {
    @Test func `inside, SecItem answers as outside`() throws {
        let scene = try GuardScene()
        for group in ["conformance.own", "conformance.shared"] {
            try scene.allow("conformance.own", group, "read", "add", "change", "delete")
        }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = (tests as NSString).deletingLastPathComponent
        let ended = try scene.inside(
            "conformance.own",
            [
                "sh", "-c", #"exec "$@" 2>&1"#, "sh", tests, "--testing-library", "swift-testing", "--no-parallel",
                "--filter", #"^SecItemConformance\."#,
            ], ["--share", "\(folder):ro"])
        let failed = ended.text.split(separator: "\n").filter { $0.contains("recorded an issue") }
        #expect(ended.status == 0, "\(failed.joined(separator: "\n"))\n\(ended.text.suffix(300))")
    }
}
