// SPDX-License-Identifier: Apache-2.0

/// A UTC time by its components, as property lists and ASN.1 write it.
package struct CalendarTime: Sendable {
    private let year: Int
    private let month: Int
    private let day: Int
    private let hour: Int
    private let minute: Int
    private let second: Int

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The range of times with four-digit years, in seconds since 2001-01-01 00:00 UTC.
    package static let seconds: Range<Double> = -63_114_076_800..<252_423_993_600

    /// A date from a binary format. Errors: `.noDate` for NaN and for dates out of range.
    package static func checked(_ seconds: Double) throws(ReadingError) -> Double {
        guard Self.seconds.contains(seconds) else { throw ReadingError(.noDate, "a date that no calendar has") }
        return seconds
    }

    /// Seconds since 2001-01-01 00:00 UTC; nil if a component is out of range. A leap second counts as the second
    /// before it.
    package var seconds: Double? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let seconds = hour * 3600 + minute * 60 + min(second, 59)
        return Double((dayNumber - Self.firstDay) * 86_400 + seconds)
    }

    /// 1 January 2001.
    private static let firstDay = 11_323

    /// Days since 1 January 1970 in the Gregorian calendar.
    private var dayNumber: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The number of days in a month.
    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarTime {
    /// A time in seconds since 2001, as ASN.1 writes it: `20260505113252Z`, without the fraction. Nil if it is out
    /// of range.
    package static func digits(of seconds: Double) -> String? {
        guard Self.seconds.contains(seconds) else { return nil }
        let whole = Int(seconds.rounded(.down))
        let day = Int((Double(whole) / 86_400).rounded(.down))
        let (inDay, shifted) = (whole - day * 86_400, day + firstDay + 719_468)
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = [month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1]
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        let pairs = (date + [inDay / 3600, inDay / 60 % 60, inDay % 60]).map { $0 < 10 ? "0\($0)" : "\($0)" }
        return String(String(10_000 + year).suffix(4)) + pairs.joined() + "Z"
    }

    /// `2026-05-05T11:32:52Z`, the only form that property lists use.
    package init?(propertyListText text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes[19] == UInt8(ascii: "Z"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19])
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
