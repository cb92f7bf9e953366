// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

extension Date {
    /// The start of a day in UTC, written as 2026-05-31; nil for a day that its month doesn't have.
    init?(day text: some StringProtocol) {
        guard let seconds = CalendarTime(propertyListText: "\(text)T00:00:00Z")?.seconds else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}
