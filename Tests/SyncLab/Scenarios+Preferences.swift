// SPDX-License-Identifier: Apache-2.0

import SyncLog
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Scenarios {
    /// The values of preferences, written out byte by byte from Preferences.md; those that are refused; and edits of
    /// one by two homes.
    static func preferences() throws -> String {
        var log = try VectorLog("Preferences: every type, what is refused, a conflict and a deletion.", founder: "a")
        try log.append(log.writer("a").addition(of: log.make("b").record))
        let text = { (text: String) -> [UInt8] in [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8) }
        let good: [(String, [UInt8], String)] = [
            ("no", [0], "false"), ("yes", [1], "true"),
            ("integer", [2] + [UInt8](repeating: 255, count: 8), "-1"),
            ("real", [3, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], "1.5"),
            ("date", [4] + [UInt8](repeating: 0, count: 8), "2001-01-01T00:00:00Z"),
            ("data", [5, 0, 0, 0, 2, 0x00, 0xFF], "\u{0}\u{FF}"), ("string", [6] + text("h\u{FC}\n"), "h\u{FC}\n"),
            ("array", [7, 0, 0, 0, 2, 1, 6] + text("x"), #"[true,"x"]"#),
            (
                "dictionary", [8, 0, 0, 0, 2] + text("a") + [0] + text("b") + [2, 0, 0, 0, 0, 0, 0, 0, 9],
                #"{"a":false,"b":9}"#
            ),
        ]
        let bad: [(String, [UInt8])] = [
            ("nothing", []), ("type", [9]), ("behind", [1, 0]), ("cut", [2, 0]), ("text", [6, 0, 0, 0, 1, 0xFF]),
            ("order", [8, 0, 0, 0, 2] + text("b") + [0] + text("a") + [0]),
            ("twice", [8, 0, 0, 0, 2] + text("a") + [0] + text("a") + [0]),
            ("never", [4, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]),
            ("deep", [UInt8]((0..<64).flatMap { _ in [7, 0, 0, 0, 1] as [UInt8] } + [0])),
        ]
        var edits = good.map { preference($0.0, time: 10, Context(), [1] + $0.1) }
        edits += bad.map { preference($0.0, time: 10, Context(), [1] + $0.1) }
        edits.append(preference("version", time: 10, Context(), [2, 1]))
        try log.append(log.writer("a").edits(edits))
        try log.append(
            log.writer("b").edits([
                preference("yes", time: 12, Context(), [1, 0]), preference("integer", time: 9, Context(), [1, 0]),
                edit(
                    "\u{10}no", .completeUntilFirstUserAuthentication, time: 11,
                    log.replica("b").context(of: Array("\u{10}no".utf8)), .delete),
            ]))
        for device in ["a", "b"] {
            try log.view(device, TravellingClass.allCases)
            for (name, value, shown) in good {
                let bytes = name == "data" ? Array(value.dropFirst(5)) : Array(shown.utf8)
                let said = name == "no" ? "absent" : name == "yes" ? Array("false".utf8).hexadecimal : bytes.hexadecimal
                log.note("preference \(device) \(name) \(said)")
            }
            for name in bad.map(\.0) + ["version"] { log.note("preference \(device) \(name) refused") }
        }
        return log.text
    }

    private static func preference(
        _ name: String, time: UInt64, _ context: Context, _ value: [UInt8]
    ) -> NewOperation {
        edit("\u{10}\(name)", .completeUntilFirstUserAuthentication, time: time, context, .put(value: value, from: nil))
    }
}
