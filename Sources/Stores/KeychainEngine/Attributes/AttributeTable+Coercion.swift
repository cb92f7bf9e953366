// SPDX-License-Identifier: Apache-2.0

import Readers

/// A value as an app gives it, before the attribute's kind is known.
package enum GivenValue: Sendable, Equatable {
    case text(String)
    case data([UInt8])
    case number(Int64)
    case boolean(Bool)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    /// NULL, or a type that no attribute accepts.
    case unusable
}

extension AttributeTable {
    /// Converts a given value to the attribute's type.
    /// Errors: `.noSuchAttribute`, `.missingEntitlement` (for Apple's own programs), `.parameter`.
    package func coerce(_ given: GivenValue, for name: AttributeName) throws(KeychainError) -> AttributeValue {
        guard let attribute = self[name] else {
            throw KeychainError(.noSuchAttribute, "items of class \(itemClass.rawValue) have no attribute of this name")
        }
        if attribute.traits.contains(.restricted) {
            throw KeychainError(.missingEntitlement, "the attribute \(name.text) needs an entitlement of the system")
        }
        guard let value = attribute.kind.coerce(given) else {
            throw KeychainError(.parameter, "the attribute \(name.text) does not take a value of this kind")
        }
        return value
    }
}

extension AttributeTable {
    /// Refuses values that no coercion yields: an attribute that the class does not have, or a value of another kind.
    package func check(_ attributes: Attributes) throws(KeychainError) {
        for (name, value) in attributes where try coerce(GivenValue(value), for: name) != value {
            throw KeychainError(.parameter, "the attribute \(name.text) does not take a value of this kind")
        }
    }
}

extension GivenValue {
    fileprivate init(_ value: AttributeValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .data(let bytes): self = .data(bytes)
        case .number(let number): self = .number(number)
        case .date(let seconds): self = .date(seconds)
        }
    }
}

extension Attribute.Kind {
    func coerce(_ given: GivenValue) -> AttributeValue? {
        switch self {
        case .blob: Self.blob(given)
        case .data, .accessControl: Self.data(given)
        case .number, .synchronizable, .tombstone: Self.number(given)
        case .string: Self.string(given)
        case .accessible: Self.accessible(given)
        case .date: Self.date(given)
        case .uuid: Self.uuid(given)
        }
    }

    private static func blob(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .text(let text): .text(text)
        case .data(let bytes): .data(bytes)
        case .number(let number): .number(number)
        case .boolean, .date, .unusable: nil
        }
    }

    private static func data(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .data(let bytes): .data(bytes)
        case .text(let text): .data(Array(text.utf8))
        case .number(let number): .data(littleEndianBytes(of: number))
        case .boolean, .date, .unusable: nil
        }
    }

    private static func number(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .number(let number): .number(number)
        case .boolean(let boolean): .number(boolean ? 1 : 0)
        // Exactly the decimal form: "443" becomes a number, "+443" and "0443" remain text.
        case .text(let text): Int32(text).flatMap { String($0) == text ? .number(Int64($0)) : nil } ?? .text(text)
        case .data, .date, .unusable: nil
        }
    }

    private static func string(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .text(let text): .text(text)
        case .data(let bytes): String(validUTF8: bytes).map { .text($0) }
        case .number, .boolean, .date, .unusable: nil
        }
    }

    private static func accessible(_ given: GivenValue) -> AttributeValue? {
        guard case .text(let text) = string(given), Accessibility(rawValue: text) != nil else { return nil }
        return .text(text)
    }

    private static func date(_ given: GivenValue) -> AttributeValue? {
        guard case .date(let seconds) = given, CalendarTime.seconds.contains(seconds) else { return nil }
        return .date(seconds)
    }

    private static func uuid(_ given: GivenValue) -> AttributeValue? {
        guard case .data(let bytes) = given, bytes.isEmpty || bytes.count == 16 else { return nil }
        return .data(bytes)
    }
}

/// 4 bytes where they suffice, otherwise 8.
func littleEndianBytes(of number: Int64) -> [UInt8] {
    let count = Int32(exactly: number) == nil ? 8 : 4
    return (0..<count).map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
}
