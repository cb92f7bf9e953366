// SPDX-License-Identifier: Apache-2.0

/// How many cells a character takes, and which ones may be sent to a terminal at all.
enum CellWidth {
    /// As the terminal has shown it where that is known; else 0, 1 or 2.
    static func of(_ character: Character) -> Int {
        if isCertain(character) { return ofScalars(in: character) }
        return MeasuredWidths.of(character) ?? ofScalars(in: character)
    }

    private static func ofScalars(in character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, of($1)) }
    }

    /// Whether all terminals agree on it: one code point, of scripts whose letters stand by themselves.
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

    /// The blocks of wide characters of Unicode's East Asian Width, in one piece each.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    /// The character itself, or a mark in its place if a terminal would take it for a command or turn the text round.
    static func safe(_ character: Character) -> Character {
        let isSafe = character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            case .format: scalar.value == 0x200D || scalar.value == 0x200C
            default: true
            }
        }
        return isSafe ? character : "\u{FFFD}"
    }
}
