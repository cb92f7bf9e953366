// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The value of an attribute.
enum PKCS11Value: Equatable {
    case flag(Bool)
    case number(UInt64)
    case bytes([UInt8])

    /// The number of bytes that the value takes in the program's memory.
    var count: Int {
        switch self {
        case .flag: 1
        case .number: 8
        case .bytes(let bytes): bytes.count
        }
    }
}

/// The template by which a program creates or finds an object.
struct PKCS11Template {
    var values: [UInt64: PKCS11Value] = [:]
    /// Whether it contains something that fits no object: an array, or a missing value.
    var isImpossible = false
}

/// Reads the parts of a request. Its bytes are untrusted (Documentation/Formats/TokenMessages.md).
struct PKCS11Reader {
    private var reader: ByteReader

    /// The maximum number of attributes in one request.
    static let attributeLimit = 256
    /// The maximum nesting depth of attribute arrays.
    static let depthLimit = 4

    init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

    mutating func byte() throws -> UInt8 { try reader.integer() }
    mutating func word() throws -> UInt32 { try reader.integer() }
    /// `u`.
    mutating func number() throws -> UInt64 { try reader.integer() }
    func end() throws { try reader.end() }

    /// Length-prefixed bytes. Nil: absent, which isn't the same as an empty array.
    mutating func array() throws -> ArraySlice<UInt8>? {
        let count = try word()
        return count == .max ? nil : try reader.slice(Int(count))
    }

    /// `ay`. Nil: the message contains only their number.
    mutating func bytes() throws -> ArraySlice<UInt8>? {
        guard try byte() != 0 else {
            _ = try word()
            return nil
        }
        return try array()
    }

    /// `fy`: the size in bytes of the program's buffer. Nil: the program asks only for the length.
    mutating func room() throws -> Int? {
        let count = try word()
        return count == 0 ? nil : count == .max ? 0 : Int(count)
    }

    /// `M`, followed by `tail` bytes: the mechanism's number and its parameter. Nil: the operation is to be ended.
    mutating func mechanism(before tail: Int) throws -> (type: UInt64, parameter: [UInt8])? {
        let type = try word()
        let count = reader.remaining - tail
        let parameter = try reader.read(count)
        return type == .max ? nil : (UInt64(type), parameter)
    }

    /// `M` of a key exchange, whose parameter says where it ends.
    /// It consists of a marker, the derivation's number, the shared data and the peer's point.
    mutating func exchange() throws -> (type: UInt64, derivation: UInt64, shared: [UInt8], point: [UInt8]) {
        let type = UInt64(try word())
        guard type == PKCS11Mechanism.exchange else { throw PKCS11Failure.mechanismInvalid }
        guard try byte() == 1 else { throw PKCS11Failure.mechanismParameterInvalid }
        let derivation = try number()
        let shared = try array() ?? []
        return (type, derivation, Array(shared), Array(try array() ?? []))
    }

    /// `M` of a mechanism without a parameter, and both templates.
    /// Older versions write an absent array where newer ones write nothing. No template has as many attributes.
    mutating func keyPair() throws -> (type: UInt64, shown: PKCS11Template, own: PKCS11Template) {
        let type = UInt64(try word())
        var ahead = self
        if try ahead.word() == .max { self = ahead }
        return (type, try template(), try template())
    }

    /// `fA`: the requested attributes, and the size in bytes of the program's buffer for each.
    /// A nil size: the program asks only for the length.
    mutating func wanted(depth: Int = 0) throws -> [(type: UInt64, room: Int?)] {
        let count = try word()
        guard count <= Self.attributeLimit, depth <= Self.depthLimit else { throw PKCS11Failure.argumentsBad }
        var found: [(type: UInt64, room: Int?)] = []
        for _ in 0..<count {
            let (type, room) = (UInt64(try word()), try word())
            if room > 0, PKCS11Attribute.form(type) == .attributes { _ = try wanted(depth: depth + 1) }
            found.append((type, room == 0 ? nil : Int(room)))
        }
        return found
    }

    /// `aA`.
    mutating func template(depth: Int = 0) throws -> PKCS11Template {
        let count = try word()
        guard count <= Self.attributeLimit, depth <= Self.depthLimit else { throw PKCS11Failure.argumentsBad }
        var template = PKCS11Template()
        for _ in 0..<count {
            let type = UInt64(try word())
            guard try byte() != 0 else {
                template.isImpossible = true
                continue
            }
            let length = try word()
            switch PKCS11Attribute.form(type) {
            case .flag: template.values[type] = .flag(try byte() != 0)
            case .number: template.values[type] = .number(try number())
            case .bytes: template.values[type] = .bytes(Array(try array() ?? []))
            case .mechanisms:
                let mechanisms = try word()
                guard mechanisms <= Self.attributeLimit else { throw PKCS11Failure.argumentsBad }
                for _ in 0..<mechanisms { _ = try number() }
                template.isImpossible = true
            case .attributes:
                if length > 0 { _ = try self.template(depth: depth + 1) } else { _ = try word() }
                template.isImpossible = true
            }
        }
        return template
    }
}

/// Writes an answer.
struct PKCS11Writer {
    private var writer = ByteWriter(capacity: 256)

    /// Begins the answer to a call.
    init(_ call: PKCS11Call) { self.init(call.rawValue, call.parts.answer) }

    private init(_ number: UInt32, _ parts: String) {
        writer.integer(number)
        writer.prefixed(Array(parts.utf8))
    }

    /// The answer that contains only the error code of a call.
    static func failure(_ failure: PKCS11Failure) -> [UInt8] {
        var writer = Self(0, "u")
        writer.number(failure.code)
        return writer.bytes
    }

    var bytes: [UInt8] { writer.bytes }

    mutating func number(_ value: UInt64) { writer.integer(value) }
    /// `CK_UNAVAILABLE_INFORMATION`, which isn't zero.
    mutating func unknown() { number(.max) }

    mutating func version(_ major: UInt8, _ minor: UInt8) { writer.append([major, minor]) }

    /// `s`: as much of the text as fits into `count` bytes, padded with spaces.
    mutating func text(_ text: String, _ count: Int) {
        var bytes: [UInt8] = []
        for character in text {
            let next = Array(String(character).utf8)
            guard bytes.count + next.count <= count else { break }
            bytes += next
        }
        writer.prefixed(bytes + [UInt8](repeating: 0x20, count: count - bytes.count))
    }

    /// `au`, for a program whose buffer has room for `room` numbers.
    mutating func numbers(_ values: [UInt64], room: UInt32) {
        let isWhole = values.count <= room
        writer.append([isWhole ? 1 : 0])
        writer.integer(UInt32(clamping: values.count))
        if isWhole { for value in values { number(value) } }
    }

    /// `ay`: the bytes. `count` writes only their number, if the program asks for no more or has too little room.
    mutating func bytes(_ bytes: [UInt8]) {
        writer.append([1])
        writer.prefixed(bytes)
    }

    mutating func count(_ count: Int) {
        writer.append([0])
        writer.integer(UInt32(clamping: count))
    }

    /// `aAu`: for each requested attribute its value, or none. The code at the end is that of the last
    /// failure, or zero.
    mutating func attributes(_ values: [(type: UInt64, room: Int?, value: Result<PKCS11Value, PKCS11Failure>)]) {
        writer.integer(UInt32(clamping: values.count))
        var ending: UInt64 = 0
        for (type, room, value) in values {
            writer.integer(UInt32(clamping: type))
            var failure: PKCS11Failure?
            switch value {
            case .failure(let reason): failure = reason
            case .success(let value) where room.map({ value.count > $0 }) ?? false: failure = .bufferTooSmall
            case .success(let value):
                writer.append([1])
                writer.integer(UInt32(clamping: value.count))
                append(value, isWanted: room != nil)
            }
            guard let failure else { continue }
            writer.append([0])
            ending = failure.code
        }
        number(ending)
    }

    private mutating func append(_ value: PKCS11Value, isWanted: Bool) {
        switch value {
        case .flag(let flag): writer.append([isWanted && flag ? 1 : 0])
        case .number(let value): number(isWanted ? value : 0)
        case .bytes(let bytes):
            if isWanted { writer.prefixed(bytes) } else { writer.integer(UInt32.max) }
        }
    }
}
