// SPDX-License-Identifier: Apache-2.0

/// What a home had applied to a register: the highest sequence of each author.
public struct Context: Hashable, Sendable {
    /// An author and that author's highest applied sequence.
    public struct Mark: Hashable, Sendable {
        /// The author's number.
        public let author: UInt32
        /// A sequence of that author, not 0.
        public let sequence: UInt64

        /// A mark; the format refuses sequence 0.
        public init(author: UInt32, sequence: UInt64) {
            self.author = author
            self.sequence = sequence
        }
    }

    /// Ascending by author, each author once.
    public private(set) var marks: [Mark] = []

    /// An empty context.
    public init() {}

    /// The context with these marks, in any order. Of two marks of one author the higher one counts.
    public init(_ marks: some Sequence<Mark>) {
        for mark in marks { cover(mark.author, mark.sequence) }
    }

    /// Whether the operation of `author` with `sequence` had been applied.
    public func covers(_ author: UInt32, _ sequence: UInt64) -> Bool {
        guard let mark = marks.first(where: { $0.author == author }) else { return false }
        return mark.sequence >= sequence
    }

    /// Covers everything of `author` up to `sequence`.
    public mutating func cover(_ author: UInt32, _ sequence: UInt64) {
        let at = marks.firstIndex { $0.author >= author } ?? marks.endIndex
        if at < marks.endIndex, marks[at].author == author {
            if marks[at].sequence < sequence { marks[at] = Mark(author: author, sequence: sequence) }
        } else {
            marks.insert(Mark(author: author, sequence: sequence), at: at)
        }
    }

    /// Covers everything that `other` covers.
    public mutating func join(_ other: Context) {
        for mark in other.marks { cover(mark.author, mark.sequence) }
    }

    /// The context with these marks, which ascend by author.
    package init(ascending marks: [Mark]) { self.marks = marks }

    /// The context with each mark reduced to the limit for its author. A mark whose limit is 0 is left out.
    package func cut(to limit: (UInt32) -> UInt64) -> Context {
        Context(
            ascending: marks.compactMap { mark in
                let known = min(mark.sequence, limit(mark.author))
                return known == 0 ? nil : Mark(author: mark.author, sequence: known)
            })
    }
}
