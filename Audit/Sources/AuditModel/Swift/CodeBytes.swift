// SPDX-License-Identifier: Apache-2.0

/// Tells bytes of Swift that are code from those of comments and texts; what is interpolated in a text is code.
package struct CodeBytes {
    fileprivate enum Mode {
        case code
        case text(lines: Bool)
        case lineComment
        case blockComment(Int)
    }

    private var mode = Mode.code
    /// For each interpolation that is open: the text around it, and how many parentheses are open in it.
    private var around: [(lines: Bool, open: Int)] = []
    private var last: UInt8 = 0
    private var quotes = 0
    /// Behind a backslash, and any number of # after it.
    private var isEscaped = false

    /// The lines, counted from 1, on which a word stands inside of a text.
    package static func lines(of bytes: [UInt8], withTexts word: String) -> Set<Int> {
        let word = Array(word.utf8)
        var (code, line, lines) = (CodeBytes(), 1, Set<Int>())
        for index in bytes.indices {
            _ = code.take(bytes[index], before: index + 1 < bytes.count ? bytes[index + 1] : 0)
            if bytes[index] == 0x0A { line += 1 }
            if case .text = code.mode, bytes[index] == word.first, bytes[index...].starts(with: word) {
                lines.insert(line)
            }
        }
        return lines
    }

    /// Whether the next byte is code. `next`: the one behind it.
    mutating func take(_ byte: UInt8, before next: UInt8) -> Bool {
        defer { last = byte }
        switch mode {
        case .code: return code(byte, next)
        case .text(let lines):
            text(byte, lines)
            return false
        case .lineComment:
            if byte == 0x0A { mode = .code }
            return false
        case .blockComment(let depth):
            if byte == UInt8(ascii: "/"), last == UInt8(ascii: "*") {
                mode = depth == 1 ? .code : .blockComment(depth - 1)
                return false
            }
            if byte == UInt8(ascii: "*"), last == UInt8(ascii: "/") { mode = .blockComment(depth + 1) }
            return false
        }
    }

    private mutating func code(_ byte: UInt8, _ next: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/") where next == UInt8(ascii: "/"): mode = .lineComment
        case UInt8(ascii: "/") where next == UInt8(ascii: "*"): mode = .blockComment(0)
        case UInt8(ascii: "\""):
            quotes = last == byte ? quotes + 1 : 1
            // Three in a row begin a text of several lines; two were an empty one.
            if quotes == 3 {
                mode = .text(lines: true)
            } else if next != byte {
                mode = quotes == 2 ? .code : .text(lines: false)
            }
            if case .text = mode { quotes = 0 }
        case UInt8(ascii: "("): if let count = around.last?.open { around[around.count - 1].open = count + 1 }
        case UInt8(ascii: ")"):
            guard let inner = around.last else { break }
            around[around.count - 1].open = inner.open - 1
            if inner.open == 1 {
                around.removeLast()
                mode = .text(lines: inner.lines)
            }
        default: return true
        }
        return mode.isCode && byte != UInt8(ascii: "\"")
    }

    private mutating func text(_ byte: UInt8, _ lines: Bool) {
        if isEscaped {
            if byte == UInt8(ascii: "#") { return }
            isEscaped = false
            if byte == UInt8(ascii: "(") {
                around.append((lines, 1))
                mode = .code
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "\""):
            quotes = last == byte ? quotes + 1 : 1
            if !lines || quotes == 3 { (mode, quotes) = (.code, 0) }
        // A text of one line ends there, closed or not.
        case 0x0A where !lines: mode = .code
        default: quotes = 0
        }
    }
}

extension CodeBytes.Mode {
    fileprivate var isCode: Bool { if case .code = self { true } else { false } }
}
