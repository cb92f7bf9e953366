// SPDX-License-Identifier: Apache-2.0

/// Words in lower case that a text is searched for at once.
struct WordList: Sendable {
    /// What follows the first byte of a word, by that byte.
    private var ends = [[ArraySlice<UInt8>]](repeating: [], count: 256)
    private var firsts = ByteSet()

    init(_ words: [String]) {
        for word in words.map({ Array($0.utf8) }) where !word.isEmpty {
            ends[Int(word[0])].append(word.dropFirst())
            firsts.insert(word[0])
            if Byte.isLower(word[0]) { firsts.insert(word[0] & 0xDF) }
        }
    }

    /// Whether one of the words is in a range of a text, in upper or lower case of ASCII.
    func isIn(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        for index in range where firsts.contains(text[index]) {
            if begins(text, index..<range.upperBound) { return true }
        }
        return false
    }

    func isIn(_ text: String) -> Bool { isIn(Array(text.utf8), 0..<text.utf8.count) }

    /// Whether a range of a text, which isn't empty, begins with one of the words.
    func begins(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        guard firsts.contains(text[range.lowerBound]) else { return false }
        let rest = range.lowerBound + 1..<range.upperBound
        return ends[Int(Byte.lower(text[range.lowerBound]))].contains { end in
            guard end.count <= rest.count else { return false }
            var at = rest.lowerBound
            for byte in end {
                guard Byte.lower(text[at]) == byte else { return false }
                at += 1
            }
            return true
        }
    }
}

/// Words in lower case, of which a text may be one.
struct WordSet: Sendable {
    private let words: Set<String>
    /// By the first letter of ASCII: a bit for the number of bytes of each word.
    private var counts = [UInt64](repeating: 0, count: 128)

    init(_ words: Set<String>) {
        self.words = words
        for word in words {
            if let first = word.utf8.first, first < 0x80 { counts[Int(first)] |= 1 << UInt64(word.utf8.count) }
        }
    }

    /// Whether a range of a text, which isn't empty, is one of the words, in upper or lower case.
    func contains(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        if text.isASCII(range) {
            let bits = counts[Int(Byte.lower(text[range.lowerBound]))]
            guard range.count < 64, bits >> UInt64(range.count) & 1 == 1 else { return false }
        }
        return words.contains(text.text(range).lowercased())
    }
}

/// Some of the 256 bytes.
struct ByteSet: Sendable {
    private var bits = SIMD4<UInt64>()

    init() {}

    init(_ text: String) {
        for byte in text.utf8 { insert(byte) }
    }

    var count: Int { (0..<4).reduce(0) { $0 + bits[$1].nonzeroBitCount } }

    mutating func insert(_ byte: UInt8) { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    func contains(_ byte: UInt8) -> Bool { bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }
}

extension [UInt8] {
    func isASCII(_ range: Range<Int>) -> Bool {
        for index in range where self[index] >= 0x80 { return false }
        return true
    }
}
