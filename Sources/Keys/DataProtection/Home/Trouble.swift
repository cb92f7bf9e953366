// SPDX-License-Identifier: Apache-2.0

/// Things that are done one after the other, each whatever became of those before it; the first failure is reported at the end.
struct Trouble {
    private var first: (any Error)?

    mutating func unless(_ body: () throws -> Void) {
        do { try body() } catch { first = first ?? error }
    }

    func end() throws { if let first { throw first } }
}
