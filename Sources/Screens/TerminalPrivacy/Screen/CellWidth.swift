// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// The number of cells of a character, and whether it may be sent to a terminal.
enum CellWidth {
    /// The width that the terminal has shown, if known; otherwise 0, 1 or 2.
    static func of(_ character: Character) -> Int {
        if isCertain(character) { return ofScalars(in: character) }
        return MeasuredWidths.of(character) ?? ofScalars(in: character)
    }

    private static func ofScalars(in character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, of($1)) }
    }

    /// Whether all terminals agree on its width: one code point, of a script whose letters don't combine.
    static func isCertain(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, scalars.count == 1 else { return false }
        switch first.value {
        case ..<0xAD, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2500...0x257F, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
            return true
        default: return false
        }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The wide blocks of Unicode's East Asian Width, merged.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    /// The character itself, or � if a terminal would read it as a command or reverse the text.
    static func safe(_ character: Character) -> Character {
        character.unicodeScalars.allSatisfy(\.isPrintable) ? character : "\u{FFFD}"
    }
}

/// The number of cells that this terminal, by its own answers, gave to characters on which terminals disagree. It is
/// kept for the process, which has one terminal. If the terminal doesn't answer, it is empty and the table of
/// `CellWidth` applies.
enum MeasuredWidths {
    /// The maximum number of characters per request; at most eight times as many are kept.
    static let limit = 64
    /// A longer character could fill the screen: its width is taken from the table.
    static let longest = 64

    private static let known = Locked<[Character: Int]>([:])

    static func of(_ character: Character) -> Int? { known.withLock { $0[character] } }

    /// Records a width. True if it changes the position of the next character.
    static func note(_ width: Int, of character: Character) -> Bool {
        let before = CellWidth.of(character)
        known.withLock { known in
            if known.count < limit * 8 { known[character] = min(width, 16) }
        }
        return CellWidth.of(character) != before
    }

    static func forget() { known.withLock { $0 = [:] } }
}

/// Characters whose widths the terminal was asked for, in the order of its answers.
struct WidthQuestions {
    private var asked: ArraySlice<Character> = []
    private var row = 0
    private var changesPlaces = false

    /// The request for the widths of `characters`. Each is drawn at the beginning of the screen's last row, and the
    /// next frame removes it at once. Empty while earlier answers are missing: a terminal that gives none is not
    /// asked again.
    mutating func ask(for characters: [Character], columns: Int, rows: Int) -> String {
        // An answer for the first row would look like a key with a modifier.
        guard asked.isEmpty, !characters.isEmpty, rows > 1, columns > 16 else { return "" }
        (asked, row, changesPlaces) = (characters[...], rows, false)
        return "\u{1B}[?2026h" + characters.map { "\u{1B}[\(rows);1H\($0)\u{1B}[6n" }.joined()
    }

    /// Handles a cursor position. True if it was the last answer, and a character must be drawn elsewhere.
    mutating func answer(row: Int, column: Int) -> Bool {
        guard row == self.row, column > 0, let character = asked.popFirst() else { return false }
        if MeasuredWidths.note(column - 1, of: character) { changesPlaces = true }
        return asked.isEmpty && changesPlaces
    }
}
