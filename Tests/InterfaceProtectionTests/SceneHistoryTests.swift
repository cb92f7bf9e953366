// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Random histories of scenes")
struct SceneHistoryTests {
    /// `ZAMOK_HISTORIES` plays more of them, from `ZAMOK_FUZZ_SEED` on.
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    // Rule: a display that is in the foreground is uncovered, though never active | only an active scene uncovered | "stays covered"
    // Rule: the time without an active window counts on a Mac | only the background counts | "a lock is due, and the app is open"
    // Rule: a lock falls due in the foreground | not looked at before an event; no deadline given | "a lock is due…", "not locked in time"
    // Rule: no scene is bare first | an unattached scene not covered | "is bare first"
    @Test("No scene is bare first or in a picture, every lock is on when it is due, and no cover stays")
    func histories() {
        let first = Self.number("ZAMOK_FUZZ_SEED") ?? 1
        var (pictures, locks) = (0, 0)
        for seed in first..<first + (Self.number("ZAMOK_HISTORIES") ?? 800) {
            var history = SceneHistory(seed: seed)
            history.play(steps: 60)
            (pictures, locks) = (pictures + history.pictures, locks + history.locks)
            guard history.broken.isEmpty else {
                var again = SceneHistory(seed: seed, keepsLog: true)
                again.play(steps: 60)
                Issue.record("seed \(seed), \(again.policy): \(again.broken)\n\(again.log.joined(separator: "\n"))")
                return
            }
        }
        print("\(pictures) pictures, \(locks) locks")
        #expect(pictures > 0 && locks > 0)
    }
}
