// SPDX-License-Identifier: Apache-2.0

/// The protection classes of items that are synced. The raw value is the class code of the keybag.
public enum TravellingClass: UInt8, CaseIterable, Hashable, Comparable, Sendable {
    case complete = 1
    case completeUntilFirstUserAuthentication = 3
    case none = 4

    /// The order of the class codes, in which the format lists classes.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
