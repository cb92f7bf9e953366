// SPDX-License-Identifier: Apache-2.0

extension MergedItems {
    /// The merged view (SyncLog.md, "State of the items"). Two readers of the same operations get the same bytes.
    public var mergedView: [UInt8] {
        var bytes: [UInt8] = []
        for key in keys {
            bytes.append(key, lengthOf: 2)
            bytes += self[key].view
        }
        return bytes
    }

    /// The state of the items under one class before a place. A snapshot contains a code of it.
    public func state(of protectionClass: TravellingClass, before place: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        for key in keys {
            let own = self[key].operations.filter { $0.protectionClass == protectionClass && $0.place < place }
            if own.isEmpty { continue }
            bytes.append(key, lengthOf: 2)
            bytes.append(UInt64(own.count), bytes: 4)
            for operation in own {
                bytes.append(operation.place, bytes: 8)
                bytes.append(operation.index)
                bytes.append(UInt64(operation.author), bytes: 4)
                bytes.append(operation.sequence, bytes: 8)
                operation.append(to: &bytes, key: nil)
            }
        }
        return bytes
    }
}

extension Register {
    /// One register of the merged view, without its key.
    package var view: [UInt8] {
        let frontier = frontier
        var bytes: [UInt8] = [value.code]
        bytes.append(UInt64(frontier.count), bytes: 2)
        for operation in frontier {
            bytes.append(UInt64(operation.author), bytes: 4)
            bytes.append(operation.sequence, bytes: 8)
            bytes.append(operation.time, bytes: 8)
            bytes += [operation.protectionClass.rawValue, operation.change.code]
            bytes.append(operation.place, bytes: 8)
            if case .put(let value, let from) = operation.change {
                bytes.append(from ?? [], lengthOf: 2)
                bytes.append(value, lengthOf: 4)
            } else {
                bytes += [0, 0, 0, 0, 0, 0]
            }
        }
        bytes.append(UInt64(operations.count - frontier.count), bytes: 4)
        return bytes
    }
}

extension Register.Value {
    fileprivate var code: UInt8 {
        switch self {
        case .absent: 0
        case .value: 1
        case .outOfReach: 2
        }
    }
}

extension Operation.Change {
    package var code: UInt8 {
        switch self {
        case .put: 1
        case .delete: 2
        case .moved: 3
        }
    }
}

extension Operation {
    /// Appends the operation as inside a part, without its register's key if `key` is nil.
    package func append(to bytes: inout [UInt8], key: [UInt8]?) {
        bytes.append(change.code)
        bytes.append(time, bytes: 8)
        if let key { bytes.append(key, lengthOf: 2) }
        bytes.append(UInt64(context.marks.count), bytes: 2)
        for mark in context.marks {
            bytes.append(UInt64(mark.author), bytes: 4)
            bytes.append(mark.sequence, bytes: 8)
        }
        switch change {
        case .put(let value, let from):
            bytes.append(from ?? [], lengthOf: 2)
            bytes.append(value, lengthOf: 4)
        case .delete: break
        case .moved(let protectionClass): bytes.append(protectionClass.rawValue)
        }
    }
}

extension [UInt8] {
    /// Appends an unsigned number, big-endian, in `count` bytes.
    package mutating func append(_ number: UInt64, bytes count: Int) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Appends bytes, preceded by their length.
    package mutating func append(_ bytes: [UInt8], lengthOf count: Int) {
        append(UInt64(bytes.count), bytes: count)
        self += bytes
    }
}
