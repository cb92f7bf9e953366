// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A progress bar on standard error for work that takes longer than a second. Only shown at a terminal.
final class ProgressBar {
    private static let width = 30

    private let isShown = Channel.error.isSteerable
    private let start = ContinuousClock.now
    private var next = ContinuousClock.now + .seconds(1)
    private var isDrawn = false

    /// Shows the current step immediately, while nothing can be counted.
    func begin(_ text: String) {
        guard isShown else { return }
        isDrawn = true
        draw(text)
    }

    /// `total` nil: unknown. `isSlow`: each item takes noticeable time.
    func update(_ done: Int, of total: Int?, isSlow: Bool = false) {
        // The clock is read only for every 64th item.
        guard isShown, isSlow || done & 63 == 0, isSlow || ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + .milliseconds(100)
        isDrawn = true
        draw(Self.text(done, total))
    }

    /// Removes the bar.
    func finish() {
        if isDrawn { draw("") }
        isDrawn = false
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

/// The progress of a long run over bytes, on one line of standard error: bar, rate and remaining time. Only shown at
/// a terminal.
final class RateBar {
    private static let width = 24

    private let isShown = Channel.error.isSteerable
    private let start = ContinuousClock.now
    private var next = ContinuousClock.now + .milliseconds(500)
    private let all: Int
    private var done = 0
    private var isDrawn = false

    /// `all`: the number of bytes of the whole run.
    init(all: Int) { self.all = all }

    /// Updates the number of processed bytes of the current file.
    func update(_ name: String, _ part: Int) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + .milliseconds(100)
        isDrawn = true
        draw(Self.text(done + part, of: all, after: ContinuousClock.now - start, name))
    }

    /// Adds a finished file of that many bytes.
    func advance(_ bytes: Int) { done += bytes }

    /// Removes the line.
    func clear() {
        if isDrawn { draw("") }
        isDrawn = false
    }

    private func draw(_ text: String) {
        _ = Channel.write(Array("\r\u{1B}[K\(text)".utf8), to: Channel.error.descriptor)
    }

    static func text(_ done: Int, of all: Int, after time: Duration, _ name: String) -> String {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let rate = Double(done) / max(seconds, 0.001)
        let part = all > 0 ? min(1, Double(done) / Double(all)) : 0
        let filled = Int(part * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let left = rate > 0 ? duration(Int((Double(max(0, all - done)) / rate).rounded(.up))) : "?"
        return "[\(bar)] \(Int(part * 100)) %  \(size(Int(rate)))/s  \(left) left  \(name.suffix(24))"
    }

    /// Formats 3725 as "1:02:05".
    private static func duration(_ seconds: Int) -> String {
        let two = { (number: Int) in (number < 10 ? "0" : "") + "\(number)" }
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// Formats 1234567 as "1.2 MB".
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) bytes" }
        var value = Double(bytes) / 1000
        for unit in ["kB", "MB", "GB"] {
            if value < 1000 { return "\((value * 10).rounded() / 10) \(unit)" }
            value /= 1000
        }
        return "\((value * 10).rounded() / 10) TB"
    }
}
