// SPDX-License-Identifier: Apache-2.0

/// Reads the old style with braces and parentheses, in which Xcode writes `project.pbxproj`.
struct OldStylePropertyListReader<Value: PropertyListNode> {
    private let bytes: [UInt8]
    private var position = 0
    private var budget: ReadingBudget

    private init(_ bytes: [UInt8], _ limits: ReadingLimits) {
        self.bytes = bytes
        budget = ReadingBudget(limits)
    }

    static func read(_ bytes: [UInt8], _ limits: ReadingLimits) throws(ReadingError) -> Value {
        var reader = OldStylePropertyListReader(bytes, limits)
        let value = try reader.value()
        try reader.skipSpaceAndComments()
        guard reader.position == bytes.count else { throw reader.failure("something follows the value") }
        return value
    }

    private mutating func value() throws(ReadingError) -> Value {
        try budget.value()
        try skipSpaceAndComments()
        switch peek {
        case UInt8(ascii: "{"): return .dictionary(try dictionary())
        case UInt8(ascii: "("): return .array(try array())
        case UInt8(ascii: "<"): return .data(try data())
        default: return .string(try text())
        }
    }

    private mutating func dictionary() throws(ReadingError) -> [String: Value] {
        try budget.enter()
        defer { budget.leave() }
        position += 1
        var values: [String: Value] = [:]
        while true {
            try skipSpaceAndComments()
            if take(UInt8(ascii: "}")) { return values }
            let key = try text()
            try skipSpaceAndComments()
            guard take(UInt8(ascii: "=")) else { throw failure("a key without a value") }
            guard values.updateValue(try value(), forKey: key) == nil else { throw failure("a duplicate key") }
            try skipSpaceAndComments()
            guard take(UInt8(ascii: ";")) else { throw failure("a missing semicolon") }
        }
    }

    private mutating func array() throws(ReadingError) -> [Value] {
        try budget.enter()
        defer { budget.leave() }
        position += 1
        var values: [Value] = []
        while true {
            try skipSpaceAndComments()
            if take(UInt8(ascii: ")")) { return values }
            values.append(try value())
            try skipSpaceAndComments()
            if take(UInt8(ascii: ",")) { continue }
            guard peek == UInt8(ascii: ")") else { throw failure("a missing comma") }
        }
    }

    private mutating func data() throws(ReadingError) -> [UInt8] {
        position += 1
        var digits: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: ">") {
            position += 1
            if XMLText.isSpace(byte) { continue }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("bytes in hexadecimal")
            }
            digits.append(UInt8(digit))
        }
        guard take(UInt8(ascii: ">")), digits.count.isMultiple(of: 2) else { throw failure("bytes that do not end") }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension OldStylePropertyListReader {
    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func text() throws(ReadingError) -> String {
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try quoted() }
        let start = position
        while let byte = peek, Self.isBare(byte) { position += 1 }
        guard position > start else { throw failure("a text is missing") }
        return try validated(Array(bytes[start..<position]))
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    private mutating func quoted() throws(ReadingError) -> String {
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            if byte == quote { return try validated(text) }
            if byte == UInt8(ascii: "\\") { text.append(contentsOf: try escape()) } else { text.append(byte) }
        }
        throw failure("a text that does not end")
    }

    private mutating func escape() throws(ReadingError) -> [UInt8] {
        guard let byte = peek else { throw failure("a text that does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "U"): return Array(String(try numbered(digits: 4, radix: 16)).utf8)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            return Array(String(try numbered(digits: 3, radix: 8)).utf8)
        default: return [byte]
        }
    }

    private mutating func numbered(digits: Int, radix: Int) throws(ReadingError) -> Character {
        let end = min(bytes.count, position + digits)
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        guard let number = UInt32(text, radix: radix), let scalar = Unicode.Scalar(number) else {
            throw failure("a numbered character that can't be read")
        }
        position = end
        return Character(scalar)
    }

    private func validated(_ text: [UInt8]) throws(ReadingError) -> String {
        guard let text = String(validUTF8: text) else { throw failure("it is not UTF-8") }
        return text
    }

    private mutating func skipSpaceAndComments() throws(ReadingError) {
        while let byte = peek {
            if XMLText.isSpace(byte) {
                position += 1
            } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == byte {
                while let byte = peek, byte != 0x0A { position += 1 }
            } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "*") {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(ReadingError) {
        position += 2
        while position + 1 < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
        }
        throw failure("a comment that does not end")
    }

    private func failure(_ what: String) -> ReadingError {
        ReadingError.malformed("the property list can't be read at byte \(position): \(what)")
    }
}
