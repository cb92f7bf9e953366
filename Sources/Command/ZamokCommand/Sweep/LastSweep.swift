// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// When the home was last swept, and what was found: a line in the user's state folder, for `zamok doctor`.
struct LastSweep {
    let date: Date
    let findings: Int

    private static var path: String? {
        let state = Environment.value("XDG_STATE_HOME").flatMap { $0.isEmpty ? nil : $0 }
        return (state ?? Environment.value("HOME").map { "\($0)/.local/state" }).map { "\($0)/zamok/last-sweep" }
    }

    /// Nil: it was never swept.
    static func read() -> LastSweep? {
        guard let path, let data = FileManager.default.contents(atPath: path), data.count < 100 else { return nil }
        let words = String(decoding: data, as: UTF8.self).split(separator: " ").map { Int($0.filter(\.isNumber)) }
        guard words.count == 2, let seconds = words[0], let findings = words[1] else { return nil }
        return LastSweep(date: Date(timeIntervalSince1970: Double(seconds)), findings: findings)
    }

    /// Failures change nothing: the report was printed.
    func write() {
        guard let path = Self.path else { return }
        let folder = PathText(path).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let text = "\(Int(date.timeIntervalSince1970)) \(findings)\n"
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// One line for `zamok doctor`.
    var text: String {
        let days = max(0, Int(Date().timeIntervalSince(date) / 86_400))
        return "the last zamok sweep, \(days == 0 ? "today" : "\(days) days ago"), found \(findings) secrets in clear"
    }
}
