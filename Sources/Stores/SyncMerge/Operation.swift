// SPDX-License-Identifier: Apache-2.0

/// The effect of one edit on one register, with its place in the log.
public struct Operation: Hashable, Sendable {
    /// What was done.
    public enum Change: Hashable, Sendable {
        /// The register has this value. `from` names the former register, if the item's key changed.
        case put(value: [UInt8], from: [UInt8]?)
        /// The register is absent.
        case delete
        /// The value moved to another class, whose part contains the put.
        case moved(to: TravellingClass)
    }

    /// Era × 2^48 + n of the entry.
    public let place: UInt64
    /// The number of the member that wrote it.
    public let author: UInt32
    /// The author's sequence in that entry.
    public let sequence: UInt64
    /// The class whose key seals it.
    public let protectionClass: TravellingClass
    /// The index in the part of that class.
    public let index: UInt8
    /// Milliseconds since 1970 by the author's clock.
    public let time: UInt64
    /// What the author's home had applied to this register.
    public let context: Context
    /// What was done.
    public let change: Change

    /// An operation as it was read.
    public init(
        place: UInt64, author: UInt32, sequence: UInt64, protectionClass: TravellingClass, index: UInt8, time: UInt64,
        context: Context, change: Change
    ) {
        self.place = place
        self.author = author
        self.sequence = sequence
        self.protectionClass = protectionClass
        self.index = index
        self.time = time
        self.context = context
        self.change = change
    }

    /// Whether the author had applied `other` when it wrote this operation.
    /// Only earlier operations in the log can be dominated, so that claims about the future and cycles have no effect.
    public func dominates(_ other: Operation) -> Bool {
        place > other.place && context.covers(other.author, other.sequence)
    }

    /// A `moved` adds no information if its put is known.
    package var isMoved: Bool {
        if case .moved = change { true } else { false }
    }

    package var isPut: Bool {
        if case .put = change { true } else { false }
    }

    /// The order by place, class and index, which identify an operation.
    package func precedes(_ other: Operation) -> Bool {
        if place != other.place { return place < other.place }
        if protectionClass != other.protectionClass { return protectionClass < other.protectionClass }
        return index < other.index
    }

    /// The order between operations that don't dominate each other; the last one is the value.
    package func yields(to other: Operation) -> Bool {
        if time != other.time { return time < other.time }
        if author != other.author { return author < other.author }
        if sequence != other.sequence { return sequence < other.sequence }
        if isMoved != other.isMoved { return isMoved }
        if protectionClass != other.protectionClass { return protectionClass < other.protectionClass }
        return index < other.index
    }
}
