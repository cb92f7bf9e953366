// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// A request to an engine that took longer than it may.
public struct RequestStalled: Error, CustomStringConvertible {
    let timeout: Duration

    /// For the message of the engine's error.
    public var description: String { "no whole answer within \(timeout.components.seconds) seconds" }
}

/// What has come of the answer to a request.
public final class AnswerProgress: Sendable {
    /// An answer that comes slower is taken for stalled once the time-out is over.
    private static let bytesPerSecond = 65_536
    private let count = NIOLockedValueBox(0)

    /// So many bytes more have come.
    public func take(_ bytes: Int) { count.withLockedValue { $0 += bytes } }

    /// How much longer than the time-out the request may take by now.
    var added: Duration { .seconds(count.withLockedValue { $0 } / Self.bytesPerSecond) }
}

/// Makes a request whose connection, head and body together take at most `timeout`, and a second more for each 64 KiB
/// of received body. The request ends at any point at which an engine stalls.
/// - Throws: `RequestStalled`, errors of the request.
public func inTime<Answer: Sendable>(
    _ timeout: Duration, _ request: @escaping @Sendable (AnswerProgress) async throws -> Answer
) async throws -> Answer {
    let progress = AnswerProgress()
    return try await withThrowingTaskGroup(of: Answer.self) { group in
        group.addTask { try await request(progress) }
        group.addTask {
            let begun = ContinuousClock.now
            while true {
                let end = begun + timeout + progress.added
                guard ContinuousClock.now < end else { throw RequestStalled(timeout: timeout) }
                try await Task.sleep(until: end, clock: .continuous)
            }
        }
        defer { group.cancelAll() }
        guard let answer = try await group.next() else { throw CancellationError() }
        return answer
    }
}
