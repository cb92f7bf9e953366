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
            Array((try? Self.encoder.encode(ShownValue(value: self))) ?? Data())
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

/// A value in JSON. Types that JSON lacks become text.
private struct ShownValue: Encodable {
    let value: PropertyValue

    func encode(to encoder: any Encoder) throws {
        var shown = encoder.singleValueContainer()
        switch value {
        case .boolean(let value): try shown.encode(value)
        case .integer(let value): try shown.encode(value)
        case .real(let value): if value.isFinite { try shown.encode(value) } else { try shown.encode("\(value)") }
        case .date(let seconds): try shown.encode(PropertyValue.text(ofDate: seconds))
        case .data(let bytes): try shown.encode(Data(bytes).base64EncodedString())
        case .string(let text): try shown.encode(text)
        case .array(let items): try shown.encode(items.map(ShownValue.init))
        case .dictionary(let entries): try shown.encode(entries.mapValues(ShownValue.init))
        }
    }
}
