// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A type that the value of a preference can have.
public protocol PreferenceConvertible: Sendable {
    /// Creates the value; nil if `value` has another type.
    init?(preference value: PropertyValue)
    /// The stored value.
    var preference: PropertyValue { get }
}

extension Bool: PreferenceConvertible {
    /// Creates the value; nil for another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .boolean(let value) = value else { return nil }
        self = value
    }
    /// The stored value.
    public var preference: PropertyValue { .boolean(self) }
}

extension Int: PreferenceConvertible {
    /// Creates the value; nil for another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .integer(let value) = value else { return nil }
        self.init(exactly: value)
    }
    /// The stored value.
    public var preference: PropertyValue { .integer(Int64(self)) }
}

extension Int64: PreferenceConvertible {
    /// Creates the value; nil for another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .integer(let value) = value else { return nil }
        self = value
    }
    /// The stored value.
    public var preference: PropertyValue { .integer(self) }
}

extension Double: PreferenceConvertible {
    /// Creates the value; nil for another type. Integers are accepted if they are exact.
    @inlinable
    public init?(preference value: PropertyValue) {
        switch value {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
    /// The stored value.
    public var preference: PropertyValue { .real(self) }
}

extension String: PreferenceConvertible {
    /// Creates the value; nil for another type.
    @inlinable
    public init?(preference value: PropertyValue) {
        guard case .string(let value) = value else { return nil }
        self = value
    }
    /// The stored value.
    public var preference: PropertyValue { .string(self) }
}

extension Data: PreferenceConvertible {
    /// Creates the value; nil for another type.
    public init?(preference value: PropertyValue) {
        guard case .data(let value) = value else { return nil }
        self.init(value)
    }
    /// The stored value.
    public var preference: PropertyValue { .data(Array(self)) }
}

extension Date: PreferenceConvertible {
    /// Creates the value; nil for another type.
    public init?(preference value: PropertyValue) {
        guard case .date(let seconds) = value else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
    /// The stored value.
    public var preference: PropertyValue { .date(timeIntervalSinceReferenceDate) }
}

extension URL: PreferenceConvertible {
    /// Creates the value from its absolute string; nil for another type.
    public init?(preference value: PropertyValue) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text)
    }
    /// The stored value: the absolute string.
    public var preference: PropertyValue { .string(absoluteString) }
}

extension PropertyValue: PreferenceConvertible {
    /// Creates the value; never nil.
    public init?(preference value: PropertyValue) { self = value }
    /// The stored value.
    public var preference: PropertyValue { self }
}

extension Array: PreferenceConvertible where Element: PreferenceConvertible {
    /// Creates the value; nil for another type.
    public init?(preference value: PropertyValue) {
        guard case .array(let values) = value else { return nil }
        self = []
        for value in values {
            guard let element = Element(preference: value) else { return nil }
            append(element)
        }
    }
    /// The stored value.
    public var preference: PropertyValue { .array(map(\.preference)) }
}

extension Dictionary: PreferenceConvertible where Key == String, Value: PreferenceConvertible {
    /// Creates the value; nil for another type.
    public init?(preference value: PropertyValue) {
        guard case .dictionary(let values) = value else { return nil }
        self = [:]
        for (key, value) in values {
            guard let element = Value(preference: value) else { return nil }
            self[key] = element
        }
    }
    /// The stored value.
    public var preference: PropertyValue { .dictionary(mapValues(\.preference)) }
}

extension Optional: PreferenceConvertible where Wrapped: PreferenceConvertible {
    /// Creates the value; nil for another type. Optional values are for keys whose absence has its own meaning.
    public init?(preference value: PropertyValue) {
        guard let wrapped = Wrapped(preference: value) else { return nil }
        self = wrapped
    }
    /// The stored value. It is never stored for nil: `set` removes the value instead.
    public var preference: PropertyValue { self?.preference ?? .boolean(false) }
}

/// A name with the type of its value and its default.
///
///     extension PreferenceKey where Value == Int {
///         static let fontSize = PreferenceKey("fontSize", default: 12)
///     }
///
/// Keep keys in constants: a key hashes its name once, when it is created.
public struct PreferenceKey<Value: PreferenceConvertible>: Sendable {
    /// The name; at most 4,096 bytes of UTF-8.
    public let name: String
    /// The value if none is stored. Never returned while the store is not ready.
    public let defaultValue: Value
    @usableFromInline let hash: Int

    /// Creates a key.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
        hash = EntryTable.hash(name)
    }
}
