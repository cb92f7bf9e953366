// SPDX-License-Identifier: Apache-2.0

/// Runs steps one after the other, each even if earlier ones failed. Reports the first failure at the end.
struct Trouble {
    private var first: (any Error)?

    mutating func unless(_ body: () throws -> Void) {
        do { try body() } catch { first = first ?? error }
    }

    func end() throws { if let first { throw first } }
}
