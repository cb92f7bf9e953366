// SPDX-License-Identifier: Apache-2.0

/// How large a property list may be. Checked while reading, before anything is built from it.
package struct ReadingLimits: Sendable {
    /// Bytes of the file.
    package let bytes: Int
    /// Containers inside containers.
    package let depth: Int
    /// Values in all, each use of a shared one counted.
    package let values: Int
    /// Bytes of all values, each use of a shared one counted.
    package let unfolded: Int

    package init(bytes: Int, depth: Int, values: Int, unfolded: Int) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
        self.unfolded = unfolded
    }

    func check(bytes count: Int) throws(ReadingError) {
        guard count <= bytes else {
            throw ReadingError(.tooLarge, "a property list of \(count) bytes; the limit is \(bytes)")
        }
    }

    func check(values count: Int) throws(ReadingError) {
        guard count <= values else { throw ReadingError(.tooLarge, "a property list of more than \(values) values") }
    }

    func check(depth count: Int) throws(ReadingError) {
        guard count <= depth else { throw ReadingError(.tooLarge, "a property list of more than \(depth) levels") }
    }

    func check(unfolded count: Int) throws(ReadingError) {
        guard count <= unfolded else {
            throw ReadingError(.tooLarge, "a property list that unfolds to more than \(unfolded) bytes")
        }
    }
}

/// Counts values and depth for the readers of text, where nothing is shared.
struct ReadingBudget {
    let limits: ReadingLimits
    private var values = 0
    private var depth = 0

    init(_ limits: ReadingLimits) { self.limits = limits }

    mutating func value() throws(ReadingError) {
        values += 1
        try limits.check(values: values)
    }

    mutating func enter() throws(ReadingError) {
        depth += 1
        try limits.check(depth: depth)
    }

    mutating func leave() { depth -= 1 }
}
