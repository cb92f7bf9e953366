// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// How many cells this terminal gave to characters on which terminals disagree, by its own answers. For the whole process, which has one
/// terminal; empty where it doesn't answer, and then the table of `CellWidth` holds.
enum MeasuredWidths {
    /// More characters are not asked about at once, and more than eight times as many not kept.
    static let limit = 64
    /// A longer one is drawn as the table says: it could fill the screen.
    static let longest = 64

    private static let known = Locked<[Character: Int]>([:])

    static func of(_ character: Character) -> Int? { known.withLock { $0[character] } }

    /// True if that changes where the next character has its place.
    static func note(_ width: Int, of character: Character) -> Bool {
        let before = CellWidth.of(character)
        known.withLock { known in
            if known.count < limit * 8 { known[character] = min(width, 16) }
        }
        return CellWidth.of(character) != before
    }

    static func forget() { known.withLock { $0 = [:] } }
}

/// Characters whose widths the terminal was asked for, in the order in which it answers.
struct WidthQuestions {
    private var asked: ArraySlice<Character> = []
    private var row = 0
    private var changesPlaces = false

    /// What asks for the widths of `characters`: each is drawn at the beginning of the last row of the screen, from where the next frame takes
    /// it away at once. Nothing while earlier answers are missing: a terminal that gives none is not asked again.
    mutating func ask(for characters: [Character], columns: Int, rows: Int) -> String {
        // In the first row the answer would look like a key with a modifier.
        guard asked.isEmpty, !characters.isEmpty, rows > 1, columns > 16 else { return "" }
        (asked, row, changesPlaces) = (characters[...], rows, false)
        return "\u{1B}[?2026h" + characters.map { "\u{1B}[\(rows);1H\($0)\u{1B}[6n" }.joined()
    }

    /// The terminal said where the cursor is. True if that was the last answer, and something is to be drawn elsewhere.
    mutating func answer(row: Int, column: Int) -> Bool {
        guard row == self.row, column > 0, let character = asked.popFirst() else { return false }
        if MeasuredWidths.note(column - 1, of: character) { changesPlaces = true }
        return asked.isEmpty && changesPlaces
    }
}
