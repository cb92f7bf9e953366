// SPDX-License-Identifier: Apache-2.0

import KeychainEngine

/// The parts of an XML text in order, for documents that consist only of elements and text.
/// A document type is refused. The only entities are XML's five and numeric ones.
/// What is read is bounded by the text itself. Elements nest at most 64 deep.
struct XMLPieces {
    enum Piece: Equatable {
        case begin(name: String, attributes: [String: String])
        case text(String)
        case end
    }

    private static let deepest = 64
    private static let mostAttributes = 64

    private let bytes: [UInt8]
    private var position = 0
    private var open: [[UInt8]] = []
    /// Whether the end of an empty-element tag comes next.
    private var isEnding = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next part. Nil: there are no more. Errors: `.unsupportedFormat`.
    mutating func next() throws(KeychainError) -> Piece? {
        if isEnding {
            isEnding = false
            open.removeLast()
            return .end
        }
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else { return .text(try text()) }
            if take("<!--") {
                try skip(to: "-->")
            } else if take("<![CDATA[") {
                let start = position
                try skip(to: "]]>")
                return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
            } else if take("<?") {
                try skip(to: "?>")
            } else if take("</") {
                let name = name()
                skipSpace()
                guard take(">"), open.popLast() == name else { throw failure("an end that fits no beginning") }
                return .end
            } else if take("<!") {
                throw failure("a document type")
            } else {
                position += 1
                return try element()
            }
        }
        guard open.isEmpty else { throw failure("an element that does not end") }
        return nil
    }

    private mutating func element() throws(KeychainError) -> Piece {
        let name = name()
        guard !name.isEmpty, open.count < Self.deepest else { throw failure("an element too deep, or without a name") }
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            isEnding = take("/")
            if take(">") { break }
            let key = self.name()
            skipSpace()
            guard !isEnding, !key.isEmpty, take("="), attributes.count < Self.mostAttributes else {
                throw failure("a tag that is none")
            }
            skipSpace()
            guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]) else {
                throw failure("an attribute without quotes")
            }
            let quote = bytes[position]
            position += 1
            guard let end = bytes[position...].firstIndex(of: quote) else {
                throw failure("a quote that is not closed")
            }
            attributes[String(decoding: key, as: UTF8.self)] = try Self.resolved(bytes[position..<end])
            position = end + 1
        }
        open.append(name)
        return .begin(name: String(decoding: name, as: UTF8.self), attributes: attributes)
    }

    private mutating func text() throws(KeychainError) -> String {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return try Self.resolved(bytes[position..<end])
    }

    private static let named: [String: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    private static func resolved(_ bytes: ArraySlice<UInt8>) throws(KeychainError) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result = ""
        var rest = bytes
        while let sign = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<sign], as: UTF8.self)
            let behind = rest[(sign + 1)...]
            guard let end = behind.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw failure("a bare &") }
            result += try character(String(decoding: behind[..<end], as: UTF8.self))
            rest = behind[(end + 1)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    private static func character(_ name: String) throws(KeychainError) -> String {
        if let known = named[name] { return known }
        guard name.hasPrefix("#"), name.count > 1 else { throw failure("an entity that is not known") }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number > 0, let scalar = UnicodeScalar(number) else {
            throw failure("a character that is none")
        }
        return String(scalar)
    }

    private mutating func name() -> [UInt8] {
        let end = bytes[position...].firstIndex { " \t\r\n/>=<\"'&".utf8.contains($0) } ?? bytes.count
        defer { position = end }
        return Array(bytes[position..<end])
    }

    private mutating func skipSpace() {
        while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ sign: String) -> Bool {
        guard bytes[position...].starts(with: sign.utf8) else { return false }
        position += sign.utf8.count
        return true
    }

    private mutating func skip(to sign: String) throws(KeychainError) {
        guard let found = bytes[position...].firstRange(of: Array(sign.utf8)) else { throw failure("no \(sign)") }
        position = found.upperBound
    }

    private func failure(_ what: String) -> KeychainError { Self.failure(what) }

    private static func failure(_ what: String) -> KeychainError {
        KeychainError(.unsupportedFormat, "the XML can't be read: \(what); nothing was added")
    }
}
