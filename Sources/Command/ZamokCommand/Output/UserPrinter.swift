// SPDX-License-Identifier: Apache-2.0

import AppUsers
import Readers

/// Users and the content of a backup, in the output for users and scripts.
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
        var lines = TransferPrinter.lines(backup.items, verb: "items \(verb)")
        lines += ["preferences \(verb): \(backup.preferences)", "files \(verb): \(backup.files)"]
        if backup.leftOut > 0 { lines.append("preferences and files left out: \(backup.leftOut)") }
        let elsewhere = backup.filesElsewhere
        if !elsewhere.isEmpty {
            let missing = elsewhere.count { $0.count == nil }
            lines.append(
                "files outside the user's home, not in the backup: \(elsewhere.reduce(0) { $0 + ($1.count ?? 0) }) in "
                    + "\(elsewhere.count) folders" + (missing > 0 ? ", \(missing) of which can't be looked into" : ""))
        }
        return lines
    }

    /// Prints the left-out preferences, files and folders on standard error.
    static func tellLeftOut(_ backup: UserBackup) throws {
        let unnamed = backup.leftOut - backup.leftOutReasons.count
        for reason in backup.leftOutReasons { try Channel.error.line("zamok: left out: \(reason)") }
        guard backup.leftOutReasons.count >= 100, unnamed > 0 else { return }
        try Channel.error.line("zamok: left out: \(unnamed) more")
    }

    /// The result as JSON. `user`: the user that a backup was restored to.
    static func json(_ backup: UserBackup, _ verb: String, user: AppUser? = nil) -> JSON {
        let whose: [(String, JSON)] =
            user.map { [("user", .text($0.name)), ("id", .text($0.id.description))] } ?? []
        let members: [(String, JSON)] = [
            ("items", TransferPrinter.json(backup.items, verb: verb)), ("preferences", .count(backup.preferences)),
            ("files", .count(backup.files)), ("leftOut", .count(backup.leftOut)),
            ("leftOutReasons", .array(backup.leftOutReasons.map { .text($0) })),
            (
                "filesElsewhere",
                .array(
                    backup.filesElsewhere.map { files in
                        .object([
                            ("folder", .text(files.folder)),
                            ("files", files.count.map { .count($0) } ?? .null),
                        ])
                    })
            ),
        ]
        return .object(whose + members)
    }
}
