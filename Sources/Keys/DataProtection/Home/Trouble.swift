// SPDX-License-Identifier: Apache-2.0

/// Steps that are done one after the other, each even if those before it failed; the first failure is reported at the end.
struct Trouble {
    private var first: (any Error)?

    mutating func unless(_ body: () throws -> Void) {
        do { try body() } catch { first = first ?? error }
    }

    func end() throws { if let first { throw first } }
}
