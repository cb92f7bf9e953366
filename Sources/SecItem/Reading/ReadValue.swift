// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation

/// What a caller put into a dictionary, told apart by kind. Every value has one; none traps.
enum ReadValue {
    case text(String)
    /// The caller's own object: as `Data` the bytes, of a secret too, would be copied once more.
    case data(NSData)
    /// A whole number of 64 bits.
    case number(Int64)
    /// A number that is not one: a fraction, an infinity, or too large.
    case inexactNumber
    case boolean(Bool)
    case date(Date)
    case null
    /// Its elements are looked at only where one is asked for: an array may contain itself.
    case array(NSArray)
    case other(Any)

    init(_ value: Any) {
        if let number = value as? NSNumber {
            self = ReadValue(number: number)
        } else if let text = value as? String {
            self = .text(text)
        } else if let data = value as? NSData {
            self = .data(data)
        } else if let date = value as? Date {
            self = .date(date)
        } else if value is NSNull {
            self = .null
        } else if let array = value as? NSArray {
            self = .array(array)
        } else {
            self = .other(value)
        }
    }

    private init(number: NSNumber) {
        // Booleans are the one kind of number with a class of its own.
        if type(of: number) == type(of: Self.someBoolean) {
            self = .boolean(number.boolValue)
        } else if let whole = Int64(exactly: number) {
            self = .number(whole)
        } else {
            self = .inexactNumber
        }
    }

    private static let someBoolean = NSNumber(value: true)

    /// True, or a number other than 0; what Apple's code takes a flag from outside for.
    var isTrue: Bool {
        switch self {
        case .boolean(let value): value
        case .number(let value): value != 0
        default: false
        }
    }
}
#endif
