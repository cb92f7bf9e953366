// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import Readers
import SecretMemory

/// A JSON value (RFC 8259) whose members keep their order and whose numbers keep their digits, so that values of
/// unknown meaning can be written again as they were.
enum ExchangeJSON: Equatable, Sendable {
    /// A member of an object.
    struct Member: Equatable, Sendable {
        let name: String
        var value: ExchangeJSON
    }

    /// A string that is quoted already, in secret memory. Equal is only the same one.
    struct Hidden: Equatable, Sendable {
        fileprivate let quoted: Secret

        /// Nil: the secret isn't UTF-8.
        init?(_ secret: Secret) throws {
            guard let quoted = try JSONText.quoted(secret) else { return nil }
            self.quoted = quoted
        }

        static func == (left: Self, right: Self) -> Bool { left.quoted === right.quoted }
    }

    case null
    case flag(Bool)
    /// The digits as they were read.
    case number(String)
    case text(String)
    case list([ExchangeJSON])
    case object([Member])
    case hidden(Hidden)

    /// An object of these members, without those that have no value.
    static func known(_ members: [(String, ExchangeJSON?)]) -> Self {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// The first member of this name; nil: there is none, or the value is no object.
    subscript(name: String) -> ExchangeJSON? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.name.hasBytes(of: name) }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let place = members.firstIndex { $0.name.hasBytes(of: name) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): return
            }
            self = .object(members)
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [ExchangeJSON]? { if case .list(let list) = self { list } else { nil } }
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    /// A whole number of 64 bits.
    var whole: Int64? { if case .number(let digits) = self { Int64(digits) } else { nil } }

    /// The value in written form, without spaces. A hidden string is left out.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes) { _, _ in }
        return bytes
    }

    /// The value in written form, in secret memory.
    func pieces() throws -> [Secret] {
        var pieces: [Secret] = []
        var bytes: [UInt8] = []
        func flush(_ bytes: inout [UInt8]) throws {
            pieces.append(try Secret(copying: bytes))
            for index in bytes.indices { bytes[index] = 0 }
            bytes.removeAll(keepingCapacity: true)
        }
        try write(to: &bytes) { hidden, bytes in
            try flush(&bytes)
            pieces.append(hidden.quoted)
        }
        try flush(&bytes)
        return pieces
    }

    private func write(
        to bytes: inout [UInt8], _ put: (Hidden, inout [UInt8]) throws -> Void
    ) rethrows {
        switch self {
        case .null: bytes += "null".utf8
        case .flag(let value): bytes += (value ? "true" : "false").utf8
        case .number(let digits): bytes += digits.utf8
        case .text(let text): JSONText.quote(text, to: &bytes)
        case .hidden(let hidden): try put(hidden, &bytes)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (number, value) in values.enumerated() {
                if number > 0 { bytes.append(UInt8(ascii: ",")) }
                try value.write(to: &bytes, put)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (number, member) in members.enumerated() {
                if number > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.quote(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try member.value.write(to: &bytes, put)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

/// A strict reader of JSON: an object has no two members of one name, a string no half of a surrogate pair, and
/// nothing follows the value. The depth is limited, and each byte is looked at once.
struct ExchangeJSONReader {
    /// The maximum depth of objects and lists.
    static let deepest = 64
    /// The maximum length of a number in bytes.
    private static let longestNumber = 64

    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int
    private var depth = 0

    /// `range`: the part of `bytes` that is read; nil: all, without a leading byte order mark.
    init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
        self.bytes = bytes
        position = range?.lowerBound ?? (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        end = range?.upperBound ?? bytes.count
    }

    /// The only value of the text. Errors: `.unsupportedFormat`.
    static func value(_ bytes: [UInt8]) throws(KeychainError) -> ExchangeJSON {
        var reader = Self(bytes)
        let value = try reader.value()
        try reader.finish()
        return value
    }

    /// Reads spaces up to the end. Errors: `.unsupportedFormat` for anything else.
    mutating func finish() throws(KeychainError) {
        skip()
        guard position == end else { throw failure("there is text after its end") }
    }

    /// Reads a value. Errors: `.unsupportedFormat`.
    mutating func value() throws(KeychainError) -> ExchangeJSON {
        skip()
        switch peek {
        case UInt8(ascii: "{"):
            var members: [ExchangeJSON.Member] = []
            try object { (reader, name) throws(KeychainError) in
                members.append(ExchangeJSON.Member(name: name, value: try reader.value()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var values: [ExchangeJSON] = []
            try list { (reader) throws(KeychainError) in values.append(try reader.value()) }
            return .list(values)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    /// Reads an object. `member` reads the value of each member.
    /// Errors: `.unsupportedFormat`, also for two members of one name; errors of `member`.
    mutating func object(
        _ member: (inout Self, String) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try enter(UInt8(ascii: "{"), "an object")
        var names: Set<[UInt8]> = []
        skip()
        guard !take(UInt8(ascii: "}")) else {
            depth -= 1
            return
        }
        repeat {
            skip()
            let start = position
            let name = try string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw failure("an object has two members of one name", at: start)
            }
            skip()
            guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
            try member(&self, name)
            skip()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw failure("an object is not closed") }
        depth -= 1
    }

    /// Reads a list. `element` reads each value. Errors: `.unsupportedFormat`; errors of `element`.
    mutating func list(_ element: (inout Self) throws(KeychainError) -> Void) throws(KeychainError) {
        try enter(UInt8(ascii: "["), "a list")
        skip()
        guard !take(UInt8(ascii: "]")) else {
            depth -= 1
            return
        }
        repeat {
            try element(&self)
            skip()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw failure("a list is not closed") }
        depth -= 1
    }

    /// Whether the next value is an object, or a list.
    var isAtObject: Bool { nextByte == UInt8(ascii: "{") }
    var isAtList: Bool { nextByte == UInt8(ascii: "[") }

    private var nextByte: UInt8? {
        var place = position
        while place < end, Self.isSpace(bytes[place]) { place += 1 }
        return place < end ? bytes[place] : nil
    }

    private mutating func enter(_ bracket: UInt8, _ what: String) throws(KeychainError) {
        skip()
        guard take(bracket) else { throw failure("\(what) was expected") }
        depth += 1
        guard depth <= Self.deepest else { throw failure("it is deeper than \(Self.deepest) objects and lists") }
    }

    private mutating func word(_ word: StaticString, _ value: ExchangeJSON) throws(KeychainError) -> ExchangeJSON {
        for byte in "\(word)".utf8 { guard take(byte) else { throw failure("a value was expected") } }
        return value
    }

    private mutating func number() throws(KeychainError) -> ExchangeJSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard text.utf8.count <= Self.longestNumber, Double(text)?.isFinite == true else {
            throw failure("a number is out of range", at: start)
        }
        return .number(text)
    }

    private mutating func digits() throws(KeychainError) {
        let start = position
        while position < end, (0x30...0x39).contains(bytes[position]) { position += 1 }
        guard position > start else { throw failure("a value was expected") }
    }

    private mutating func string() throws(KeychainError) -> String {
        guard take(UInt8(ascii: "\"")) else { throw failure("a string was expected") }
        let start = position
        while position < end, bytes[position] >= 0x20, bytes[position] != 0x22, bytes[position] != 0x5C {
            position += 1
        }
        // Most strings have no escapes, and are copied once.
        if position < end, bytes[position] == 0x22 {
            defer { position += 1 }
            return try text(bytes[start..<position], start)
        }
        var value = Array(bytes[start..<position])
        defer { for index in value.indices { value[index] = 0 } }
        while position < end {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0x22: return try text(value[...], start)
            case 0x5C: try escape(&value)
            case 0..<0x20: throw failure("a string has a control character", at: position - 1)
            default: value.append(byte)
            }
        }
        throw failure("a string is not closed", at: start)
    }

    private func text(_ bytes: ArraySlice<UInt8>, _ start: Int) throws(KeychainError) -> String {
        guard let text = String(validUTF8: bytes) else { throw failure("a string is no text in UTF-8", at: start) }
        return text
    }

    private mutating func escape(_ value: inout [UInt8]) throws(KeychainError) {
        guard position < end else { throw failure("a string is not closed") }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(letter)
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "u"):
            let place = position - 2
            var number = try unit()
            if (0xD800..<0xDC00).contains(number), take(0x5C) {
                guard take(UInt8(ascii: "u")) else { throw failure("half of a surrogate pair", at: place) }
                let low = try unit()
                guard (0xDC00..<0xE000).contains(low) else { throw failure("half of a surrogate pair", at: place) }
                number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(number) else { throw failure("half of a surrogate pair", at: place) }
            value += String(scalar).utf8
        default: throw failure("an unknown escape", at: position - 2)
        }
    }

    private mutating func unit() throws(KeychainError) -> UInt32 {
        guard end - position >= 4 else { throw failure("a string is not closed") }
        var number: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw failure("an unknown escape", at: position - 2)
            }
            number = number << 4 | UInt32(digit)
        }
        position += 4
        return number
    }

    private var peek: UInt8? { position < end ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func skip() { while position < end, Self.isSpace(bytes[position]) { position += 1 } }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    func failure(_ text: String, at place: Int? = nil) -> KeychainError {
        KeychainError(
            .unsupportedFormat,
            "the document can't be read: \(text), at byte \((place ?? position) + 1); nothing was added")
    }
}
