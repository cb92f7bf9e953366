// SPDX-License-Identifier: Apache-2.0

import AppUsers

/// Users, and what a backup held, as people and as scripts read them.
enum UserPrinter {
    static func row(_ user: AppUser, isCurrent: Bool) -> [String] {
        [isCurrent ? "*" : "", user.name.printable, user.id.description, user.isGuest ? "guest" : ""]
    }

    static func json(_ user: AppUser, isCurrent: Bool) -> JSON {
        .object([
            ("name", .text(user.name)), ("id", .text(user.id.description)), ("guest", .bool(user.isGuest)),
            ("current", .bool(isCurrent)),
        ])
    }

    static func lines(_ backup: UserBackup, _ verb: String) -> [String] {
        var lines = TransferPrinter.lines(backup.items, "items \(verb)")
        lines += ["preferences \(verb): \(backup.preferences)", "files \(verb): \(backup.files)"]
        if backup.leftOut > 0 { lines.append("preferences and files left out: \(backup.leftOut)") }
        return lines
    }

    static func json(_ backup: UserBackup, _ verb: String) -> JSON {
        .object([
            ("items", TransferPrinter.json(backup.items, verb)), ("preferences", .number(Int64(backup.preferences))),
            ("files", .number(Int64(backup.files))), ("leftOut", .number(Int64(backup.leftOut))),
        ])
    }
}
