// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
package import Foundation

/// A value that a caller put into a dictionary, by kind. Every value has a kind; none traps.
package enum ReadValue {
    case text(String)
    /// The caller's own object: as `Data` the bytes, even those of a secret, would be copied once more.
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
    case other(CFTypeRef)

    /// Judged by the object's class, which is faster than trying to cast it.
    package init(_ object: CFTypeRef) {
        self =
            switch object {
            case let number as NSNumber: ReadValue(number: number)
            case let text as NSString: .text(text as String)
            case let data as NSData: .data(data)
            case let date as NSDate: .date(date as Date)
            case is NSNull: .null
            case let array as NSArray: .array(array)
            default: .other(object)
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

    /// True, or a number other than 0, as Apple's code reads a flag from outside.
    package var isTrue: Bool {
        switch self {
        case .boolean(let value): value
        case .number(let value): value != 0
        default: false
        }
    }
}
#endif
