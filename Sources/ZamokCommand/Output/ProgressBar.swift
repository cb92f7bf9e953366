// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A bar on standard error for work that takes longer than a second; only at a terminal.
final class ProgressBar {
    private static let width = 30

    private let isShown = Channel.error.isTerminal
    private let start = ContinuousClock.now
    private var next = ContinuousClock.now + .seconds(1)
    private var isDrawn = false

    /// `total` nil: not known.
    func update(_ done: Int, of total: Int?) {
        // The clock is asked for every 64th item only.
        guard isShown, done & 63 == 0, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + .milliseconds(100)
        isDrawn = true
        draw(Self.text(done, total))
    }

    /// Takes the bar away.
    func finish() {
        if isDrawn { draw("") }
    }

    private func draw(_ text: String) {
        _ = Channel.write(Array("\r\u{1B}[K\(text)".utf8), to: Channel.error.descriptor)
    }

    static func text(_ done: Int, _ total: Int?) -> String {
        guard let total, total > 0 else { return "\(done) items" }
        let filled = min(width, done * width / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return "[\(bar)] \(done) of \(total) items"
    }
}
