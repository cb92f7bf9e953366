// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

package enum WallClock {
    /// Seconds since 2001-01-01 00:00 UTC.
    package static let now: @Sendable () -> Double = { Date.now.timeIntervalSinceReferenceDate }
}
