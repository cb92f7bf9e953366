// SPDX-License-Identifier: Apache-2.0

import Foundation

// In a file of its own, like ``ProtectedUserDefaults``: on Linux Foundation's classes are 8 MB, which a program that
// doesn't call this is linked without (Scripts/linker). So nothing that other files use may be compiled into this one:
// collections are changed elsewhere.

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
                Self.set(item, for: key, in: &entries)
            }
            self = .dictionary(entries)
        case let value as [Any]:
            var items: [PropertyValue] = []
            for item in value {
                guard let item = PropertyValue(propertyList: item) else { return nil }
                Self.append(item, to: &items)
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
}
