// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a file of preferences: a property list (XML or binary) or a keyed archive, within limits.
enum PropertyListReader {
    /// Bytes of a file.
    static let sizeLimit = 64 << 20

    /// What was read, and what was left out.
    struct Content: Equatable {
        var values: [String: PropertyValue] = [:]
        var rejections: [KeyedArchive.Rejection] = []
    }

    static func read(_ bytes: [UInt8]) throws(ImportError) -> Content {
        guard bytes.count <= sizeLimit else { throw .tooLarge }
        guard bytes.starts(with: "bplist0".utf8) else { return try readText(bytes) }
        let list = try BinaryPropertyList(bytes)
        if let archive = try KeyedArchive(list) {
            return Content(values: archive.values, rejections: archive.rejections)
        }
        var plain = PlainList(list)
        guard case .dictionary(let values) = try plain.value(list.root, depth: 1) else { throw .notADictionary }
        return Content(values: values)
    }

    /// XML. Foundation reads it only when no entity is declared and nothing is nested deeper than the limit.
    private static func readText(_ bytes: [UInt8]) throws(ImportError) -> Content {
        let start = bytes.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }.prefix(5)
        guard start.starts(with: "<?xml".utf8) || start.starts(with: "<plis".utf8) || start.starts(with: "<!DOC".utf8)
        else {
            throw .notAPropertyList
        }
        try checkText(bytes)
        let list = try? propertyList(in: Data(bytes))
        guard let list else { throw .damaged }
        guard let entries = list as? [String: Any] else { throw .notADictionary }
        var content = Content()
        for (key, object) in entries {
            if let value = PropertyValue(propertyList: object) {
                content.values[key] = value
            } else {
                content.rejections.append(KeyedArchive.Rejection(key: key, className: "\(type(of: object))"))
            }
        }
        return content
    }

    private static func checkText(_ bytes: [UInt8]) throws(ImportError) {
        let (open, slash, entity) = (UInt8(ascii: "<"), UInt8(ascii: "/"), Array("<!ENTITY".utf8))
        var depth = 0
        var elements = 0
        for index in bytes.indices where bytes[index] == open {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch next {
            case UInt8(ascii: "!"):
                if bytes[index...].starts(with: entity) { throw .damaged }
            case UInt8(ascii: "?"): continue
            case slash: depth -= 1
            default:
                elements += 1
                let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
                if end > index, bytes[end - 1] != slash { depth += 1 }
            }
            guard depth <= KeyedArchive.depthLimit, elements <= KeyedArchive.valueLimit else { throw .tooLarge }
        }
    }
}

/// A binary property list without references.
private struct PlainList {
    private let list: BinaryPropertyList
    private var budget = KeyedArchive.valueLimit
    private var open: Set<Int> = []

    init(_ list: BinaryPropertyList) { self.list = list }

    mutating func value(_ index: Int, depth: Int) throws(ImportError) -> PropertyValue {
        budget -= 1
        guard budget >= 0, depth <= KeyedArchive.depthLimit else { throw .tooLarge }
        guard open.insert(index).inserted else { throw .cyclic }
        defer { open.remove(index) }
        switch try list.object(index) {
        case .value(let value): return value
        case .array(let items):
            var values: [PropertyValue] = []
            for item in items { values.append(try value(item, depth: depth + 1)) }
            return .array(values)
        case .dictionary(let pairs):
            var entries: [String: PropertyValue] = [:]
            for pair in pairs {
                guard case .value(.string(let key)) = try list.object(pair.key) else { throw .damaged }
                entries[key] = try value(pair.value, depth: depth + 1)
            }
            return .dictionary(entries)
        default: throw .damaged
        }
    }
}
