// SPDX-License-Identifier: Apache-2.0

import Readers

/// A day of the Gregorian calendar, without a time and a time zone.
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 1 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// A day; nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year)
        else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The number of days in a month.
    public static func days(in month: Int, of year: Int) -> Int {
        CalendarTime.days(in: month, of: year)
    }

    /// Whether `left` is the earlier day.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The day in ISO 8601: 2026-02-28.
    public var description: String {
        Self.padded(year, to: 4) + "-" + Self.padded(month, to: 2) + "-" + Self.padded(day, to: 2)
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The order of a typed date.
public enum DateOrder: Sendable, Equatable {
    /// 2026-02-28.
    case iso
    /// 28.02.2026, with this separator.
    case dayMonthYear(Character)
    /// 02/28/2026, with this separator.
    case monthDayYear(Character)
}

extension Rule where Value == CalendarDate {
    /// A day between `earliest` and `latest`. The year has four digits, so that no century is guessed. Trims.
    /// Errors: `.required`, `.date`, `.range`.
    public static func date(
        _ order: DateOrder = .iso, from earliest: CalendarDate? = nil, to latest: CalendarDate? = nil
    ) -> Rule {
        let read = Rule<String>.text(length: 1...40).map { text throws(Reason) in
            guard let date = order.date(in: text) else { throw Reason(.date, details: [order.example]) }
            return date
        }
        let reason = Reason(.range, minimum: earliest.map(order.text), maximum: latest.map(order.text))
        return read.requiring(reason) { date in
            if let earliest, date < earliest { return false }
            if let latest, date > latest { return false }
            return true
        }
    }
}

extension DateOrder {
    /// `date` as typed in this order.
    func text(of date: CalendarDate) -> String {
        let parts = date.description.split(separator: "-").map(String.init)
        switch self {
        case .iso: return date.description
        case .dayMonthYear(let separator): return [parts[2], parts[1], parts[0]].joined(separator: String(separator))
        case .monthDayYear(let separator): return [parts[1], parts[2], parts[0]].joined(separator: String(separator))
        }
    }

    /// An example that shows the order of the parts.
    fileprivate var example: String { CalendarDate(year: 2026, month: 12, day: 31).map(text) ?? "" }

    fileprivate func date(in text: String) -> CalendarDate? {
        let separator: Character =
            switch self {
            case .iso: "-"
            case .dayMonthYear(let separator), .monthDayYear(let separator): separator
            }
        let parts = UTF8Text.withASCIIDigits(text).split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.allSatisfy(UTF8Text.isDigit) ? Int($0) : nil }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        let places: (year: Int, month: Int, day: Int) =
            switch self {
            case .iso: (0, 1, 2)
            case .dayMonthYear: (2, 1, 0)
            case .monthDayYear: (2, 0, 1)
            }
        guard parts[places.year].count == 4, parts[places.month].count <= 2, parts[places.day].count <= 2 else {
            return nil
        }
        return CalendarDate(year: numbers[places.year], month: numbers[places.month], day: numbers[places.day])
    }
}
