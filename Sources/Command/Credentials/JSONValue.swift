// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// A value of JSON. `JSONSerialization` has none, and on Linux brings all of Foundation (Decision 0073).
package enum JSONValue: Codable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// From 2⁶³ on.
    case unsigned(UInt64)
    case real(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads a JSON text. Nil: it is none.
    package init?(json bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = value
    }

    /// The value as a JSON text, its names sorted. `isForPeople`: in lines, with plain slashes.
    package func json(isForPeople: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = isForPeople ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : .sortedKeys
        return [UInt8](try encoder.encode(self))
    }

    /// The text of a text; nil for other values.
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The members of an object; nil for other values.
    package var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    /// The items of an array; nil for other values.
    package var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(UInt64.self) {
            self = .unsigned(number)
        } else if let number = try? value.decode(Double.self) {
            self = .real(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let items = try? value.decode([JSONValue].self) {
            self = .array(items)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .boolean(let boolean): try value.encode(boolean)
        case .integer(let number): try value.encode(number)
        case .unsigned(let number): try value.encode(number)
        case .real(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .array(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// As it is told to a person.
    package var description: String {
        switch self {
        case .null: "null"
        case .boolean(let boolean): "\(boolean)"
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .array(let items): "\(items)"
        case .object(let members): "\(members)"
        }
    }
}
