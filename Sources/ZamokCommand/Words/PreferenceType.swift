// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import UserPreferences

/// The type of a preference, and how its values are written on the command line.
enum PreferenceType: String, ExpressibleByArgument, CaseIterable {
    case string, int, real, bool
    /// ISO 8601.
    case date
    /// Base64.
    case data
    /// An array or a dictionary, and whatever else JSON can say.
    case json

    init(of value: PropertyValue) {
        switch value {
        case .string: self = .string
        case .integer: self = .int
        case .real: self = .real
        case .boolean: self = .bool
        case .date: self = .date
        case .data: self = .data
        case .array, .dictionary: self = .json
        }
    }

    /// nil: the text is no such value.
    func value(_ text: String) -> PropertyValue? {
        switch self {
        case .string: .string(text)
        case .int: Int64(text).map { .integer($0) }
        case .real: Double(text).map { .real($0) }
        case .bool:
            ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false][text.lowercased()].map {
                .boolean($0)
            }
        case .date: (try? Date(text, strategy: .iso8601)).map { .date($0.timeIntervalSinceReferenceDate) }
        case .data: Data(base64Encoded: text).map { .data(Array($0)) }
        case .json:
            (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
                .flatMap { PropertyValue(propertyList: $0) }
        }
    }
}
