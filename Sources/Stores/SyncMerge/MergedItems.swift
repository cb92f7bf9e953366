// SPDX-License-Identifier: Apache-2.0

/// All registers of an account, as far as they are opened.
public struct MergedItems: Hashable, Sendable {
    /// By key; none without an operation.
    public private(set) var registers: [[UInt8]: Register] = [:]

    /// Nothing.
    public init() {}

    /// The register of `key`, empty if nothing is known.
    public subscript(key: [UInt8]) -> Register { registers[key] ?? Register() }

    /// Takes an operation in. Whether it was new.
    @discardableResult
    public mutating func insert(_ operation: Operation, on key: [UInt8]) -> Bool {
        registers[key, default: Register()].insert(operation)
    }

    /// Takes in all that `other` has.
    public mutating func join(_ other: MergedItems) {
        for (key, register) in other.registers { registers[key, default: Register()].join(register) }
    }

    /// Drops in every register; only for a home that has opened everything before `end`.
    /// What was dropped.
    @discardableResult
    public mutating func drop(through place: UInt64, before end: UInt64) -> [(key: [UInt8], operation: Operation)] {
        var dropped: [(key: [UInt8], operation: Operation)] = []
        for key in registers.keys {
            for operation in registers[key]?.drop(through: place, before: end) ?? [] {
                dropped.append((key, operation))
            }
            if registers[key]?.operations.isEmpty == true { registers[key] = nil }
        }
        return dropped
    }

    /// Of dropped operations those that a history shows: of each register the newest values, at most so many, and none from before a time.
    package func former(_ count: Int, since time: UInt64) -> MergedItems {
        var kept = MergedItems()
        for (key, register) in registers {
            let former = register.former(count, since: time)
            if !former.operations.isEmpty { kept.registers[key] = former }
        }
        return kept
    }

    /// Those whose keys are wanted.
    package func filter(_ isWanted: ([UInt8]) -> Bool) -> MergedItems {
        var kept = MergedItems()
        kept.registers = registers.filter { isWanted($0.key) }
        return kept
    }

    /// Keys in the order of their bytes.
    public var keys: [[UInt8]] { registers.keys.sorted { $0.lexicographicallyPrecedes($1) } }
}
