// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A type that a preference may have.
public protocol PreferenceConvertible: Sendable {
    /// The value; nil if `value` is of another type.
    init?(preference value: PropertyValue)
    /// What is stored.
    var preference: PropertyValue { get }
}

extension Bool: PreferenceConvertible {
    /// The value; nil for one of another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .boolean(let value) = value else { return nil }
        self = value
    }
    /// What is stored.
    public var preference: PropertyValue { .boolean(self) }
}

extension Int: PreferenceConvertible {
    /// The value; nil for one of another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .integer(let value) = value else { return nil }
        self.init(exactly: value)
    }
    /// What is stored.
    public var preference: PropertyValue { .integer(Int64(self)) }
}

extension Int64: PreferenceConvertible {
    /// The value; nil for one of another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .integer(let value) = value else { return nil }
        self = value
    }
    /// What is stored.
    public var preference: PropertyValue { .integer(self) }
}

extension Double: PreferenceConvertible {
    /// Integers are accepted where they are exact.
    @inlinable
    public init?(preference value: PropertyValue) {
        switch value {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
    /// What is stored.
    public var preference: PropertyValue { .real(self) }
}

extension String: PreferenceConvertible {
    /// The value; nil for one of another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .string(let value) = value else { return nil }
        self = value
    }
    /// What is stored.
    public var preference: PropertyValue { .string(self) }
}

extension Data: PreferenceConvertible {
    /// The value; nil for one of another type.
    public init?(preference value: PropertyValue) {
        guard case .data(let value) = value else { return nil }
        self.init(value)
    }
    /// What is stored.
    public var preference: PropertyValue { .data(Array(self)) }
}

extension Date: PreferenceConvertible {
    /// The value; nil for one of another type.
    public init?(preference value: PropertyValue) {
        guard case .date(let seconds) = value else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
    /// What is stored.
    public var preference: PropertyValue { .date(timeIntervalSinceReferenceDate) }
}

extension URL: PreferenceConvertible {
    /// Stored as its absolute text.
    public init?(preference value: PropertyValue) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text)
    }
    /// What is stored.
    public var preference: PropertyValue { .string(absoluteString) }
}

extension PropertyValue: PreferenceConvertible {
    /// The value; nil for one of another type.
    public init?(preference value: PropertyValue) { self = value }
    /// What is stored.
    public var preference: PropertyValue { self }
}

extension Array: PreferenceConvertible where Element: PreferenceConvertible {
    /// The value; nil for one of another type.
    public init?(preference value: PropertyValue) {
        guard case .array(let values) = value else { return nil }
        self = []
        for value in values {
            guard let element = Element(preference: value) else { return nil }
            append(element)
        }
    }
    /// What is stored.
    public var preference: PropertyValue { .array(map(\.preference)) }
}

extension Dictionary: PreferenceConvertible where Key == String, Value: PreferenceConvertible {
    /// The value; nil for one of another type.
    public init?(preference value: PropertyValue) {
        guard case .dictionary(let values) = value else { return nil }
        self = [:]
        for (key, value) in values {
            guard let element = Value(preference: value) else { return nil }
            self[key] = element
        }
    }
    /// What is stored.
    public var preference: PropertyValue { .dictionary(mapValues(\.preference)) }
}

extension Optional: PreferenceConvertible where Wrapped: PreferenceConvertible {
    /// Optional values are for keys whose absence has a meaning of its own. Setting nil removes the value.
    public init?(preference value: PropertyValue) {
        guard let wrapped = Wrapped(preference: value) else { return nil }
        self = wrapped
    }
    /// Never stored for nil: `set` removes the value then.
    public var preference: PropertyValue { self?.preference ?? .boolean(false) }
}

/// A name with the type of its value and its default.
///
///     extension PreferenceKey where Value == Int {
///         static let fontSize = PreferenceKey("fontSize", default: 12)
///     }
///
/// Keep keys in constants: a key hashes its name once, when it is made.
public struct PreferenceKey<Value: PreferenceConvertible>: Sendable {
    /// The name; at most 4,096 bytes of UTF-8.
    public let name: String
    /// The value of a key that was never set. It is never returned when the store is not ready.
    public let defaultValue: Value
    @usableFromInline let hash: Int

    /// A key.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
        hash = EntryTable.hash(name)
    }
}
