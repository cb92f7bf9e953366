// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// Keys of before passcode changes: how many there are, and who needs them.
enum RetiredKeysPrinter {
    /// "12, needed by keychain 3; 5 kept for files: ..."; nil where there are none. `looked`: files were asked.
    static func text(_ keys: RetiredKeys, looked: Bool = false) -> String? {
        guard keys.left > 0 else { return nil }
        let needs = keys.needs.map { need in
            need.keys.map { "\(need.store) \($0)" } ?? "\(need.store) may need all: \(need.reason ?? "it can't say")"
        }
        var parts = needs.isEmpty ? [] : ["needed by " + needs.joined(separator: "; ")]
        if keys.ofFiles > 0, !looked { parts.append("\(keys.ofFiles) kept for files: \(remedy)") }
        return "\(keys.left), " + (parts.isEmpty ? "needed by nobody" : parts.joined(separator: "; "))
    }

    private static let remedy =
        "zamok files rewrap DIRS..., with every folder that such files were copied or moved to, then zamok doctor --remove-retired-keys"

    /// For the examination; with a removal what it did.
    static func lines(_ keys: RetiredKeys, removing: Bool) -> [String] {
        let done = removing ? ["retired keys removed: \(keys.removed)"] : []
        return done + (text(keys, looked: removing).map { ["retired keys: \($0.printable)"] } ?? [])
    }

    static func json(_ keys: RetiredKeys) -> JSON {
        .object([
            ("removed", .number(Int64(keys.removed))),
            ("left", .number(Int64(keys.left))),
            ("keptForFiles", .number(Int64(keys.ofFiles))),
            (
                "needs",
                .array(
                    keys.needs.map { need in
                        .object([
                            ("store", .text(need.store)), ("keys", need.keys.map { .number(Int64($0)) } ?? .null),
                            ("reason", need.reason.map { .text($0) } ?? .null),
                        ])
                    })
            ),
        ])
    }
}
