// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Dates as ISO 8601 in the Gregorian calendar for every year. Foundation uses the Julian calendar before 15 October
/// 1582, so early dates are shifted by 2,000 years, after which the calendar repeats.
extension PropertyValue {
    private static let years = 2000
    private static let shift = Double(years) * 365.2425 * 86_400
    /// 1 January 2000.
    private static let begin = -366.0 * 86_400

    /// The ISO 8601 text of a date, given in seconds since 2001-01-01 00:00 UTC.
    package static func text(ofDate seconds: Double) -> String {
        guard seconds < begin else { return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601) }
        let text = Date(timeIntervalSinceReferenceDate: seconds + shift).formatted(.iso8601)
        return moved(text, by: -years) ?? text
    }

    /// The date of an ISO 8601 text; nil if the text isn't one.
    package init?(dateText text: String) {
        let isEarly = Self.year(of: text).map { $0 < Self.years } ?? false
        guard let date = try? Date(isEarly ? Self.moved(text, by: Self.years) ?? text : text, strategy: .iso8601) else {
            return nil
        }
        self = .date(date.timeIntervalSinceReferenceDate - (isEarly ? Self.shift : 0))
    }

    private static func year(of text: String) -> Int? {
        let year = text.prefix { $0 != "-" }
        return year.utf8.count == 4 && year.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(year) : nil
    }

    private static func moved(_ text: String, by years: Int) -> String? {
        year(of: text).map { year in
            let digits = String(year + years)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + text.dropFirst(4)
        }
    }
}
