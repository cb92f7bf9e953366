// SPDX-License-Identifier: Apache-2.0

/// Groups a telephone number while it is typed, as its country writes it: `+442079460` becomes `+44 20 7946 0`.
///
/// Give `text(for:)` the field's text after each change, with the groups of the last time, and show the answer. No
/// digit is added, removed or moved. `Rule.phone` takes the answer.
public struct PhoneFormatter: Sendable {
    private let region: NumberingPlans.Region?

    /// A formatter for numbers as they are dialled in `region` (ISO 3166: "GB"), and for international ones. Without a
    /// region, or for one that is unknown, international ones only.
    public init(region: String? = nil) { self.region = region.flatMap(NumberingPlans.region) }

    /// `typed` in groups. Digits of any script become ASCII digits. Unchanged if it contains anything but digits, a
    /// plus sign at its start, spaces, hyphens, dots and parentheses, or if its country has no such number.
    ///
    /// Takes time linear in `typed`, of which at most 40 characters are looked at: longer text is unchanged.
    public func text(for typed: String) -> String {
        guard typed.unicodeScalars.count <= 40, let dialled = Self.dialled(typed),
            dialled.digits.count + (dialled.hasPlus ? 1 : 0) >= 3
        else { return typed }
        return Number(dialled.digits, hasPlus: dialled.hasPlus, region: region)?.text
            ?? (dialled.hasPlus ? "+" : "") + String(decoding: dialled.digits, as: UTF8.self)
    }

    private static func dialled(_ typed: String) -> (hasPlus: Bool, digits: [UInt8])? {
        var (hasPlus, digits): (Bool, [UInt8]) = (false, [])
        for scalar in typed.unicodeScalars {
            if let digit = UTF8Text.digit(scalar) {
                digits.append(digit + 48)
                continue
            }
            switch scalar {
            case "+", "\u{FF0B}":
                guard digits.isEmpty, !hasPlus else { return nil }
                hasPlus = true
            case "-", ".", "(", ")", "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FF08}", "\u{FF09}", "\u{FF0D}": break
            default: guard scalar.properties.isWhitespace, !UTF8Text.isLineEnd(scalar) else { return nil }
            }
        }
        return (hasPlus, digits)
    }
}

/// The digits of a number, divided into what is dialled before it and the number inside its country.
private struct Number {
    private var prefix = ""
    private var trunk: ArraySlice<UInt8> = []
    private var isInternational = false
    private var digits: ArraySlice<UInt8>
    private var plan = PhoneFormats.Plan()

    init?(_ typed: [UInt8], hasPlus: Bool, region: NumberingPlans.Region?) {
        digits = typed[...]
        if hasPlus || goesAbroad(from: region) {
            if hasPlus { prefix = "+" }
            isInternational = true
            guard digits.first != 48, let code = NumberingPlans.countryCode(of: digits.prefix(3).map { $0 - 48 }) else {
                return
            }
            prefix += String(code) + " "
            digits = digits.dropFirst(String(code).utf8.count)
            plan = PhoneFormats.plan(of: code)
            return
        }
        guard let region else { return nil }
        plan = PhoneFormats.plan(of: region.code)
        takeTrunk(of: region)
    }

    /// Takes off what is dialled in `region` before a country code.
    private mutating func goesAbroad(from region: NumberingPlans.Region?) -> Bool {
        guard let start = region?.prefixes.first(where: { digits.map { $0 - 48 }.starts(with: $0) }) else {
            return false
        }
        prefix = String(decoding: digits.prefix(start.count), as: UTF8.self) + " "
        digits = digits.dropFirst(start.count)
        return true
    }

    private mutating func takeTrunk(of region: NumberingPlans.Region) {
        if region.code == 1 {
            // Numbers begin with 2 to 9; with 10 and 11 begin other services.
            guard let second = digits.dropFirst().first, digits.first == 49, second > 49 else { return }
            trunk = digits.prefix(1)
            prefix = "1 "
        } else {
            guard let found = plan.trunks.first(where: { digits.starts(with: $0) }) else { return }
            trunk = digits.prefix(found.count)
            prefix = String(decoding: trunk, as: UTF8.self)
        }
        digits = digits.dropFirst(trunk.count)
    }

    /// nil if there is no format for the number.
    var text: String? {
        guard digits.count >= 3 else { return prefix + String(decoding: digits, as: UTF8.self) }
        let hasOwn = isInternational && plan.formats.contains { $0.isInternational }
        let formats = plan.formats.filter { format in
            guard format.isInternational == hasOwn else { return false }
            let isUsual = format.isWithoutTrunk || format.mayHaveTrunk
            if !trunk.isEmpty, format.isWithoutTrunk, !format.mayHaveTrunk, !format.hasCarrier { return false }
            return (!trunk.isEmpty || isInternational || isUsual) && format.begins(digits)
        }
        let whole = formats.first { $0.lengths.contains(digits.count) }
        guard let format = whole ?? formats.first(where: { $0.lengths.upperBound >= digits.count }) else { return nil }
        let hasSpace = format.hasSpace && !prefix.isEmpty && prefix.last != " "
        return prefix + (hasSpace ? " " : "") + format.text(of: digits, isWhole: whole != nil)
    }
}

/// How numbers are grouped, country by country.
enum PhoneFormats {
    struct Plan {
        var trunks: [[UInt8]] = []
        var formats: [Format] = []
    }

    /// The plan of a country code, read from the table.
    static func plan(of code: Int) -> Plan {
        guard let entry = entries[code] else { return Plan() }
        let parts = entry.split(separator: ";")
        let trunks = parts[0].split(separator: ":").dropFirst().joined().split(separator: "/").map { Array($0.utf8) }
        return Plan(trunks: trunks, formats: parts.dropFirst().compactMap(Format.init))
    }

    private static let entries: [Int: Substring] = Dictionary(
        uniqueKeysWithValues: text.split(separator: "!").compactMap { entry in
            Int(entry.prefix { $0 != ":" }).map { ($0, entry) }
        })

    struct Format {
        private let groups: [ClosedRange<Int>]
        private let template: Substring
        private let flags: Int
        private let beginnings: [Substring]

        fileprivate init?(_ text: Substring) {
            let parts = text.split(separator: "~", omittingEmptySubsequences: false)
            guard parts.count == 4, let flags = Int(parts[2]) else { return nil }
            groups = parts[0].split(separator: ",").compactMap { group in
                let ends = group.split(separator: "-").compactMap { Int($0) }
                guard let least = ends.first, let most = ends.last, least <= most else { return nil }
                return least...most
            }
            (template, self.flags, beginnings) = (parts[1], flags, parts[3].split(separator: ","))
        }

        /// Only for numbers without the trunk prefix.
        var isWithoutTrunk: Bool { flags & 1 != 0 }
        /// The trunk prefix may be left out.
        var mayHaveTrunk: Bool { flags & 2 != 0 }
        /// A space follows the trunk prefix.
        var hasSpace: Bool { flags & 4 != 0 }
        /// A carrier's code may come before the number.
        var hasCarrier: Bool { flags & 8 != 0 }
        /// For numbers from abroad.
        var isInternational: Bool { flags & 16 != 0 }

        /// How many digits it takes.
        var lengths: ClosedRange<Int> {
            groups.reduce(0) { $0 + $1.lowerBound }...groups.reduce(0) { $0 + $1.upperBound }
        }

        /// Whether it is for numbers that begin with `digits`, and was at each length before.
        func begins(_ digits: ArraySlice<UInt8>) -> Bool {
            beginnings.isEmpty
                || (3...digits.count).allSatisfy { count in
                    DigitPattern.matches(beginnings[min(count - 3, beginnings.count - 1)], digits.prefix(count))
                }
        }

        /// `digits` in groups: all of a number, or its beginning, with the longest groups that a number has.
        func text(of digits: ArraySlice<UInt8>, isWhole: Bool) -> String {
            // No number has more than fifteen digits.
            var spare = (isWhole ? digits.count : min(15, lengths.upperBound)) - lengths.lowerBound
            let counts = groups.map { group in
                let more = min(group.upperBound - group.lowerBound, spare)
                spare -= more
                return group.lowerBound + more
            }
            var (text, rest, isGroup) = ("", digits, false)
            for character in template {
                if isGroup, let number = character.wholeNumberValue, counts.indices.contains(number - 1) {
                    text += String(decoding: rest.prefix(counts[number - 1]), as: UTF8.self)
                    rest = rest.dropFirst(counts[number - 1])
                    if rest.isEmpty { return text }
                } else if character != "$" {
                    text.append(character)
                }
                isGroup = character == "$"
            }
            return text
        }
    }
}

/// Patterns of digits: digits, `d` for any, sets in brackets, groups of alternatives in `(?:…)`, `?` for what may be
/// missing. They are the table's alone, at most 400 characters.
enum DigitPattern {
    /// Whether the start of `digits` matches.
    static func matches(_ pattern: Substring, _ digits: ArraySlice<UInt8>) -> Bool {
        var rest = Array(pattern.utf8)[...]
        return !alternatives(&rest, [digits]).isEmpty
    }

    /// What can be left of the digits after one of the alternatives up to the end or the closing parenthesis.
    private static func alternatives(
        _ pattern: inout ArraySlice<UInt8>, _ starts: [ArraySlice<UInt8>]
    ) -> [ArraySlice<UInt8>] {
        var (found, current) = ([ArraySlice<UInt8>](), starts)
        while let sign = pattern.popFirst(), sign != UInt8(ascii: ")") {
            if sign == UInt8(ascii: "|") {
                found += current
                current = starts
                continue
            }
            let before = current
            if sign == UInt8(ascii: "(") {
                pattern = pattern.dropFirst(2)
                current = alternatives(&pattern, current)
            } else {
                let set = set(sign, &pattern)
                current = current.compactMap { rest in
                    guard let digit = rest.first, set >> UInt16(digit - 48) & 1 == 1 else { return nil }
                    return rest.dropFirst()
                }
            }
            if pattern.first == UInt8(ascii: "?") {
                pattern = pattern.dropFirst()
                current += before
            }
        }
        return found + current
    }

    /// The digits that `sign` represents, as bits.
    private static func set(_ sign: UInt8, _ pattern: inout ArraySlice<UInt8>) -> UInt16 {
        if sign == UInt8(ascii: "d") { return 0x3FF }
        guard sign == UInt8(ascii: "[") else { return 1 << UInt16(sign & 0xF) }
        var (bits, last): (UInt16, UInt8) = (0, 0)
        while let sign = pattern.popFirst(), sign != UInt8(ascii: "]") {
            if sign == UInt8(ascii: "-"), let end = pattern.popFirst() {
                for digit in last...max(last, end & 0xF) { bits |= 1 << UInt16(digit) }
            } else {
                last = sign & 0xF
                bits |= 1 << UInt16(last)
            }
        }
        return bits
    }
}
