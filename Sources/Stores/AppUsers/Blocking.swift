// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecretMemory

/// Runs blocking work on Dispatch's threads, since Swift's cooperative threads must not block.
final class Blocking: Sendable {
    private let isCancelled = Locked(false)

    /// Throws `CancellationError` once the calling task was cancelled.
    func check() throws {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
    }

    static func run<R: Sendable>(
        _ body: @escaping @Sendable (Blocking) throws -> R
    ) async throws(AppUsersError) -> R {
        let task = Blocking()
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    DispatchQueue.global().async {
                        continuation.resume(with: Result { try body(task) })
                    }
                }
            } onCancel: {
                task.isCancelled.withLock { $0 = true }
            }
        } catch {
            throw AppUsersError(error)
        }
    }
}
