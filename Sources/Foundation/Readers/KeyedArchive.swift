// SPDX-License-Identifier: Apache-2.0

/// Reads archives of NSKeyedArchiver, restricted to property-list types. It doesn't use NSKeyedUnarchiver, which ends
/// the process at a class outside its list.
///
/// An object with several uses is built once, and each use counts against the limits. A cycle is refused. A class
/// outside the property-list types rejects the entry that contains it, and is named. All other entries are read.
struct KeyedArchive<Value: PropertyListNode> {
    private var table: ObjectTable
    private let objects: BinaryPropertyList.References
    private var built: [Int: Unfolded<Value>] = [:]
    private var names: [Int: String] = [:]
    private var open: Set<Int> = []

    /// Nil if the property list is not a keyed archive.
    static func entries(of type: Value.Type, in table: ObjectTable) throws(ReadingError) -> PropertyListEntries<Value>?
    {
        var table = table
        guard let top = try fields(table.list.root, &table), top.isArchive, let objects = top["$objects"],
            let start = top["$top"]
        else { return nil }
        guard case .array(let references) = try table.list.object(objects), let roots = try fields(start, &table),
            let root = roots["root"], case .reference(let first) = try table.list.object(root)
        else { throw .malformed("a keyed archive without a root") }
        var archive = KeyedArchive(table, references)
        return try archive.entries(first)
    }

    private init(_ table: ObjectTable, _ objects: BinaryPropertyList.References) {
        self.table = table
        self.objects = objects
    }

    private mutating func entries(_ root: Int) throws(ReadingError) -> PropertyListEntries<Value> {
        guard let fields = try instance(root), Self.dictionaries.contains(try className(fields)) else {
            throw .noDictionary
        }
        open.insert(root)
        var entries = PropertyListEntries<Value>()
        var whole = Unfolded<Value>(.boolean(false))
        let (keys, values) = try pairs(fields)
        for index in 0..<keys.count {
            guard let key = try text(member(keys, index)) else {
                throw ReadingError(.noDictionary, "a key that is no text")
            }
            let part = try value(member(values, index), depth: 1)
            try whole.hold(part, key: key.utf8.count, table.limits)
            try entries.take(part.value, foreign: part.foreign, forKey: key)
        }
        return entries
    }

    private static var dictionaries: Set<String> { ["NSDictionary", "NSMutableDictionary"] }

    // MARK: Objects

    /// The object number of a reference in the archive.
    private mutating func object(_ reference: Int) throws(ReadingError) -> Int {
        guard (0..<objects.count).contains(reference) else {
            throw .malformed("a reference to a value that is not there")
        }
        return try table.number(objects, reference)
    }

    private mutating func instance(_ reference: Int) throws(ReadingError) -> Fields? {
        try Self.fields(object(reference), &table)
    }

    /// The fields of an instance.
    private static func fields(_ number: Int, _ table: inout ObjectTable) throws(ReadingError) -> Fields? {
        guard case .dictionary(let keys, let values) = try table.list.object(number) else { return nil }
        var fields = Fields()
        for index in 0..<keys.count {
            let key = try table.key(table.number(keys, index))
            let value = try table.number(values, index)
            guard fields.numbers.updateValue(value, forKey: key) == nil else { throw .doubledKey }
            if key == "$archiver" { fields.isArchive = try table.key(value) == "NSKeyedArchiver" }
        }
        return fields
    }

    private struct Fields {
        var numbers: [String: Int] = [:]
        var isArchive = false
        subscript(name: String) -> Int? { numbers[name] }
    }

    private mutating func className(_ fields: Fields) throws(ReadingError) -> String {
        guard let entry = fields["$class"], case .reference(let reference) = try table.list.object(entry) else {
            throw .malformed("an object without a class")
        }
        if let known = names[reference] { return known }
        guard let description = try instance(reference), let name = description["$classname"] else {
            throw .malformed("a class without a name")
        }
        // Foundation on Linux writes the module name before the class name.
        let text = try table.key(name)
        let last = text.split(separator: ".").last.map(String.init) ?? text
        names[reference] = last
        return last
    }

    private mutating func members(
        _ field: String, _ fields: Fields
    ) throws(ReadingError) -> BinaryPropertyList.References {
        guard let entry = fields[field], case .array(let items) = try table.list.object(entry) else {
            throw .malformed("an object without its parts")
        }
        return items
    }

    private mutating func member(_ members: BinaryPropertyList.References, _ index: Int) throws(ReadingError) -> Int {
        guard case .reference(let reference) = try table.list.object(table.number(members, index)) else {
            throw .malformed("a part that is no reference")
        }
        return reference
    }

    private mutating func pairs(
        _ fields: Fields
    ) throws(ReadingError) -> (keys: BinaryPropertyList.References, values: BinaryPropertyList.References) {
        let (keys, values) = (try members("NS.keys", fields), try members("NS.objects", fields))
        guard keys.count == values.count else { throw .malformed("keys and values that do not go together") }
        return (keys, values)
    }

    // MARK: Values

    /// `depth`: the number of containers around this one.
    private mutating func value(_ reference: Int, depth: Int) throws(ReadingError) -> Unfolded<Value> {
        if let known = built[reference] {
            try table.limits.check(depth: depth + known.height)
            return known
        }
        let number = try object(reference)
        let object = try table.list.object(number)
        if let leaf: Unfolded<Value> = try table.leaf(number, object) {
            if case .text = object, try table.key(number) == "$null" { return Unfolded(foreign: "NSNull") }
            return leaf
        }
        guard let fields = try Self.fields(number, &table) else { throw .malformed("an object that is no instance") }
        guard open.insert(reference).inserted else { throw ReadingError(.cyclic, "an object that holds itself") }
        defer { open.remove(reference) }
        try table.limits.check(depth: depth + 1)
        let whole = try instance(fields, depth: depth + 1)
        built[reference] = whole
        return whole
    }

    private mutating func instance(_ fields: Fields, depth: Int) throws(ReadingError) -> Unfolded<Value> {
        let name = try className(fields)
        switch name {
        case "NSDictionary", "NSMutableDictionary": return try dictionary(name, fields, depth: depth)
        case "NSArray", "NSMutableArray": return try array(fields, depth: depth)
        case "NSString", "NSMutableString": return try inline(["NS.string"], fields)
        case "NSData", "NSMutableData": return try inline(["NS.data"], fields)
        case "NSNumber": return try inline(["NS.intval", "NS.dblval", "NS.boolval", "NS.number"], fields)
        case "NSDate": return try date(fields)
        default: return Unfolded(foreign: name)
        }
    }

    private mutating func dictionary(
        _ name: String, _ fields: Fields, depth: Int
    ) throws(ReadingError) -> Unfolded<Value> {
        var whole = Unfolded<Value>(.boolean(false))
        var entries: [String: Value] = [:]
        let (keys, values) = try pairs(fields)
        for index in 0..<keys.count {
            guard let key = try text(member(keys, index)) else {
                return Unfolded(foreign: "\(name) with keys that are not strings")
            }
            let part = try value(member(values, index), depth: depth)
            try whole.hold(part, key: key.utf8.count, table.limits)
            entries[key] = part.value
        }
        whole.value = .dictionary(entries)
        whole.height += 1
        return whole
    }

    private mutating func array(_ fields: Fields, depth: Int) throws(ReadingError) -> Unfolded<Value> {
        var whole = Unfolded<Value>(.boolean(false))
        var items: [Value] = []
        let references = try members("NS.objects", fields)
        for index in 0..<references.count {
            let part = try value(member(references, index), depth: depth)
            try whole.hold(part, table.limits)
            items.append(part.value)
        }
        whole.value = .array(items)
        whole.height += 1
        return whole
    }

    /// The object in the first of these fields that is present, or the one that it refers to.
    private mutating func content(_ names: [String], _ fields: Fields) throws(ReadingError) -> Int {
        guard let name = names.first(where: { fields[$0] != nil }), let number = fields[name] else {
            throw .malformed("an object without its value")
        }
        guard case .reference(let reference) = try table.list.object(number) else { return number }
        return try object(reference)
    }

    private mutating func inline(_ names: [String], _ fields: Fields) throws(ReadingError) -> Unfolded<Value> {
        let number = try content(names, fields)
        guard let leaf: Unfolded<Value> = try table.leaf(number, table.list.object(number)) else {
            throw .malformed("an object without its value")
        }
        return leaf
    }

    private mutating func date(_ fields: Fields) throws(ReadingError) -> Unfolded<Value> {
        guard case .real(let seconds) = try table.list.object(content(["NS.time"], fields)) else {
            throw .malformed("an object without its value")
        }
        return Unfolded(.moment(try CalendarTime.checked(seconds)))
    }

    /// The text of a reference; nil if it is something else.
    private mutating func text(_ reference: Int) throws(ReadingError) -> String? {
        var number = try object(reference)
        if let fields = try Self.fields(number, &table) {
            guard ["NSString", "NSMutableString"].contains(try className(fields)) else { return nil }
            number = try content(["NS.string"], fields)
        }
        guard case .text(let range, let isWide) = try table.list.object(number) else { return nil }
        return try table.text(number, range, isWide: isWide)
    }
}
