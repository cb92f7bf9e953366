// SPDX-License-Identifier: Apache-2.0

/// What a rule does with invisible characters: direction marks (which can show text in an order other than its own),
/// zero-width characters, tags, fillers, and line separators that aren't line ends.
///
/// Characters that belong to a script or an emoji don't count: joiners that change how letters or emoji join, variation
/// selectors after their character, and the tags of three flags.
public enum HiddenCharacters: Sendable, Equatable {
    /// Refuses the text with `.hidden`; the message names the character.
    case refused
    /// Removes them. Line separators become line ends where those are allowed, else spaces.
    case removed
    /// Keeps them: for text that people don't read.
    case kept
}

/// Text as code points, and which of them are invisible.
struct HiddenText {
    private let scalars: [Unicode.Scalar]

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// The first hidden one.
    var first: Unicode.Scalar? {
        for (index, scalar) in scalars.enumerated() where Self.maybeHidden(scalar) && !isInPlace(index) {
            return scalar
        }
        return nil
    }

    /// The text without them.
    func cleaned(lineEnd: Unicode.Scalar) -> [Unicode.Scalar] {
        scalars.enumerated().compactMap { index, scalar in
            guard Self.maybeHidden(scalar), !isInPlace(index) else { return scalar }
            return scalar == "\u{2028}" || scalar == "\u{2029}" ? lineEnd : nil
        }
    }

    /// Whether `scalar` is invisible, unless it belongs to the characters beside it. Control characters don't count:
    /// they are not text.
    private static func maybeHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0xAD, 0xAE...0x2FF, 0x400...0x52F: return false
        // Visible signs around numbers and verses.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return false
        case 0x2028, 0x2029, 0x2800: return true
        default: break
        }
        let properties = scalar.properties
        return properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
            || properties.isNoncharacterCodePoint
    }

    private func isInPlace(_ index: Int) -> Bool {
        switch scalars[index].value {
        case 0x200C, 0x200D: isJoiner(index)
        case 0xFE0E, 0xFE0F: index > 0 && scalars[index - 1].properties.isEmoji
        case 0xFE00...0xFE02, 0xE0100...0xE01EF: index > 0 && scalars[index - 1].properties.isIdeographic
        case 0x180B...0x180D, 0x180F: index > 0 && (0x1820...0x18AA).contains(scalars[index - 1].value)
        case 0xE0020...0xE007F: isInFlag(index)
        default: false
        }
    }

    private func isJoiner(_ index: Int) -> Bool {
        guard index > 0, index + 1 < scalars.count else { return false }
        let (before, after) = (scalars[index - 1], scalars[index + 1])
        if before.properties.canonicalCombiningClass == .virama { return true }
        if scalars[index] == "\u{200C}" || HostCharacter(before).joining == .dual {
            let range = max(0, index - 8)..<min(scalars.count, index + 9)
            var joined = Array(scalars[range])
            // Both joiners are allowed where they change the form of a letter.
            joined[index - range.lowerBound] = "\u{200C}"
            if IDNA.joinersAreInPlace(joined.filter { $0 != "\u{200D}" }[...]) { return true }
        }
        guard scalars[index] == "\u{200D}", after.properties.isEmoji, after.value > 0x7F else { return false }
        let base = scalars[..<index].last { $0 != "\u{FE0F}" && !$0.properties.isEmojiModifier }
        return base.map { $0.properties.isEmoji && $0.value > 0x7F } ?? false
    }

    /// The flags of England, Scotland and Wales are a black flag and tags.
    private func isInFlag(_ index: Int) -> Bool {
        // At most six tags: a longer search would take quadratic time on a long row of tags.
        guard
            let flag = scalars[max(0, index - 6)..<index].lastIndex(where: { !(0xE0020...0xE007F).contains($0.value) }),
            scalars[flag] == "\u{1F3F4}"
        else { return false }
        let tags = scalars[(flag + 1)...].prefix(7).prefix { (0xE0020...0xE007F).contains($0.value) }
        let name = String(String.UnicodeScalarView(tags.dropLast().compactMap { Unicode.Scalar($0.value - 0xE0000) }))
        return tags.last == "\u{E007F}" && ["gbeng", "gbsct", "gbwls"].contains(name)
    }
}
