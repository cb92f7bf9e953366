// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// UTCTime and GeneralizedTime as seconds since 2001-01-01 00:00 UTC.
enum CertificateDate {
    static func seconds(_ node: ASN1Node) -> Double? {
        if let time = try? UTCTime(derEncoded: node) {
            return seconds(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        if let time = try? GeneralizedTime(derEncoded: node) {
            return seconds(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        return nil
    }

    private static func seconds(
        _ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int
    ) -> Double {
        Double((days(year, month, day) * 24 + hours) * 60 + minutes) * 60 + Double(seconds)
    }

    /// Days since 2001-01-01 in the Gregorian calendar; years are counted from March, so that leap days end them.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let monthOfYear = (month + 9) % 12
        let dayOfYear = (153 * monthOfYear + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 730_791
    }
}
