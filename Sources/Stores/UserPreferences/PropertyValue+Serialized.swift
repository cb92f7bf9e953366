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
        // The encoder writes dates of XML from before 1582 by the Julian calendar, and readers take the Gregorian one.
        guard format != .xml else { return Data(XMLText(values).text.utf8) }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
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

/// A property list in XML, as Apple's DTD has it.
private struct XMLText {
    private(set) var text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    init(_ values: [String: PropertyValue]) {
        add(.dictionary(values), depth: 0)
        text += "</plist>\n"
    }

    private mutating func add(_ value: PropertyValue, depth: Int) {
        let indent = String(repeating: "\t", count: depth)
        switch value {
        case .boolean(let value): text += "\(indent)<\(value)/>\n"
        case .integer(let value): text += "\(indent)<integer>\(value)</integer>\n"
        case .real(let value): text += "\(indent)<real>\(Self.number(value))</real>\n"
        case .date(let seconds): text += "\(indent)<date>\(Self.date(seconds))</date>\n"
        case .string(let value): text += "\(indent)<string>\(Self.escaped(value))</string>\n"
        case .data(let bytes):
            text += "\(indent)<data>\n\(indent)\(Data(bytes).base64EncodedString())\n\(indent)</data>\n"
        case .array(let items):
            if items.isEmpty { text += "\(indent)<array/>\n" }
            for (index, item) in items.enumerated() {
                if index == 0 { text += "\(indent)<array>\n" }
                add(item, depth: depth + 1)
                if index == items.count - 1 { text += "\(indent)</array>\n" }
            }
        case .dictionary(let entries):
            if entries.isEmpty { text += "\(indent)<dict/>\n" } else { text += "\(indent)<dict>\n" }
            for (key, item) in entries.sorted(by: { $0.key < $1.key }) {
                text += "\(indent)\t<key>\(Self.escaped(key))</key>\n"
                add(item, depth: depth + 1)
            }
            if !entries.isEmpty { text += "\(indent)</dict>\n" }
        }
    }

    private static func number(_ value: Double) -> String {
        value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-infinity" : "+infinity") : "\(value)"
    }

    /// `2026-05-05T11:32:52Z`. The years 0 to 9999 are what preferences may have.
    private static func date(_ seconds: Double) -> String {
        let digits = Array(CalendarTime.digits(of: seconds) ?? "20010101000000Z")
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
