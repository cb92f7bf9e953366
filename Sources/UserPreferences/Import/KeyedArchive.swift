// SPDX-License-Identifier: Apache-2.0

/// Reads what NSKeyedArchiver wrote, property-list types only, without NSKeyedUnarchiver, which ends the process when it meets
/// a class that is not in its list.
///
/// Bounded in depth and in the number of values; what refers to itself is refused. A class outside the property-list types costs the
/// key it stands under and is reported; all other keys are read.
struct KeyedArchive {
    /// A key that was left out, and the class it holds.
    struct Rejection: Equatable {
        let key: String
        let className: String
    }

    private(set) var values: [String: PropertyValue] = [:]
    private(set) var rejections: [Rejection] = []

    static let depthLimit = 64
    static let valueLimit = 1_000_000

    private let list: BinaryPropertyList
    private var objects: [Int] = []
    private var budget = KeyedArchive.valueLimit
    private var open: Set<Int> = []

    private struct ForeignClass: Error { let name: String }

    /// nil: the property list is not a keyed archive.
    init?(_ list: BinaryPropertyList) throws(ImportError) {
        self.list = list
        guard case .dictionary(let top) = try list.object(list.root) else { return nil }
        let entries = try Self.entries(top, list)
        guard let archiver = entries["$archiver"], case .value(.string(let name)) = try list.object(archiver),
            name == "NSKeyedArchiver", let objects = entries["$objects"], let start = entries["$top"]
        else { return nil }
        guard case .array(let indices) = try list.object(objects), case .dictionary(let roots) = try list.object(start),
            let root = try Self.entries(roots, list)["root"], case .reference(let first) = try list.object(root)
        else { throw .damaged }
        self.objects = indices
        try readRoot(first)
    }

    private static func entries(
        _ pairs: [(key: Int, value: Int)], _ list: BinaryPropertyList
    ) throws(ImportError) -> [String: Int] {
        var found: [String: Int] = [:]
        for pair in pairs {
            guard case .value(.string(let key)) = try list.object(pair.key) else { throw .damaged }
            found[key] = pair.value
        }
        return found
    }

    private mutating func readRoot(_ reference: Int) throws(ImportError) {
        guard let fields = try fields(of: reference), Self.dictionaryClasses.contains(try className(fields)) else {
            throw .notADictionary
        }
        open.insert(reference)
        for (key, value) in try pairs(fields) {
            guard case .string(let key)? = try? self.value(key, depth: 1) else { throw .notADictionary }
            do {
                values[key] = try self.value(value, depth: 1)
            } catch let foreign as ForeignClass {
                rejections.append(Rejection(key: key, className: foreign.name))
            } catch let error as ImportError { throw error } catch { throw .damaged }
        }
    }

    private static let dictionaryClasses: Set<String> = ["NSDictionary", "NSMutableDictionary"]

    private func fields(of reference: Int) throws(ImportError) -> [String: Int]? {
        guard objects.indices.contains(reference) else { throw .damaged }
        guard case .dictionary(let pairs) = try list.object(objects[reference]) else { return nil }
        return try Self.entries(pairs, list)
    }

    private func className(_ fields: [String: Int]) throws(ImportError) -> String {
        guard let entry = fields["$class"], case .reference(let index) = try list.object(entry),
            let description = try self.fields(of: index), let name = description["$classname"],
            case .value(.string(let text)) = try list.object(name)
        else { throw .damaged }
        // Foundation on Linux writes its module's name before the class's.
        return text.split(separator: ".").last.map(String.init) ?? text
    }

    private func references(_ field: String, _ fields: [String: Int]) throws(ImportError) -> [Int] {
        guard let entry = fields[field], case .array(let items) = try list.object(entry) else { throw .damaged }
        var found: [Int] = []
        for item in items {
            guard case .reference(let index) = try list.object(item) else { throw .damaged }
            found.append(index)
        }
        return found
    }

    private func pairs(_ fields: [String: Int]) throws(ImportError) -> [(Int, Int)] {
        let (keys, values) = (try references("NS.keys", fields), try references("NS.objects", fields))
        guard keys.count == values.count else { throw .damaged }
        return Array(zip(keys, values))
    }

    private mutating func value(_ reference: Int, depth: Int) throws -> PropertyValue {
        budget -= 1
        guard budget >= 0, depth <= Self.depthLimit else { throw ImportError.tooLarge }
        guard objects.indices.contains(reference) else { throw ImportError.damaged }
        switch try list.object(objects[reference]) {
        case .value(.string("$null")), .null: throw ForeignClass(name: "NSNull")
        case .value(let value): return value
        case .dictionary(let pairs):
            guard open.insert(reference).inserted else { throw ImportError.cyclic }
            defer { open.remove(reference) }
            return try instance(try Self.entries(pairs, list), depth: depth)
        default: throw ImportError.damaged
        }
    }

    private mutating func instance(_ fields: [String: Int], depth: Int) throws -> PropertyValue {
        let name = try className(fields)
        switch name {
        case "NSDictionary", "NSMutableDictionary":
            var entries: [String: PropertyValue] = [:]
            for (key, value) in try pairs(fields) {
                guard case .string(let key) = try self.value(key, depth: depth + 1) else {
                    throw ForeignClass(name: "\(name) with keys that are not strings")
                }
                entries[key] = try self.value(value, depth: depth + 1)
            }
            return .dictionary(entries)
        case "NSArray", "NSMutableArray":
            var items: [PropertyValue] = []
            for item in try references("NS.objects", fields) { items.append(try value(item, depth: depth + 1)) }
            return .array(items)
        case "NSString", "NSMutableString": return try inline("NS.string", fields)
        case "NSData", "NSMutableData": return try inline("NS.data", fields)
        case "NSDate":
            guard case .real(let seconds) = try inline("NS.time", fields) else { throw ImportError.damaged }
            return .date(seconds)
        case "NSNumber": return try number(fields)
        default: throw ForeignClass(name: name)
        }
    }

    private func inline(_ field: String, _ fields: [String: Int]) throws(ImportError) -> PropertyValue {
        guard let entry = fields[field] else { throw .damaged }
        switch try list.object(entry) {
        case .value(let value): return value
        case .reference(let index):
            guard objects.indices.contains(index), case .value(let value) = try list.object(objects[index]) else {
                throw .damaged
            }
            return value
        default: throw .damaged
        }
    }

    private func number(_ fields: [String: Int]) throws(ImportError) -> PropertyValue {
        for field in ["NS.intval", "NS.dblval", "NS.boolval", "NS.number"] where fields[field] != nil {
            return try inline(field, fields)
        }
        throw .damaged
    }
}
