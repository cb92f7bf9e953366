// SPDX-License-Identifier: Apache-2.0

/// Blanks what would cost the parser time or memory out of proportion, in one pass over a file: its look-ahead takes
/// twice the time for each `[` that is open, three times for each attribute with brackets, and time with the square or
/// the cube of other things that are open at once or follow each other. Sources that people or generators write have far
/// less of each.
struct Nests {
    /// `[` with anything but braces between them.
    private static let mostBrackets = 8
    /// Brackets of any kind.
    private static let mostOpen = 250
    /// Brackets of attributes, macros and backslashes, in which the parser looks ahead.
    private static let mostCostly = 5
    private static let mostAngles = 200
    /// `@Name<`
    private static let mostAttributes = 6
    /// Modifiers in a row.
    private static let mostModifiers = 32
    /// Words, signs and texts: each takes some 300 bytes.
    private static let mostTokens = 500_000

    /// What of a file isn't read.
    struct Cut {
        var isNest = false
        var isLong = false
        /// For people, nil if all is read.
        var reason: String? {
            isLong
                ? "it has more than \(Nests.mostTokens) words and signs; those behind aren't read"
                : isNest ? "it nests too deep to be read whole" : nil
        }
    }

    private var brackets = 0
    private var blankedBrackets = 0
    /// For each bracket that is open, whether it is a costly one.
    private var open: [Bool] = []
    private var costly = 0
    private var blankedOpen = 0
    /// For each `<` that is open, whether an attribute stands before it.
    private var angles: [Bool] = []
    private var attributes = 0
    private var blankedAngles = 0
    /// Since an `@` nothing but a name was there.
    private var isAttribute = false
    private var last: UInt8 = 0
    private var before = Before.other
    /// Behind an `@` nothing was there yet.
    private var isBareAt = false
    private var modifiers = 0
    private var wordStart: Int?
    private var tokens = 0

    /// What comes before a bracket.
    private enum Before { case other, at, sign, backslash, macro, precedence, name }

    /// Whether there was any.
    static func flatten(_ bytes: inout [UInt8]) -> Cut {
        var code = CodeBytes()
        var nests = Nests()
        var cut = Cut()
        for index in bytes.indices {
            let isCode = code.take(bytes[index], before: index + 1 < bytes.count ? bytes[index + 1] : 0)
            let isWord = isCode && Self.isWord(bytes[index])
            if let start = nests.wordStart, !isWord {
                nests.wordStart = nil
                if nests.isTooMany(bytes[start..<index]) {
                    for place in start..<index { bytes[place] = 0x20 }
                    cut.isNest = true
                }
            }
            guard isCode else { continue }
            if isWord {
                if nests.wordStart == nil { nests.wordStart = index }
            } else if nests.isTooMuch(bytes[index]) {
                bytes[index] = 0x20
                cut.isNest = true
            }
            guard nests.tokens < Self.mostTokens else {
                for place in index..<bytes.count where bytes[place] != 0x0A { bytes[place] = 0x20 }
                cut.isLong = true
                return cut
            }
        }
        return cut
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// Whether a word is one modifier too many.
    private mutating func isTooMany(_ word: ArraySlice<UInt8>) -> Bool {
        tokens += 1
        isBareAt = false
        defer { last = word.last ?? last }
        switch before {
        case .at, .sign: break
        case .macro, .precedence: before = .name
        case .other, .backslash, .name:
            before =
                word.count == 5 && word.elementsEqual("macro".utf8)
                ? .macro : word.count == 15 && word.elementsEqual("precedencegroup".utf8) ? .precedence : .other
        }
        // Most words are longer, or begin in upper case.
        let isShort = 3...12 ~= word.count && word.first.map { $0 >= UInt8(ascii: "a") } == true
        let text = isShort ? String(decoding: word, as: UTF8.self) : ""
        if Self.modifierWords.contains(text) {
            modifiers += 1
            return modifiers > Self.mostModifiers
        }
        if !Self.detailWords.contains(text) { modifiers = 0 }
        return false
    }

    private static let modifierWords: Set<String> = [
        "actor", "async", "await", "borrowing", "class", "consume", "consuming", "convenience", "copy", "distributed",
        "dynamic", "each", "fileprivate", "final", "indirect", "infix", "inout", "internal", "isolated", "lazy",
        "mutating", "nonisolated", "nonmutating", "open", "optional", "override", "package", "postfix", "prefix",
        "private", "public", "reasync", "repeat", "required", "rethrows", "sending", "static", "throws", "try",
        "unowned", "weak", "any", "some", "mutate", "read", "unsafe",
    ]
    /// `unowned(unsafe)`
    private static let detailWords: Set<String> = ["safe", "set", "nonsending"]

    private mutating func isTooMuch(_ byte: UInt8) -> Bool {
        defer { last = byte }
        switch byte {
        case 0x09...0x0D, 0x20: return false
        case UInt8(ascii: "("), UInt8(ascii: ")"): break
        default: modifiers = 0
        }
        tokens += 1
        switch byte {
        case UInt8(ascii: "["):
            isAttribute = false
            return opens(isAlways: true) || Self.open(&brackets, most: Self.mostBrackets, &blankedBrackets)
        case UInt8(ascii: "]"): return closes() || Self.close(&brackets, &blankedBrackets)
        case UInt8(ascii: "<") where last != UInt8(ascii: ".") && last != byte:
            before = .other
            return openAngle()
        case UInt8(ascii: ">") where last != UInt8(ascii: "-"):
            before = angles.last == true ? .at : .other
            return closeAngle()
        case UInt8(ascii: "{"), UInt8(ascii: "}"):
            brackets = 0
            angles = []
            attributes = 0
            return byte == UInt8(ascii: "{") ? opens(isAlways: false) : closes()
        case UInt8(ascii: "("):
            isAttribute = false
            return opens(isAlways: true)
        case UInt8(ascii: ")"):
            isAttribute = false
            return closes()
        case UInt8(ascii: "@"):
            // One without a name before another, or with nothing but what was blanked between them.
            let isBare = isBareAt
            (isAttribute, before, isBareAt) = (true, .at, true)
            return isBare
        case UInt8(ascii: "#"): (isAttribute, before) = (false, .sign)
        case UInt8(ascii: "\\"): (isAttribute, before) = (false, .backslash)
        case UInt8(ascii: "."), UInt8(ascii: "`"): break
        default: (isAttribute, before) = (false, .other)
        }
        return false
    }

    /// Whether one more bracket is too much. `isAlways`: behind any of the words and signs before it.
    private mutating func opens(isAlways: Bool) -> Bool {
        let isCostly = before != .other && (isAlways || before == .name)
        guard open.count < Self.mostOpen, !isCostly || costly < Self.mostCostly else {
            blankedOpen += 1
            return true
        }
        // Not behind one that is blanked: what comes before that one comes before the next.
        (before, isBareAt) = (.other, false)
        open.append(isCostly)
        if isCostly { costly += 1 }
        return false
    }

    private mutating func closes() -> Bool {
        before = .other
        guard blankedOpen == 0 else {
            blankedOpen -= 1
            return true
        }
        if open.popLast() == true { costly -= 1 }
        return false
    }

    private static func open(_ count: inout Int, most: Int, _ blanked: inout Int) -> Bool {
        guard count >= most else {
            count += 1
            return false
        }
        blanked += 1
        return true
    }

    private static func close(_ count: inout Int, _ blanked: inout Int) -> Bool {
        guard blanked == 0 else {
            blanked -= 1
            return true
        }
        count = max(0, count - 1)
        return false
    }

    private mutating func openAngle() -> Bool {
        defer { isAttribute = false }
        guard angles.count < Self.mostAngles, !isAttribute || attributes < Self.mostAttributes else {
            blankedAngles += 1
            return true
        }
        angles.append(isAttribute)
        if isAttribute { attributes += 1 }
        return false
    }

    private mutating func closeAngle() -> Bool {
        guard blankedAngles == 0 else {
            blankedAngles -= 1
            return true
        }
        if angles.popLast() == true { attributes -= 1 }
        return false
    }
}
