// SPDX-License-Identifier: Apache-2.0

/// The protection classes of items that travel; each number is the class code of the keybag.
public enum TravellingClass: UInt8, CaseIterable, Hashable, Comparable, Sendable {
    case complete = 1
    case completeUntilFirstUserAuthentication = 3
    case none = 4

    /// By class code, the order in which the format names classes.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
