// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The value of an attribute.
enum PKCS11Value: Equatable {
    case flag(Bool)
    case number(UInt64)
    case bytes([UInt8])

    /// Bytes that it takes in a program's memory.
    var count: Int {
        switch self {
        case .flag: 1
        case .number: 8
        case .bytes(let bytes): bytes.count
        }
    }
}

/// What a program gives to have an object made or found.
struct PKCS11Template {
    var values: [UInt64: PKCS11Value] = [:]
    /// Whether something in it fits no object: a list, a value that is missing.
    var isImpossible = false
}

/// Reads the parts of a request, of bytes that anybody may have written (Documentation/Formats/TokenMessages.md).
struct PKCS11Reader {
    private var reader: ByteReader

    /// Attributes in one request.
    static let attributeLimit = 256
    /// Lists of attributes in lists of attributes.
    static let depthLimit = 4

    init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

    mutating func byte() throws -> UInt8 { try reader.integer() }
    mutating func word() throws -> UInt32 { try reader.integer() }
    /// `u`.
    mutating func number() throws -> UInt64 { try reader.integer() }
    func end() throws { try reader.end() }

    /// Bytes behind their length; nil: none, which is not the same as an empty list.
    mutating func array() throws -> ArraySlice<UInt8>? {
        let count = try word()
        return count == .max ? nil : try reader.slice(Int(count))
    }

    /// `ay`; nil: only their number was told.
    mutating func bytes() throws -> ArraySlice<UInt8>? {
        guard try byte() != 0 else {
            _ = try word()
            return nil
        }
        return try array()
    }

    /// `fy`: how many bytes the program has room for; nil: it only asks how many there are.
    mutating func room() throws -> Int? {
        let count = try word()
        return count == 0 ? nil : count == .max ? 0 : Int(count)
    }

    /// `s`, `z`.
    mutating func skipText() throws { _ = try array() }

    /// `M` with so many bytes behind it: the mechanism's number and what belongs to it; nil: the operation is to end.
    mutating func mechanism(before tail: Int) throws -> (type: UInt64, parameter: [UInt8])? {
        let type = try word()
        let count = reader.remaining - tail
        let parameter = try reader.read(count)
        return type == .max ? nil : (UInt64(type), parameter)
    }

    /// `M` of a key exchange, whose parameter says where it ends: a mark, the derivation's number, what both share, the other side's point.
    mutating func exchange() throws -> (type: UInt64, derivation: UInt64, shared: [UInt8], point: [UInt8]) {
        let type = UInt64(try word())
        guard type == PKCS11Mechanism.exchange else { throw PKCS11Failure.mechanismInvalid }
        guard try byte() == 1 else { throw PKCS11Failure.mechanismParameterInvalid }
        let derivation = try number()
        let shared = try array() ?? []
        return (type, derivation, Array(shared), Array(try array() ?? []))
    }

    /// `M` of a mechanism without parameter, and both templates: older versions write an absent list where newer ones write nothing, and no template has as many attributes.
    mutating func keyPair() throws -> (type: UInt64, shown: PKCS11Template, own: PKCS11Template) {
        let type = UInt64(try word())
        var ahead = self
        if try ahead.word() == .max { self = ahead }
        return (type, try template(), try template())
    }

    /// `fA`: the attributes that are asked for, and how many bytes the program has room for; nil: it asks for their number.
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

    /// A call's answer.
    init(_ call: PKCS11Call) { self.init(call.rawValue, call.parts.answer) }

    private init(_ number: UInt32, _ parts: String) {
        writer.integer(number)
        writer.prefixed(Array(parts.utf8))
    }

    /// The answer that says only how a call ended.
    static func failure(_ failure: PKCS11Failure) -> [UInt8] {
        var writer = Self(0, "u")
        writer.number(failure.code)
        return writer.bytes
    }

    var bytes: [UInt8] { writer.bytes }

    mutating func number(_ value: UInt64) { writer.integer(value) }
    /// `CK_UNAVAILABLE_INFORMATION`, which is not zero.
    mutating func unknown() { number(.max) }

    mutating func version(_ major: UInt8, _ minor: UInt8) { writer.append([major, minor]) }

    /// `s`: as many bytes of the text as there is room for, and spaces behind them.
    mutating func text(_ text: String, _ count: Int) {
        var bytes: [UInt8] = []
        for character in text {
            let next = Array(String(character).utf8)
            guard bytes.count + next.count <= count else { break }
            bytes += next
        }
        writer.prefixed(bytes + [UInt8](repeating: 0x20, count: count - bytes.count))
    }

    /// `au`, for a program that has room for so many.
    mutating func numbers(_ values: [UInt64], room: UInt32) {
        let isWhole = values.count <= room
        writer.append([isWhole ? 1 : 0])
        writer.integer(UInt32(clamping: values.count))
        if isWhole { for value in values { number(value) } }
    }

    /// `ay`: the bytes, or only their number, where the program asked for no more or has no room.
    mutating func bytes(_ bytes: [UInt8]) {
        writer.append([1])
        writer.prefixed(bytes)
    }

    mutating func count(_ count: Int) {
        writer.append([0])
        writer.integer(UInt32(clamping: count))
    }

    /// `aAu`: for each attribute that was asked for its value, or nil and why.
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
