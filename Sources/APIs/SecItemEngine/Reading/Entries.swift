// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import Readers
import SecItem
import SecurityTypes

/// The entries of a caller's dictionary, taken out once, so that nothing changes while they are read.
struct Entries {
    private(set) var values: [String: ReadValue] = [:]
    /// Whether a key is a number, which is an attribute that no class has.
    private(set) var hasNumericKey = false

    /// Well above the number of attributes of any class: a dictionary with more entries is refused unread.
    private static let limit = 512

    /// Errors: errSecParam when a key is neither text nor a number, or when there are far too many.
    init(_ dictionary: NSDictionary) throws(KeychainError) {
        guard dictionary.count <= Self.limit else {
            throw KeychainError(.parameter, "the dictionary has more entries than an item can have")
        }
        for (key, value) in Self.pairs(of: dictionary) {
            if let name = key as? NSString {
                values[name as String] = ReadValue(value)
            } else if key is NSNumber {
                hasNumericKey = true
            } else {
                throw KeychainError(.parameter, "a key of the dictionary is neither a string nor a number")
            }
        }
    }

    subscript(key: String) -> ReadValue? { values[key] }

    mutating func set(_ key: String, _ value: ReadValue) { values[key] = value }

    var count: Int { values.count + (hasNumericKey ? 1 : 0) }

    mutating func remove(_ key: String) { values[key] = nil }

    mutating func remove(where isRemoved: (String) -> Bool) { values = values.filter { !isRemoved($0.key) } }

    /// Foundation's own iterations of a dictionary convert every value deeply, and so never end on a container that
    /// contains itself. A mirror doesn't convert, and is faster.
    private static func pairs(of dictionary: NSDictionary) -> [(key: AnyObject, value: AnyObject)] {
        let mirrored = Mirror(reflecting: dictionary).children.compactMap { child in
            (child.value as? (key: NSObject, value: AnyObject)).map { (key: $0.key as AnyObject, value: $0.value) }
        }
        if mirrored.count == dictionary.count { return mirrored }
        var keys: [Any] = []
        var values: [Any] = []
        dictionary.getObjects(&values, andKeys: &keys, count: dictionary.count)
        return zip(keys, values).map { (key: $0 as AnyObject, value: $1 as AnyObject) }
    }
}

extension ReadValue {
    /// The value in the form that attributes accept.
    var given: GivenValue {
        switch self {
        case .text(let text): .text(text)
        case .data(let data): .data(data.byteArray)
        case .number(let number): .number(number)
        case .boolean(let boolean): .boolean(boolean)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .inexactNumber, .null, .array, .other: .unusable
        }
    }

    /// Like `given`, for a certificate's issuer: a Name in DER becomes its normalized content, other bytes
    /// are unchanged.
    var givenIssuer: GivenValue {
        guard case .data(let data) = self, let content = DistinguishedName.normalizedContent(of: data.byteArray) else {
            return given
        }
        return .data(content)
    }
}
#endif
