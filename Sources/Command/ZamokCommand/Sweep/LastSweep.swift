// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// When the home was last swept, and what was found: a line in the user's state folder, for `zamok doctor`.
struct LastSweep {
    let date: Date
    let findings: Int
    /// The files that were changed since by `--move` or `--undo`.
    var changes = 0

    private static var path: String? {
        let state = Environment.value("XDG_STATE_HOME").flatMap { $0.isEmpty ? nil : $0 }
        return (state ?? Environment.value("HOME").map { "\($0)/.local/state" }).map { "\($0)/zamok/last-sweep" }
    }

    /// Nil: it was never swept.
    static func read() -> LastSweep? {
        guard let path, let data = FileManager.default.contents(atPath: path), data.count < 100 else { return nil }
        let words = String(decoding: data, as: UTF8.self).split(separator: " ").map { Int($0.filter(\.isNumber)) }
        guard [2, 3].contains(words.count), let seconds = words[0], let findings = words[1] else { return nil }
        return LastSweep(
            date: Date(timeIntervalSince1970: Double(seconds)), findings: findings,
            changes: words.dropFirst(2).first.flatMap(\.self) ?? 0)
    }

    /// Notes that a file was changed since.
    static func noteChange() {
        guard var last = read() else { return }
        last.changes += 1
        last.write()
    }

    /// Failures change nothing: the report was printed.
    func write() {
        guard let path = Self.path else { return }
        let folder = PathText(path).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let text = "\(Int(date.timeIntervalSince1970)) \(findings)\(changes > 0 ? " \(changes)" : "")\n"
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// One line for `zamok doctor`.
    var text: String {
        let days = max(0, Int(Date().timeIntervalSince(date) / 86_400))
        let since = changes == 0 ? "" : "; \(changes) \(changes == 1 ? "file was" : "files were") moved or undone since"
        return
            "the last zamok sweep, \(days == 0 ? "today" : "\(days) days ago"), found \(findings) secrets in clear\(since)"
    }
}
