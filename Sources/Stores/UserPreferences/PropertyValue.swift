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
    /// Converts a property-list object of Foundation or of the standard library. Returns nil if it contains anything
    /// else, at any depth.
    public init?(propertyList object: Any) {
        switch object {
        case let value as PropertyValue: self = value
        case let value as Bool where Self.isBoolean(object): self = .boolean(value)
        case let value as String: self = .string(value)
        case let value as Data: self = .data(Array(value))
        case let value as Date: self = .date(value.timeIntervalSinceReferenceDate)
        case let value as NSNumber: self.init(number: value)
        case let value as [String: Any]:
            var entries: [String: PropertyValue] = [:]
            for (key, item) in value {
                guard let item = PropertyValue(propertyList: item) else { return nil }
                entries[key] = item
            }
            self = .dictionary(entries)
        case let value as [Any]:
            var items: [PropertyValue] = []
            for item in value {
                guard let item = PropertyValue(propertyList: item) else { return nil }
                items.append(item)
            }
            self = .array(items)
        default: return nil
        }
    }

    private init?(number: NSNumber) {
        if let value = Int64(exactly: number) {
            self = .integer(value)
        } else if number.isUnsigned64 {
            return nil
        } else {
            self = .real(number.doubleValue)
        }
    }

    /// Foundation bridges the numbers 0 and 1 to `Bool` too. Only the type code shows the difference.
    private static func isBoolean(_ object: Any) -> Bool {
        if type(of: object) == Bool.self { return true }
        return (object as? NSNumber)?.isBoolean ?? false
    }

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
