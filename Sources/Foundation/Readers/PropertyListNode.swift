// SPDX-License-Identifier: Apache-2.0

/// The value type that the readers build. Each module has its own value type, but no reader of its own.
package protocol PropertyListNode: Sendable {
    static func string(_ value: String) -> Self
    static func integer(_ value: Int64) -> Self
    static func real(_ value: Double) -> Self
    static func boolean(_ value: Bool) -> Self
    static func data(_ value: [UInt8]) -> Self
    static func array(_ values: [Self]) -> Self
    static func dictionary(_ values: [String: Self]) -> Self
    /// A date; seconds since 2001-01-01 00:00 UTC.
    static func moment(_ seconds: Double) -> Self
}

/// A dictionary that is read entry by entry. A value of a type that property lists don't have rejects only its
/// own entry.
package struct PropertyListEntries<Value: PropertyListNode>: Sendable {
    /// A rejected entry, and the type in it.
    package struct Rejection: Equatable, Sendable {
        package let key: String
        package let type: String
    }

    package internal(set) var values: [String: Value] = [:]
    package internal(set) var rejections: [Rejection] = []
    private var keys: Set<String> = []

    mutating func take(_ value: Value, foreign: String?, forKey key: String) throws(ReadingError) {
        guard keys.insert(key).inserted else { throw .doubledKey }
        if let foreign { rejections.append(Rejection(key: key, type: foreign)) } else { values[key] = value }
    }
}

extension ReadingError {
    static var otherEncoding: ReadingError {
        ReadingError(.otherEncoding, "text in another encoding than UTF-8")
    }

    static var doubledKey: ReadingError { .malformed("a duplicate key") }
}

/// Reads property lists. This module has the only reader of each file format.
package enum PropertyListReading {
    /// Which forms are accepted.
    package enum Forms: Sendable {
        /// XML, binary, and the old style of Xcode projects.
        case all
        case xml
    }

    package static func value<Value: PropertyListNode>(
        of type: Value.Type = Value.self, in bytes: [UInt8], _ forms: Forms, _ limits: ReadingLimits
    ) throws(ReadingError) -> Value {
        try limits.check(bytes: bytes.count)
        if forms == .xml || isXML(bytes) { return try XMLPropertyListReader.read(bytes, limits) }
        if bytes.starts(with: "bplist".utf8) { return try BinaryPropertyListReader.read(bytes, limits) }
        return try OldStylePropertyListReader.read(bytes, limits)
    }

    /// The entries of a dictionary in XML, binary, or a keyed archive.
    package static func entries<Value: PropertyListNode>(
        of type: Value.Type = Value.self, in bytes: [UInt8], _ limits: ReadingLimits
    ) throws(ReadingError) -> PropertyListEntries<Value> {
        try limits.check(bytes: bytes.count)
        if isXML(bytes) { return try XMLPropertyListReader.entries(bytes, limits) }
        guard bytes.starts(with: "bplist".utf8) else {
            // The byte order marks of UTF-16, and `<` as two bytes.
            if [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0x3C], [0x3C, 0]].contains(where: { bytes.starts(with: $0) }) {
                throw .otherEncoding
            }
            throw ReadingError(.unknownForm, "neither a property list nor a keyed archive")
        }
        let table = try ObjectTable(bytes, limits)
        if let archive = try KeyedArchive.entries(of: Value.self, in: table) { return archive }
        return try BinaryPropertyListReader.entries(table)
    }

    private static func isXML(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard !text.starts(with: [0x3C, 0]) else { return false }
        return text.first { !XMLText.isSpace($0) } == UInt8(ascii: "<")
    }
}
