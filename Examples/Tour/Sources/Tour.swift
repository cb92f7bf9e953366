// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation

/// The keychain's main job on real input, in a home of its own that is removed at the end.
enum Tour {
    /// Plays all chapters; how many answers were not what they must be.
    static func play(on page: TourPage) async throws -> Int {
        let started = ContinuousClock.now
        let folder = FileManager.default.temporaryDirectory.appending(path: "zamok-tour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }

        let stage = try TourStage(folder: folder, page: page)
        defer { try? stage.home.keybag.lockCompletely() }
        try page.say(
            page.toned("A tour of Zamok: Apple's calls on the left, the bytes on disk on the right.", .strong))
        try page.text(
            "Of a database the 32 bytes are shown, among those that a call changed, that differ most from each other: sealed ones."
        )
        for play in [
            Storing.play, Sharing.play, Refusals.play, Locking.play, AtRest.play, Contrast.play, Protecting.play,
        ] {
            try play(stage)
        }
        try await TwoPeople.play(on: stage)
        let time = ContinuousClock.now - started
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        try page.text(
            stage.surprises == 0
                ? "\(stage.stepCount) steps in \((seconds * 10).rounded() / 10) s, each as it must be. The tour's home is removed."
                : "\(stage.surprises) of \(stage.stepCount) steps were not as they must be."
        )
        return stage.surprises
    }
}
