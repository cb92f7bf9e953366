// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property-list value of a preference.
@frozen
public enum PropertyValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data([UInt8])
    case string(String)
    case array([PropertyValue])
    case dictionary([String: PropertyValue])
}

extension PropertyValue {
    /// The value as a Foundation property-list object.
    public var propertyList: Any {
        switch self {
        case .boolean(let value): value
        case .integer(let value): Int(value)
        case .real(let value): value
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): Data(bytes)
        case .string(let text): text
        case .array(let items): items.map(\.propertyList)
        case .dictionary(let entries): entries.mapValues(\.propertyList)
        }
    }
}

extension PropertyValue {
    @inline(never)
    static func set(_ value: PropertyValue, for key: String, in entries: inout [String: PropertyValue]) {
        entries[key] = value
    }

    @inline(never)
    static func append(_ value: PropertyValue, to items: inout [PropertyValue]) { items.append(value) }
}
