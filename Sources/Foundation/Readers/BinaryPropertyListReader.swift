// SPDX-License-Identifier: Apache-2.0

/// Builds the values of a binary property list. A container with several uses is built once, and each use
/// counts against the limits. So a small file can't expand into a large value, neither here nor when the value
/// is walked later.
struct BinaryPropertyListReader<Value: PropertyListNode> {
    private var table: ObjectTable
    private var built: [Int: Unfolded<Value>] = [:]
    private var open: Set<Int> = []

    static func read(_ bytes: [UInt8], _ limits: ReadingLimits) throws(ReadingError) -> Value {
        var reader = BinaryPropertyListReader(table: try ObjectTable(bytes, limits))
        let found = try reader.value(reader.table.list.root, depth: 0)
        if let foreign = found.foreign {
            throw .malformed("a value of a type that property lists do not have: \(foreign)")
        }
        return found.value
    }

    static func entries(_ table: ObjectTable) throws(ReadingError) -> PropertyListEntries<Value> {
        var reader = BinaryPropertyListReader(table: table)
        guard case .dictionary(let keys, let values) = try table.list.object(table.list.root) else {
            throw .noDictionary
        }
        reader.open.insert(table.list.root)
        var entries = PropertyListEntries<Value>()
        var whole = Unfolded<Value>(.boolean(false))
        for index in 0..<keys.count {
            let key = try reader.table.key(reader.table.number(keys, index))
            let part = try reader.value(reader.table.number(values, index), depth: 1)
            try whole.hold(part, key: key.utf8.count, table.limits)
            try entries.take(part.value, foreign: part.foreign, forKey: key)
        }
        return entries
    }

    private init(table: ObjectTable) { self.table = table }

    /// `depth`: the number of containers around this one.
    private mutating func value(_ number: Int, depth: Int) throws(ReadingError) -> Unfolded<Value> {
        if let known = built[number] {
            try table.limits.check(depth: depth + known.height)
            return known
        }
        let object = try table.list.object(number)
        if let leaf: Unfolded<Value> = try table.leaf(number, object) { return leaf }
        guard open.insert(number).inserted else { throw ReadingError(.cyclic, "a value that holds itself") }
        defer { open.remove(number) }
        try table.limits.check(depth: depth + 1)
        var whole: Unfolded<Value>
        switch object {
        case .array(let items): whole = try array(items, depth: depth + 1)
        case .dictionary(let keys, let values): whole = try dictionary(keys, values, depth: depth + 1)
        default: return Unfolded(foreign: "a reference of a keyed archive")
        }
        whole.height += 1
        built[number] = whole
        return whole
    }

    private mutating func array(
        _ items: BinaryPropertyList.References, depth: Int
    ) throws(ReadingError) -> Unfolded<Value> {
        var whole = Unfolded<Value>(.boolean(false))
        var values: [Value] = []
        for index in 0..<items.count {
            let part = try value(table.number(items, index), depth: depth)
            try whole.hold(part, table.limits)
            values.append(part.value)
        }
        whole.value = .array(values)
        return whole
    }

    private mutating func dictionary(
        _ keys: BinaryPropertyList.References, _ items: BinaryPropertyList.References, depth: Int
    ) throws(ReadingError) -> Unfolded<Value> {
        var whole = Unfolded<Value>(.boolean(false))
        var values: [String: Value] = [:]
        for index in 0..<keys.count {
            let key = try table.key(table.number(keys, index))
            let part = try value(table.number(items, index), depth: depth)
            try whole.hold(part, key: key.utf8.count, table.limits)
            guard values.updateValue(part.value, forKey: key) == nil else { throw .doubledKey }
        }
        whole.value = .dictionary(values)
        return whole
    }
}
