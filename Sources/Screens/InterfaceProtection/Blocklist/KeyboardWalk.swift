// SPDX-License-Identifier: Apache-2.0

/// Characters that follow each other on a keyboard, in the alphabet or among the digits, or that are the same.
enum KeyboardWalk {
    /// Whether `range` of `text` is one such walk, or several of at least three characters each. Many random strings
    /// contain short walks. So the text must be longer the more walks it has and the more often they turn.
    static func covers(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 4, isNear(text, range.lowerBound), isNear(text, range.lowerBound + 1),
            isNear(text, range.upperBound - 2), isNear(text, range.upperBound - 3)
        else { return false }
        // Digits are so close together that half of all numbers are walks. Of digits, only steps of one and straight
        // lines on a keypad count.
        guard range.contains(where: { !UTF8Text.isDigit(text[$0]) }) else {
            return covers(text, range: range, layout: nil) || (range.count >= 9 && hasLinesOfThree(text, range))
        }
        return layouts.contains { covers(text, range: range, layout: $0) }
    }

    private static func covers(_ text: Span<UInt8>, range: Range<Int>, layout: Layout?) -> Bool {
        var (cost, start) = (0, range.lowerBound)
        while start < range.upperBound {
            let (end, turns) = walk(text, range: start..<range.upperBound, layout: layout)
            guard end - start >= 3 else { return false }
            cost += 7 + (layout == nil ? 3 : 2) * turns
            start = end
        }
        return cost <= range.count * 2
    }

    /// Where the longest walk from the start of `range` ends, and how often it turns. It goes over neighbouring keys or
    /// in steps of at most one. A step equal to the one two steps before is not a turn.
    private static func walk(_ text: Span<UInt8>, range: Range<Int>, layout: Layout?) -> (end: Int, turns: Int) {
        let even = walk(text, range, by: evenStep)
        guard let layout else { return even }
        let keys = walk(text, range, by: layout.step)
        return (keys.end, -keys.turns) > (even.end, -even.turns) ? keys : even
    }

    /// A step to the same character, the one before or the one after; 0 follows 9.
    private static func evenStep(_ first: Int, _ second: Int) -> Step? {
        let step = second - first
        if abs(step) <= 1 { return Step(row: 0, column: step) }
        let isRound = (first == 48 && second == 57) || (first == 57 && second == 48)
        return isRound ? Step(row: 0, column: step < 0 ? 1 : -1) : nil
    }

    /// Whether every step in `range` is the same even step.
    static func isStraight(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let start = range.lowerBound
        guard range.count > 2, let step = evenStep(Int(text[start]), Int(text[start + 1])) else { return false }
        return range.dropFirst(2).allSatisfy { evenStep(Int(text[$0 - 1]), Int(text[$0])) == step }
    }

    /// Whether every second character follows the one before it by the same even step, and those between do
    /// too: "a1b2c3d4".
    static func isInterwoven(_ text: Span<UInt8>) -> Bool {
        guard text.count >= 8, let first = evenStep(Int(text[0]), Int(text[2])),
            let second = evenStep(Int(text[1]), Int(text[3]))
        else { return false }
        return (4..<text.count).allSatisfy { index in
            evenStep(Int(text[index - 2]), Int(text[index])) == (index % 2 == 0 ? first : second)
        }
    }

    private static func walk(
        _ text: Span<UInt8>, _ range: Range<Int>, by step: (Int, Int) -> Step?
    ) -> (end: Int, turns: Int) {
        var (last, before, turns): (Step?, Step?, Int) = (nil, nil, 0)
        for index in range.dropFirst() {
            guard let new = step(Int(text[index - 1]), Int(text[index])) else { return (index, turns) }
            if let last, last != new, before != new { turns += 1 }
            (before, last) = (last, new)
        }
        return (range.upperBound, turns)
    }

    /// Whether the next character can continue a walk: a fast check that most texts fail.
    private static func isNear(_ text: Span<UInt8>, _ index: Int) -> Bool {
        let (first, second) = (Int(text[index]), Int(text[index + 1]))
        if first == second { return true }
        return first < 128 && second < 128 && near[first * 2 + second / 64] >> UInt64(second % 64) & 1 == 1
    }

    private static let near: [UInt64] = (0..<256).map { index in
        (0..<64).reduce(into: UInt64(0)) { bits, bit in
            let (first, second) = (index / 2, index % 2 * 64 + bit)
            // Digits on a keypad may be any distance apart.
            let areDigits = (48..<58).contains(first) && (48..<58).contains(second)
            if areDigits || abs(first - second) <= 1 || layouts.contains(where: { $0.step(first, second) != nil }) {
                bits |= 1 << UInt64(bit)
            }
        }
    }

    /// Six or more digits that are lines of three on a keypad: "789456123", "147258369".
    static func hasLinesOfThree(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 6, range.count % 3 == 0, range.allSatisfy({ UTF8Text.isDigit(text[$0]) }) else {
            return false
        }
        return stride(from: range.lowerBound, to: range.upperBound, by: 3).allSatisfy { start in
            let (first, second, third) = (Int(text[start]) - 48, Int(text[start + 1]) - 48, Int(text[start + 2]) - 48)
            guard first > 0, second > 0, third > 0 else { return false }
            return second - first == third - second && [0, 1, 2, 3, 4].contains(abs(second - first))
        }
    }

    /// Whether `text`, in lower case, is straight lines of at least three keys, along a row or down a column, with a
    /// few digits or signs after them: "qweasd12", "$%^rty!", "1qazxsw2". Two lines, or one of four before a year.
    ///
    /// Lines of digits alone count only before a year: a row of random digits has them too often.
    static func isLines(_ text: Span<UInt8>) -> Bool { layouts.contains { isLines(text, on: $0) } }

    private static func isLines(_ text: Span<UInt8>, on layout: Layout) -> Bool {
        var (start, lines, hasOther) = (0, 0, false)
        while start < text.count {
            let end = layout.line(text, from: start)
            guard end - start >= 3 else { break }
            hasOther = hasOther || (start..<end).contains { !UTF8Text.isDigit(text[$0]) }
            (start, lines) = (end, lines + 1)
        }
        let rest = start..<text.count
        guard rest.count <= 4, rest.allSatisfy({ !UTF8Text.isLetter(text[$0]) }) else { return false }
        return lines > 1 && hasOther || (start >= 4 && isYear(text, rest))
    }

    /// Whether `range` is a year from 1890, when the first football clubs were founded, to 2035.
    static func isYear(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == 4, range.allSatisfy({ UTF8Text.isDigit(text[$0]) }) else { return false }
        return (1890...2035).contains(range.reduce(0) { $0 * 10 + Int(text[$1]) - 48 })
    }

    private struct Step: Equatable {
        let row: Int
        let column: Int
    }

    private struct Layout {
        private let keys: [Step?]

        init(_ rows: [String]) {
            var keys: [Step?] = Array(repeating: nil, count: 256)
            for (row, text) in (rows + ["!@#$%^&*()_+"]).enumerated() {
                for (column, key) in text.utf8.enumerated() {
                    keys[Int(key)] = Step(row: row == rows.count ? 0 : row, column: column)
                }
            }
            self.keys = keys
        }

        /// Where the straight line ends that begins at `start`: the same key again, the next one in the row, or the
        /// one in the row below or above.
        func line(_ text: Span<UInt8>, from start: Int) -> Int {
            var (index, last): (Int, Step?) = (start, nil)
            while index + 1 < text.count, let one = keys[Int(text[index])], let other = keys[Int(text[index + 1])] {
                let step = Step(row: other.row - one.row, column: other.column - one.column)
                guard abs(step.row) + abs(step.column) <= 1, last == nil || step == last else { break }
                (index, last) = (index + 1, step)
            }
            return index + 1
        }

        /// Each row is half a key to the right of the one above.
        func step(_ first: Int, _ second: Int) -> Step? {
            guard let one = keys[first], let other = keys[second] else { return nil }
            let step = Step(row: other.row - one.row, column: other.column - one.column)
            let isNext =
                switch step.row {
                case 0: abs(step.column) <= 1
                case 1: step.column == 0 || step.column == -1
                case -1: step.column == 0 || step.column == 1
                default: false
                }
            return isNext ? step : nil
        }
    }

    private static let layouts = [
        Layout(["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"]),
        Layout(["1234567890-=", "azertyuiop[]", "qsdfghjklm'", "wxcvbn,;./"]),
        Layout(["1234567890-=", "qwertzuiop[]", "asdfghjkl;'", "yxcvbnm,./"]),
    ]
}
