// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// Keys of before passcode changes: how many there are, and who needs them.
enum RetiredKeysPrinter {
    /// "12 (keychain 3, files may need all: ...)"; nil where there are none.
    static func text(_ keys: RetiredKeys) -> String? {
        guard keys.left > 0 else { return nil }
        let needs = keys.needs.map { need in
            need.keys.map { "\(need.store) \($0)" } ?? "\(need.store) may need all: \(need.reason ?? "it can't say")"
        }
        return "\(keys.left), needed by " + (needs.isEmpty ? "nobody" : needs.joined(separator: "; "))
    }

    /// For the examination; with a removal what it did.
    static func lines(_ keys: RetiredKeys, removing: Bool) -> [String] {
        let done = removing ? ["retired keys removed: \(keys.removed)"] : []
        return done + (text(keys).map { ["retired keys: \($0.printable)"] } ?? [])
    }

    static func json(_ keys: RetiredKeys) -> JSON {
        .object([
            ("removed", .number(Int64(keys.removed))),
            ("left", .number(Int64(keys.left))),
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
