// SPDX-License-Identifier: Apache-2.0

/// All registers of an account, as far as they are opened.
public struct MergedItems: Hashable, Sendable {
    /// The registers by key; each has at least one operation.
    public private(set) var registers: [[UInt8]: Register] = [:]

    /// No registers.
    public init() {}

    /// The register of `key`; empty if there is none.
    public subscript(key: [UInt8]) -> Register { registers[key] ?? Register() }

    /// Inserts an operation, and returns whether it was new.
    @discardableResult
    public mutating func insert(_ operation: Operation, on key: [UInt8]) -> Bool {
        registers[key, default: Register()].insert(operation)
    }

    /// Inserts all operations of `other`.
    public mutating func join(_ other: MergedItems) {
        for (key, register) in other.registers { registers[key, default: Register()].join(register) }
    }

    /// Drops settled operations in every register, and returns them. Only for a home that has opened everything
    /// before `end`.
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

    /// The dropped operations that a history shows: for each register the newest puts, at most `count`, and none older
    /// than `time`.
    package func former(_ count: Int, since time: UInt64) -> MergedItems {
        var kept = MergedItems()
        for (key, register) in registers {
            let former = register.former(count, since: time)
            if !former.operations.isEmpty { kept.registers[key] = former }
        }
        return kept
    }

    /// The registers whose keys are wanted.
    package func filter(_ isWanted: ([UInt8]) -> Bool) -> MergedItems {
        var kept = MergedItems()
        kept.registers = registers.filter { isWanted($0.key) }
        return kept
    }

    /// Keys in the order of their bytes.
    public var keys: [[UInt8]] { registers.keys.sorted { $0.lexicographicallyPrecedes($1) } }
}
