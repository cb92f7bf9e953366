// SPDX-License-Identifier: Apache-2.0

/// Words in lower case that a text is searched for at once.
struct WordList: Sendable {
    /// What follows the first byte of a word, by that byte.
    private var ends = [[ArraySlice<UInt8>]](repeating: [], count: 256)

    init(_ words: [String]) {
        for word in words.map({ Array($0.utf8) }) where !word.isEmpty { ends[Int(word[0])].append(word.dropFirst()) }
    }

    /// Whether one of the words is in a range of a text, in upper or lower case of ASCII.
    func isIn(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        for index in range {
            let ends = ends[Int(Byte.lower(text[index]))]
            if ends.isEmpty { continue }
            let rest = index + 1..<range.upperBound
            if ends.contains(where: { end in
                end.count <= rest.count && zip(end, text[rest]).allSatisfy { $0 == Byte.lower($1) }
            }) {
                return true
            }
        }
        return false
    }
}
