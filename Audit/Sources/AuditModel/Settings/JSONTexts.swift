// SPDX-License-Identifier: Apache-2.0

/// The texts of a JSON file, each with the name that it is under: its key, or that of the list around it. Comments are
/// passed over, as in JSON that people write.
struct JSONTexts {
    struct Text {
        var name: String
        var text: String
        var line: Int
    }

    private(set) var texts: [Text] = []
    /// Whether every bracket and every text that is opened is closed.
    private(set) var isWhole = true

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// For each open bracket, the name of what is in it: of a list its key, of an object the one read last.
    private var open: [(isObject: Bool, name: String)] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while index < bytes.count { step() }
        if !open.isEmpty { isWhole = false }
    }

    private mutating func step() {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "\""): text()
        case UInt8(ascii: "{"): open.append((true, ""))
        case UInt8(ascii: "["): open.append((false, open.last?.name ?? ""))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if open.popLast()?.isObject != (byte == UInt8(ascii: "}")) { isWhole = false }
        case UInt8(ascii: "/"):
            if next == UInt8(ascii: "/") { while index < bytes.count, bytes[index] != 0x0A { index += 1 } }
            if next == UInt8(ascii: "*") {
                index += 2
                while index < bytes.count, bytes[index] != UInt8(ascii: "/") || bytes[index - 1] != UInt8(ascii: "*") {
                    if bytes[index] == 0x0A { line += 1 }
                    index += 1
                }
            }
        default: break
        }
        if index < bytes.count, bytes[index] == 0x0A { line += 1 }
        index += 1
    }

    private var next: UInt8 { index + 1 < bytes.count ? bytes[index + 1] : 0 }

    /// A key, if a colon is behind it in an object; else a value.
    private mutating func text() {
        let first = line
        index += 1
        var content: [UInt8] = []
        var isEscaped = false
        while index < bytes.count, isEscaped || bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == 0x0A { line += 1 }
            if isEscaped || bytes[index] != UInt8(ascii: "\\") {
                if isEscaped, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "/") {
                    content.append(UInt8(ascii: "\\"))
                }
                content.append(bytes[index])
                isEscaped = false
            } else {
                isEscaped = true
            }
            index += 1
        }
        if index >= bytes.count { isWhole = false }
        let text = String(decoding: content, as: UTF8.self)
        guard let last = open.indices.last else { return }
        if open[last].isObject, isBeforeColon {
            open[last].name = text
        } else {
            texts.append(Text(name: open[last].name, text: text, line: first))
        }
    }

    private var isBeforeColon: Bool {
        var ahead = index + 1
        while ahead < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[ahead]) { ahead += 1 }
        return ahead < bytes.count && bytes[ahead] == UInt8(ascii: ":")
    }
}
