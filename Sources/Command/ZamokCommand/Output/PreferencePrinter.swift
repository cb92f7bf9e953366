// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import UserPreferences

/// Preferences in the output for users and scripts.
enum PreferencePrinter {
    /// The value on one line; arrays and dictionaries as JSON.
    static func text(_ value: PropertyValue) -> String {
        switch value {
        case .string(let text): text
        case .array, .dictionary: json(value).line
        default:
            if case .text(let text) = json(value) { text } else { json(value).line }
        }
    }

    static func json(_ value: PropertyValue) -> JSON {
        switch value {
        case .boolean(let value): .bool(value)
        case .integer(let value): .number(value)
        case .real(let value): .real(value)
        case .date(let seconds): .text(PropertyValue.text(ofDate: seconds))
        case .data(let bytes): .text(Data(bytes).base64EncodedString())
        case .string(let text): .text(text)
        case .array(let items): .array(items.map(json))
        case .dictionary(let entries): .object(entries.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
        }
    }

    static func json(_ name: String, _ value: PropertyValue) -> JSON {
        .object([
            ("key", .text(name)), ("type", .text(PreferenceType(of: value).rawValue)), ("value", json(value)),
        ])
    }

    static func row(_ name: String, _ value: PropertyValue) -> [String] {
        [name.printable, PreferenceType(of: value).rawValue, text(value).printable]
    }

    static func lines(_ done: PreferencesImport) -> [String] {
        var lines = ["imported: \(done.imported.count)"]
        if !done.kept.isEmpty { lines.append("kept as they were: \(done.kept.count)") }
        return lines
            + done.rejected.map { "left out: \($0.key.isEmpty ? "\"\"" : $0.key.printable), \($0.reason.printable)" }
    }

    static func json(_ done: PreferencesImport) -> JSON {
        .object([
            ("imported", .texts(done.imported)), ("kept", .texts(done.kept)),
            (
                "leftOut",
                .array(
                    done.rejected.map {
                        .known([
                            ("key", .text($0.key)), ("class", $0.className.map { .text($0) }),
                            ("reason", $0.className == nil ? .text($0.reason) : nil),
                        ])
                    })
            ),
        ])
    }
}
