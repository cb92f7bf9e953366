// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A value of a property list, as in profiles, entitlements, Info.plist and Xcode projects.
public enum PropertyList: Sendable, Equatable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// A point in time, to the second.
    case date(Date)
    /// Bytes.
    case data([UInt8])
    /// Values in order.
    case array([PropertyList])
    /// Values by name. A duplicate name in a file is refused: two readers could take different values.
    case dictionary([String: PropertyList])
}

extension PropertyList {
    /// The text, or nil for any other type.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The number, or nil for any other type.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The truth value, or nil for any other type.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    /// The point in time, or nil for any other type.
    public var date: Date? { if case .date(let value) = self { value } else { nil } }
    /// The bytes, or nil for any other type.
    public var data: [UInt8]? { if case .data(let value) = self { value } else { nil } }
    /// The values in order, or nil for any other type.
    public var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
    /// The values by name, or nil for any other type.
    public var dictionary: [String: PropertyList]? { if case .dictionary(let value) = self { value } else { nil } }

    /// The texts of an array that contains only texts, or nil.
    public var strings: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}
