// SPDX-License-Identifier: Apache-2.0

import Testing

/// For suites whose tests run one after the other. With the priority of all others each of their steps waits until everything that was begun before
/// has come to its own next step: they would be what a run waits for in the end, with one thread at work.
struct RunsAhead: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Task(priority: .high) { try await function() }.value
        }
    }
}

extension Trait where Self == RunsAhead {
    static var ahead: Self { Self() }
}
