// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ZamokCommand

/// Texts that repeat, nest and refer to themselves, made by a grammar. What is derived from them is bounded, and none
/// traps. A normal run has few; HostileTexts in TestWorker says how a million are read.
@Suite struct DerivedTextTests {
    @Test(arguments: ["projects", "listings"]) func `projects, settings and other programs' listings`(
        _ kind: String
    ) throws {
        let worker = Foundation.Process()
        worker.executableURL = try Tool.worker
        worker.arguments = ["hostile-texts", kind]
        try worker.run()
        worker.waitUntilExit()
        #expect(worker.terminationStatus == 0)
    }

    @Test func `Swift sources and manifests`() {
        var grammar = HostileGrammar(seed: FuzzBudget.seed(environment: ProcessInfo.processInfo.environment))
        let run = FuzzRun.repeated("sources", bounded: 200) { _ in
            let text = grammar.source()
            let manifest = PortedManifest(Array(text.utf8))
            return PortedSource(text).needs.isEmpty || manifest.hasPackage
        }
        #expect(run.isBounded)
    }
}
