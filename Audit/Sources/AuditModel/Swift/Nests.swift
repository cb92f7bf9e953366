// SPDX-License-Identifier: Apache-2.0

/// Blanks what opens too much at once for the parser, whose look-ahead takes twice the time for each `[` and each attribute with a `<` that is open, and time
/// with the square of every other `<`.
struct Nests {
    /// `[` with anything but braces between them.
    private static let mostBrackets = 8
    private static let mostAngles = 200
    /// `@Name<`
    private static let mostAttributes = 6

    private var brackets = 0
    private var blankedBrackets = 0
    /// For each `<` that is open, whether an attribute stands before it.
    private var angles: [Bool] = []
    private var attributes = 0
    private var blankedAngles = 0
    /// Since an `@` nothing but a name was there.
    private var isAttribute = false
    private var last: UInt8 = 0

    /// Whether there was any.
    static func flatten(_ bytes: inout [UInt8]) -> Bool {
        var code = CodeBytes()
        var nests = Nests()
        var isFlattened = false
        for index in bytes.indices {
            guard code.take(bytes[index], before: index + 1 < bytes.count ? bytes[index + 1] : 0),
                nests.isTooMuch(bytes[index])
            else { continue }
            bytes[index] = 0x20
            isFlattened = true
        }
        return isFlattened
    }

    private mutating func isTooMuch(_ byte: UInt8) -> Bool {
        defer { last = byte }
        switch byte {
        case UInt8(ascii: "["):
            isAttribute = false
            return Self.open(&brackets, most: Self.mostBrackets, &blankedBrackets)
        case UInt8(ascii: "]"): return Self.close(&brackets, &blankedBrackets)
        case UInt8(ascii: "<") where last != UInt8(ascii: ".") && last != byte: return openAngle()
        case UInt8(ascii: ">") where last != UInt8(ascii: "-"): return closeAngle()
        case UInt8(ascii: "{"), UInt8(ascii: "}"):
            brackets = 0
            angles = []
            attributes = 0
        case UInt8(ascii: "@"): isAttribute = true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "`"),
            0x09...0x0D, 0x20, 0x80...:
            break
        default: isAttribute = false
        }
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
