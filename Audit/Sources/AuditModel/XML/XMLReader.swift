// SPDX-License-Identifier: Apache-2.0

/// Reads XML from its first byte to its last, one event at a time, without trusting any of it.
struct XMLReader {
    struct Start {
        var name: String
        var attributes: [(name: String, value: String)]
        var line: Int
        var column: Int
        var nameEnd: Int
        /// `<a/>`, which no end follows.
        var isEmpty: Bool
    }

    enum Event {
        case start(Start)
        case end(String)
        /// With entities replaced; never only white space.
        case text(String)
    }

    private(set) var isDamaged = false
    /// Whether a document type gives names to texts, which aren't put in here.
    private(set) var declaresEntities = false
    private let bytes: [UInt8]
    private var at: Int
    private var line = 1
    private var lineStart = 0
    private static let maximumAttributes = 512

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func next() -> Event? {
        while at < bytes.count, !isDamaged {
            guard bytes[at] == UInt8(ascii: "<") else {
                if let text = text() { return .text(text) }
                continue
            }
            switch at + 1 < bytes.count ? bytes[at + 1] : 0 {
            case UInt8(ascii: "?"): skip(past: "?>")
            case UInt8(ascii: "!"):
                if has("<!--") {
                    skip(past: "-->")
                } else if has("<![CDATA[") {
                    return .text(characterData())
                } else {
                    let first = at
                    skip(past: ">")
                    if ByteSearch.contains(Array(bytes[first..<at]), Array("<!ENTITY".utf8)) { declaresEntities = true }
                }
            case UInt8(ascii: "/"): return end()
            default: return start()
            }
        }
        return nil
    }

    // MARK: Parts

    private mutating func start() -> Event? {
        let (line, column) = (line, at - lineStart + 1)
        advance()
        let name = self.name()
        let nameEnd = at
        guard !name.isEmpty else { return damaged() }
        var attributes: [(name: String, value: String)] = []
        while true {
            skipSpace()
            guard at < bytes.count else { return damaged() }
            if bytes[at] == UInt8(ascii: ">") {
                advance()
                return .start(start(name, attributes, line, column, nameEnd, false))
            }
            if has("/>") {
                at += 2
                return .start(start(name, attributes, line, column, nameEnd, true))
            }
            guard attributes.count < Self.maximumAttributes, let attribute = attribute(),
                // None stands twice (XML 1.0, 3.1).
                !attributes.contains(where: { $0.name == attribute.name })
            else { return damaged() }
            attributes.append(attribute)
        }
    }

    private func start(
        _ name: String, _ attributes: [(name: String, value: String)], _ line: Int, _ column: Int, _ nameEnd: Int,
        _ isEmpty: Bool
    ) -> Start {
        Start(name: name, attributes: attributes, line: line, column: column, nameEnd: nameEnd, isEmpty: isEmpty)
    }

    private mutating func attribute() -> (name: String, value: String)? {
        let name = self.name()
        skipSpace()
        guard !name.isEmpty, at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return nil }
        advance()
        skipSpace()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else { return nil }
        let quote = bytes[at]
        advance()
        let first = at
        while at < bytes.count, bytes[at] != quote { advance() }
        guard at < bytes.count else { return nil }
        let value = Self.decoded(bytes[first..<at])
        advance()
        return (name, value)
    }

    private mutating func end() -> Event? {
        at += 2
        let name = self.name()
        skipSpace()
        guard at < bytes.count, bytes[at] == UInt8(ascii: ">") else { return damaged() }
        advance()
        return .end(name)
    }

    private mutating func text() -> String? {
        let first = at
        var isSpace = true
        while at < bytes.count, bytes[at] != UInt8(ascii: "<") {
            if !Self.isSpace(bytes[at]) { isSpace = false }
            advance()
        }
        return isSpace ? nil : Self.decoded(bytes[first..<at])
    }

    private mutating func characterData() -> String {
        at += 9
        let first = at
        skip(past: "]]>")
        return String(decoding: bytes[first..<max(first, isDamaged ? at : at - 3)], as: UTF8.self)
    }

    private mutating func name() -> String {
        let first = at
        while at < bytes.count, Self.isName(bytes[at]) { at += 1 }
        return String(decoding: bytes[first..<at], as: UTF8.self)
    }

    // MARK: Moving

    private mutating func damaged() -> Event? {
        isDamaged = true
        return nil
    }

    private mutating func advance() {
        if bytes[at] == 0x0A {
            line += 1
            lineStart = at + 1
        }
        at += 1
    }

    private mutating func skipSpace() {
        while at < bytes.count, Self.isSpace(bytes[at]) { advance() }
    }

    private mutating func skip(past mark: StaticString) {
        let marks = Array(mark.description.utf8)
        while at < bytes.count {
            if bytes[at] == marks.first, bytes[at...].starts(with: marks) {
                at += marks.count
                return
            }
            advance()
        }
        isDamaged = true
    }

    private func has(_ mark: StaticString) -> Bool { bytes[at...].starts(with: mark.description.utf8) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."), 0x80...: true
        default: false
        }
    }

    // MARK: Entities

    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result = ""
        var rest = bytes
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<mark], as: UTF8.self)
            guard let end = rest[mark...].prefix(32).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(String(decoding: rest[(mark + 1)..<end], as: UTF8.self))
            else {
                result += "&"
                rest = rest[(mark + 1)...]
                continue
            }
            result.unicodeScalars.append(scalar)
            rest = rest[(end + 1)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    private static func scalar(_ entity: String) -> Unicode.Scalar? {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard entity.first == "#" else { return nil }
        let digits = entity.dropFirst()
        let code = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init)
    }
}
