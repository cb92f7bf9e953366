// SPDX-License-Identifier: Apache-2.0

/// How many lines about refusals a guest may cause. Without a limit it could push the lines of all other programs out
/// of the access log, which has a size.
struct RefusalLimit: Sendable {
    /// Lines in one period, for calls.
    static let count = 100
    static let period: Duration = .seconds(60)

    private let most: Int
    private var began: ContinuousClock.Instant?
    private var written = 0
    private(set) var skipped = 0

    /// The line for those that had none; nil: there is none to report.
    static func text(skipped count: Int) -> String? { count == 0 ? nil : "\(count) more refused" }

    init(count: Int = Self.count) { most = count }

    /// Whether a refusal at this time has a line; and how many before it had none, and were not reported yet.
    mutating func take(_ now: ContinuousClock.Instant) -> (isWritten: Bool, skippedBefore: Int) {
        if began.map({ now - $0 >= Self.period }) ?? true { (began, written) = (now, 0) }
        guard written < most else {
            skipped += 1
            return (false, 0)
        }
        written += 1
        return (true, reportSkipped())
    }

    /// How many had no line since this was last asked.
    mutating func reportSkipped() -> Int {
        defer { skipped = 0 }
        return skipped
    }
}
