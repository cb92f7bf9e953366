// SPDX-License-Identifier: Apache-2.0

/// Why a file of preferences was not read at all.
public enum ImportError: Error, Equatable, Sendable {
    /// Neither a property list nor a keyed archive.
    case notAPropertyList
    /// Begins as one, and breaks off or contradicts itself.
    case damaged
    /// Nested deeper than 64 levels, more than a million values, or larger than 64 MiB; what stands in the file once and is used often counts each time.
    case tooLarge
    /// Refers to itself.
    case cyclic
    /// One of its dates is none, "30 February" or a number beyond the calendar.
    case invalidDate
    /// The outermost value is not a dictionary with strings as keys.
    case notADictionary

    /// What a person reads of it.
    var text: String {
        switch self {
        case .notAPropertyList: "it is neither a property list nor a keyed archive"
        case .damaged: "it is damaged or cut short"
        case .tooLarge: "it has more than 64 levels, a million values or 64 MiB"
        case .cyclic: "it refers to itself"
        case .invalidDate: "one of its dates is none, or lies outside the years 1 to 9999"
        case .notADictionary: "its outermost value is no dictionary with names as keys"
        }
    }
}
