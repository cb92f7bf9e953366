// SPDX-License-Identifier: Apache-2.0

/// A text file as bytes, seen as lines: what a change of one value has to know.
struct FileText {
    let bytes: [UInt8]
    private let memo = Memo()

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// What is read of the bytes once.
    private final class Memo {
        var lineFeeds: [Int]?
        var asking: (line: Range<Int>, isTrue: Bool)?
        var sections: [(begin: Int, name: String)]?
        var logins: [Field]?
    }

    /// The fields of docker's logins: `auths`, the registry, the name.
    var logins: [Field] {
        if let known = memo.logins { return known }
        let fields = JSONText.fields(bytes).filter { $0.keys.count == 3 && $0.keys[0] == "auths" }
        memo.logins = fields
        return fields
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// The offsets of the line ends.
    private var lineFeeds: [Int] {
        if let known = memo.lineFeeds { return known }
        let found = bytes.indices.filter { bytes[$0] == Self.lineFeed }
        memo.lineFeeds = found
        return found
    }

    /// The line of an offset, without its line end.
    func line(at offset: Int) -> Range<Int> {
        let lineFeeds = lineFeeds
        // The number of line ends before the offset.
        var (low, high) = (0, lineFeeds.count)
        while low < high {
            let middle = (low + high) / 2
            if lineFeeds[middle] < offset { low = middle + 1 } else { high = middle }
        }
        let begin = low > 0 ? lineFeeds[low - 1] + 1 : 0
        let end = low < lineFeeds.count ? lineFeeds[low] : bytes.count
        let isReturned = end > begin && bytes[end - 1] == UInt8(ascii: "\r")
        return begin..<(isReturned ? end - 1 : end)
    }

    /// Whether the line of an offset runs a command that prints a secret, and names its item.
    func asksZamok(at offset: Int) -> Bool {
        let line = line(at: offset)
        if let known = memo.asking, known.line == line { return known.isTrue }
        let text = text(line)
        let isTrue = text.contains("zamok get ") || text.contains("zamok credential ")
        memo.asking = (line, isTrue)
        return isTrue
    }

    /// The lines of a range, with the end of the last one.
    func lines(of range: Range<Int>) -> Range<Int> {
        let begin = line(at: range.lowerBound).lowerBound
        let last = line(at: max(range.lowerBound, range.upperBound - 1))
        let end = bytes[last.upperBound...].firstIndex(of: Self.lineFeed).map { $0 + 1 } ?? bytes.count
        return begin..<end
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The blanks that a line begins with.
    func indentation(of line: Range<Int>) -> [UInt8] {
        Array(bytes[line].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }

    /// The name that a line sets: what is before `=`, `:` or a blank, without quotes and words such as `export`.
    func key(of line: Range<Int>) -> String {
        var rest = text(line)[...]
        func trim() { rest = rest.drop { " \t-\"'".contains($0) } }
        trim()
        for word in ["export ", "set "] where rest.hasPrefix(word) {
            rest = rest.dropFirst(word.count)
            trim()
        }
        return String(rest.prefix { !"=: \t\"'".contains($0) })
    }

    /// The name of the section `[NAME]` that a line is in; empty: none.
    func section(before offset: Int) -> String {
        var end = line(at: offset).lowerBound
        while end > 0 {
            let above = line(at: end - 1)
            let text = text(above).drop { " \t".contains($0) }
            if text.first == "[", let close = text.firstIndex(of: "]") {
                return text[text.index(after: text.startIndex)..<close].filter { !"\"'[] ".contains($0) }
            }
            end = above.lowerBound
        }
        return ""
    }

    /// The sections of the text, as they are written between the brackets, with the offsets of their lines.
    func sections() -> [(begin: Int, name: String)] {
        if let known = memo.sections { return known }
        var found: [(begin: Int, name: String)] = []
        var begin = 0
        while begin < bytes.count {
            let line = line(at: begin)
            let text = text(line).drop { " \t".contains($0) }
            if text.first == "[", let close = text.firstIndex(of: "]") {
                found.append((line.lowerBound, String(text[text.index(after: text.startIndex)..<close])))
            }
            begin = (bytes[line.upperBound...].firstIndex(of: Self.lineFeed) ?? bytes.count) + 1
        }
        memo.sections = found
        return found
    }

    /// The line of a name in the section of an offset. Nil: the section has no such name.
    func line(of name: String, inSectionOf offset: Int) -> Range<Int>? {
        func isHeader(_ line: Range<Int>) -> Bool { text(line).drop { " \t".contains($0) }.first == "[" }
        var begin = line(at: offset)
        while begin.lowerBound > 0, !isHeader(begin) { begin = line(at: begin.lowerBound - 1) }
        var next = begin
        while true {
            if key(of: next) == name, !isHeader(next) { return next }
            let after = lines(of: next).upperBound
            guard after < bytes.count, after > next.lowerBound else { return nil }
            next = line(at: after)
            if isHeader(next) { return nil }
        }
    }

    /// The value of a line `NAME = VALUE`, without quotes; nil: it has another form.
    func value(of line: Range<Int>) -> String? {
        guard let equals = bytes[line].firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let value = text(equals + 1..<line.upperBound)
        let bare = value.drop { " \t".contains($0) }
        let end = bare.lastIndex { !" \t".contains($0) }.map { bare.index(after: $0) } ?? bare.startIndex
        let trimmed = bare[..<end]
        for quote in ["\"", "'"] where trimmed.count > 1 && trimmed.hasPrefix(quote) && trimmed.hasSuffix(quote) {
            return String(trimmed.dropFirst().dropLast())
        }
        return String(trimmed)
    }

    /// The member of a JSON object that has a string as its value, with the comma that goes with it. Nil: it is none.
    func member(of value: Range<Int>) -> Range<Int>? {
        let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
        func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
        guard value.lowerBound > 0, value.upperBound < bytes.count, bytes[value.lowerBound - 1] == quote,
            bytes[value.upperBound] == quote,
            let colon = bytes[..<(value.lowerBound - 1)].lastIndex(where: { !isBlank($0) }),
            bytes[colon] == UInt8(ascii: ":"), let close = bytes[..<colon].lastIndex(where: { !isBlank($0) }),
            bytes[close] == quote, let open = bytes[..<close].lastIndex(of: quote)
        else { return nil }
        let end = value.upperBound + 1
        if let next = bytes[end...].firstIndex(where: { !isBlank($0) }), bytes[next] == comma {
            let after = bytes[(next + 1)...].firstIndex(where: { !isBlank($0) }) ?? next + 1
            return open..<after
        }
        guard let before = bytes[..<open].lastIndex(where: { !isBlank($0) }) else { return nil }
        return (bytes[before] == comma ? before : before + 1)..<end
    }

    /// The bytes with ranges replaced. Equal ranges are replaced once. Nil: two overlap.
    func replacing(_ edits: [(range: Range<Int>, by: [UInt8])]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = 0
        var last: Range<Int>?
        let sorted = edits.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
        for edit in sorted where edit.range != last {
            guard edit.range.lowerBound >= end else { return nil }
            result += bytes[end..<edit.range.lowerBound]
            result += edit.by
            (end, last) = (edit.range.upperBound, edit.range)
        }
        return result + bytes[end...]
    }
}
