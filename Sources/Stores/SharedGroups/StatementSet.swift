// SPDX-License-Identifier: Apache-2.0

/// Statements of a graph, by their numbers there.
package struct StatementSet: Hashable, Sendable {
    private var words: [UInt64] = []

    package init() {}

    package func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
    }

    package mutating func insert(_ number: Int) {
        while words.count <= number >> 6 { words.append(0) }
        words[number >> 6] |= 1 << UInt64(number & 63)
    }

    package mutating func formUnion(_ other: Self) {
        while words.count < other.words.count { words.append(0) }
        for (index, word) in other.words.enumerated() { words[index] |= word }
    }

    package func subtracting(_ other: Self) -> Self {
        var rest = self
        for index in rest.words.indices where index < other.words.count { rest.words[index] &= ~other.words[index] }
        return rest
    }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package var members: [Int] {
        words.enumerated().flatMap { index, word in
            (0..<64).filter { word >> UInt64($0) & 1 == 1 }.map { index << 6 | $0 }
        }
    }
}
