// SPDX-License-Identifier: Apache-2.0

/// Reads the XML form, restricted to what property lists use: one `plist` element, no internal document type subset, no
/// CDATA, only XML's five entities and numeric ones, no duplicate key. Readers that accept more than others have let
/// entitlements be smuggled past checks.
struct XMLPropertyListReader<Value: PropertyListNode> {
    private let bytes: [UInt8]
    private var position = 0
    private var budget: ReadingBudget
    /// Receives the entries of the outermost dictionary, one by one.
    private var entries: PropertyListEntries<Value>?
    private var isDictionary = false
    private var level = 0
    /// A type in the current value that property lists don't have.
    private var foreign: String?

    private init(_ bytes: [UInt8], _ limits: ReadingLimits) {
        self.bytes = bytes
        budget = ReadingBudget(limits)
    }

    static func read(_ bytes: [UInt8], _ limits: ReadingLimits) throws(ReadingError) -> Value {
        var reader = XMLPropertyListReader(bytes, limits)
        return try reader.document()
    }

    /// A number that is too large rejects only its entry.
    static func entries(_ bytes: [UInt8], _ limits: ReadingLimits) throws(ReadingError) -> PropertyListEntries<Value> {
        var reader = XMLPropertyListReader(bytes, limits)
        reader.entries = PropertyListEntries()
        _ = try reader.document()
        guard reader.isDictionary, let entries = reader.entries else {
            throw .noDictionary
        }
        return entries
    }

    private mutating func document() throws(ReadingError) -> Value {
        guard String(validUTF8: bytes) != nil else { throw failure("it is not UTF-8") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try prolog()
        guard try openingTag() == Tag(name: "plist", isEmpty: false) else { throw failure("no plist element") }
        let tag = try openingTag()
        isDictionary = tag.name == "dict"
        let value = try value(after: tag)
        guard try closingTag() == "plist" else { throw failure("more than one value in the plist element") }
        try skipSpaceAndComments()
        guard position == bytes.count else { throw failure("something follows the plist element") }
        return value
    }
}

// MARK: - Values

extension XMLPropertyListReader {
    private struct Tag: Equatable {
        let name: String
        let isEmpty: Bool
    }

    private mutating func value(after tag: Tag) throws(ReadingError) -> Value {
        try budget.value()
        switch tag.name {
        case "dict": return .dictionary(tag.isEmpty ? [:] : try dictionary())
        case "array": return .array(tag.isEmpty ? [] : try array())
        case "true", "false":
            if !tag.isEmpty { _ = try emptyText(of: tag.name) }
            return .boolean(tag.name == "true")
        case "string": return .string(tag.isEmpty ? "" : try text(of: tag.name))
        case "data": return .data(tag.isEmpty ? [] : Base64Reader.decode(try text(of: tag.name).utf8))
        case "integer", "real", "date":
            guard !tag.isEmpty else { throw failure("an empty \(tag.name)") }
            return try scalar(tag.name, text(of: tag.name))
        default: throw failure("an element that property lists do not have")
        }
    }

    private mutating func scalar(_ name: String, _ text: String) throws(ReadingError) -> Value {
        let trimmed = XMLText.trimmed(text)
        switch name {
        case "integer":
            if let number = Int64(trimmed) { return .integer(number) }
            if entries != nil, UInt64(trimmed) != nil {
                foreign = "a number of more than 63 bits"
                return .integer(0)
            }
        case "real": if let number = Double(trimmed) { return .real(number) }
        default:
            if let time = CalendarTime(propertyListText: trimmed)?.seconds { return .moment(time) }
            throw ReadingError(.noDate, failure("a date that no calendar has, or of another form").message)
        }
        throw failure("a \(name) that can't be read")
    }

    private mutating func dictionary() throws(ReadingError) -> [String: Value] {
        try budget.enter()
        level += 1
        defer {
            budget.leave()
            level -= 1
        }
        var values: [String: Value] = [:]
        while true {
            try skipSpaceAndComments()
            if try atClosingTag(of: "dict") { return values }
            let tag = try openingTag()
            guard tag.name == "key" else { throw failure("a value without a key") }
            let key = tag.isEmpty ? "" : try text(of: "key")
            let value = try value(after: openingTag())
            if entries != nil, level == 1, isDictionary {
                try entries?.take(value, foreign: foreign, forKey: key)
                foreign = nil
            } else {
                guard values.updateValue(value, forKey: key) == nil else { throw failure("a duplicate key") }
            }
        }
    }

    private mutating func array() throws(ReadingError) -> [Value] {
        try budget.enter()
        defer { budget.leave() }
        var values: [Value] = []
        while true {
            try skipSpaceAndComments()
            if try atClosingTag(of: "array") { return values }
            values.append(try value(after: openingTag()))
        }
    }

    private mutating func emptyText(of name: String) throws(ReadingError) -> String {
        let inside = try text(of: name)
        guard inside.isEmpty else { throw failure("text inside \(name)") }
        return inside
    }
}

// MARK: - Tags and text

extension XMLPropertyListReader {
    private mutating func openingTag() throws(ReadingError) -> Tag {
        try skipSpaceAndComments()
        guard take("<") else { throw failure("text where an element is expected") }
        let name = tagName()
        if name == "plist" { try skipAttributes() }
        skipSpace()
        let isEmpty = take("/")
        guard !name.isEmpty, take(">") else { throw failure("an element that does not end") }
        return Tag(name: name, isEmpty: isEmpty)
    }

    private mutating func closingTag() throws(ReadingError) -> String {
        try skipSpaceAndComments()
        guard take("</") else { throw failure("an end tag is missing") }
        let name = tagName()
        skipSpace()
        guard take(">") else { throw failure("an end tag that does not end") }
        return name
    }

    private mutating func atClosingTag(of name: String) throws(ReadingError) -> Bool {
        guard looking(at: "</") else { return false }
        guard try closingTag() == name else { throw failure("an end tag of another element") }
        return true
    }

    private mutating func tagName() -> String {
        let start = position
        while position < bytes.count, (0x61...0x7A).contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipAttributes() throws(ReadingError) {
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            guard bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "/") else {
                throw failure("attributes that can't be read")
            }
            position += 1
        }
    }

    /// The text up to the end tag, with entities replaced.
    private mutating func text(of name: String) throws(ReadingError) -> String {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
            let byte = bytes[position]
            if byte == UInt8(ascii: "&") {
                text.append(contentsOf: String(try entity()).utf8)
            } else {
                guard byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else {
                    throw failure("a control character")
                }
                text.append(byte)
                position += 1
            }
        }
        guard try closingTag() == name else { throw failure("an end tag of another element") }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func entity() throws(ReadingError) -> Character {
        let limit = min(bytes.count, position + 12)
        guard let end = bytes[position..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("an entity that does not end")
        }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: return try numbered(name)
        }
    }

    private func numbered(_ name: String) throws(ReadingError) -> Character {
        let number =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16)
            : name.hasPrefix("#") ? UInt32(name.dropFirst(1)) : nil
        guard let number, number >= 0x20 || [9, 10, 13].contains(number), let scalar = Unicode.Scalar(number) else {
            throw failure("an entity that XML does not have of itself")
        }
        return Character(scalar)
    }
}

// MARK: - Around values

extension XMLPropertyListReader {
    private mutating func prolog() throws(ReadingError) {
        skipSpace()
        if looking(at: "<?xml") { try declaration() }
        try skipSpaceAndComments()
        if looking(at: "<!DOCTYPE") { try documentType() }
    }

    private mutating func declaration() throws(ReadingError) {
        let start = position
        let end = try skip(past: "?>")
        let text = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        guard !text.contains("encoding") || text.contains("utf-8") || text.contains("us-ascii") else {
            throw ReadingError(.otherEncoding, failure("an encoding other than UTF-8").message)
        }
    }

    private mutating func documentType() throws(ReadingError) {
        let start = position
        let end = try skip(past: ">")
        let declaration = bytes[start..<end]
        guard !declaration.contains(UInt8(ascii: "[")), !declaration.dropFirst().contains(UInt8(ascii: "<")) else {
            throw failure("a document type with an internal subset")
        }
    }

    private mutating func skipSpaceAndComments() throws(ReadingError) {
        skipSpace()
        while looking(at: "<!--") {
            position += 4
            _ = try skip(past: "--")
            guard take(">") else { throw failure("two hyphens in a comment") }
            skipSpace()
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, XMLText.isSpace(bytes[position]) { position += 1 }
    }

    /// Moves past the next `end` and returns where it began.
    private mutating func skip(past end: String) throws(ReadingError) -> Int {
        let end = Array(end.utf8)
        while position < bytes.count {
            if bytes[position...].starts(with: end) {
                position += end.count
                return position
            }
            position += 1
        }
        throw failure("it ends too early")
    }

    private func looking(at text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard looking(at: text) else { return false }
        position += text.utf8.count
        return true
    }

    private func failure(_ what: String) -> ReadingError {
        ReadingError.malformed("the property list can't be read at byte \(position): \(what)")
    }
}

/// White space of XML.
enum XMLText {
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D }

    static func trimmed(_ text: String) -> Substring {
        let start = text.utf8.drop { isSpace($0) }
        var end = start.endIndex
        while end > start.startIndex, isSpace(start[start.index(before: end)]) { end = start.index(before: end) }
        return Substring(start[..<end])
    }
}
