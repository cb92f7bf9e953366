// SPDX-License-Identifier: Apache-2.0

/// Characters that follow each other on a keyboard, in the alphabet or among the digits, or are the same.
enum KeyboardWalk {
    /// Whether `range` of `text` consists of such walks: one, or several of at least three characters each.
    static func covers(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 4 else { return false }
        // Digits lie so close that half of all numbers are walks: there only steps of one count.
        let hasKeys = range.contains { !UTF8Text.isDigit(text[$0]) }
        var (walks, start) = (0, range.lowerBound)
        while start < range.upperBound {
            let end = walkEnd(text, start..<range.upperBound, hasKeys)
            guard end - start >= 3 else { return false }
            walks += 1
            start = end
        }
        // Three walks of three are many a random string's; of four they are not.
        return walks * 7 <= range.count * 2
    }

    /// Where the longest walk from the start of `range` ends: over neighbouring keys, or in equal steps of one or none.
    private static func walkEnd(_ text: Span<UInt8>, _ range: Range<Int>, _ hasKeys: Bool) -> Int {
        var (isOnKeys, step): (Bool, Int?) = (hasKeys, nil)
        var isEven = true
        for index in range.dropFirst() {
            let new = Int(text[index]) - Int(text[index - 1])
            isEven = isEven && abs(new) <= 1 && (step == nil || step == new)
            isOnKeys = isOnKeys && areNeighbours(text[index - 1], text[index])
            guard isEven || isOnKeys else { return index }
            step = new
        }
        return range.upperBound
    }

    private static func areNeighbours(_ first: UInt8, _ second: UInt8) -> Bool {
        if first == second { return true }
        guard let one = keys[Int(first)], let other = keys[Int(second)] else { return false }
        let (rows, columns) = (other.row - one.row, other.column - one.column)
        // Each row stands half a key to the right of the one above.
        switch rows {
        case 0: return abs(columns) == 1
        case 1: return columns == 0 || columns == -1
        case -1: return columns == 0 || columns == 1
        default: return false
        }
    }

    private static let keys: [(row: Int, column: Int)?] = {
        var keys: [(row: Int, column: Int)?] = Array(repeating: nil, count: 256)
        let rows = ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"]
        for (row, text) in (rows + ["!@#$%^&*()_+"]).enumerated() {
            for (column, key) in text.utf8.enumerated() { keys[Int(key)] = (row == rows.count ? 0 : row, column) }
        }
        return keys
    }()
}
