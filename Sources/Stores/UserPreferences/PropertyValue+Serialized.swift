// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

extension PropertyValue {
    /// The value of a text of JSON; nil: it is none, has a null, or an integer from 2⁶³ on.
    package init?(json text: String) {
        let data = Data(JSONMarks.escaped(text))
        guard let read = try? JSONDecoder().decode(ReadValue.self, from: data) else { return nil }
        self = read.value
    }

    /// The bytes of a property list that has these values. Errors: those of `PropertyListEncoder`.
    static func propertyList(
        _ values: [String: PropertyValue], _ format: PropertyListSerialization.PropertyListFormat
    ) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return try encoder.encode(values.mapValues(WrittenValue.init))
    }
}

private struct ReadValue: Decodable {
    let value: PropertyValue

    init(from decoder: any Decoder) throws {
        let read = try decoder.singleValueContainer()
        if let value = try? read.decode(Bool.self) {
            self.value = .boolean(value)
        } else if let value = try? read.decode(Int64.self) {
            self.value = .integer(value)
        } else if (try? read.decode(UInt64.self)) != nil {
            throw DecodingError.dataCorruptedError(in: read, debugDescription: "the integer is too large")
        } else if let value = try? read.decode(Double.self) {
            self.value = .real(value)
        } else if let value = try? read.decode(String.self) {
            self.value = .string(value)
        } else if let items = try? read.decode([ReadValue].self) {
            self.value = .array(items.map(\.value))
        } else {
            self.value = .dictionary(try read.decode([String: ReadValue].self).mapValues(\.value))
        }
    }
}

private struct WrittenValue: Encodable {
    let value: PropertyValue

    func encode(to encoder: any Encoder) throws {
        var written = encoder.singleValueContainer()
        switch value {
        case .boolean(let value): try written.encode(value)
        case .integer(let value): try written.encode(value)
        case .real(let value): try written.encode(value)
        case .date(let seconds): try written.encode(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let bytes): try written.encode(Data(bytes))
        case .string(let text): try written.encode(text)
        case .array(let items): try written.encode(items.map(WrittenValue.init))
        case .dictionary(let entries): try written.encode(entries.mapValues(WrittenValue.init))
        }
    }
}
