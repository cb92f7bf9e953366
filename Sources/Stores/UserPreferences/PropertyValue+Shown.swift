// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PropertyValue {
    /// The value for display: text and data unchanged, lists as JSON, dates in ISO 8601.
    package var shownBytes: [UInt8] {
        switch self {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .boolean(let value): Array("\(value)".utf8)
        case .integer(let value): Array("\(value)".utf8)
        case .real(let value): Array("\(value)".utf8)
        case .date(let seconds): Array(Self.text(ofDate: seconds).utf8)
        case .array, .dictionary:
            Array((try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys])) ?? Data())
        }
    }

    /// Types that JSON lacks become text.
    private var json: Any {
        switch self {
        case .boolean(let value): value
        case .integer(let value): value
        case .real(let value): value.isFinite ? value : "\(value)"
        case .date(let seconds): Self.text(ofDate: seconds)
        case .data(let bytes): Data(bytes).base64EncodedString()
        case .string(let text): text
        case .array(let items): items.map(\.json)
        case .dictionary(let entries): entries.mapValues(\.json)
        }
    }
}
