// SPDX-License-Identifier: Apache-2.0

import Testing

/// For suites whose tests run one after the other. At the default priority each of their steps would wait for the next
/// steps of all tests that were begun before. The run would wait for these suites in the end, with one thread at work.
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
