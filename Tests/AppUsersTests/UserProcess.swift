// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import UserPreferences

@testable import AppUsers

/// A worker that obeys, and a home that it works on.
struct UserProcess {
    let child: Child

    init(_ home: String, environment: [String: String] = [:], through launcher: [String] = []) throws {
        let worker = try Tool.worker.path
        let words = launcher + [worker, "users", "obey", home]
        child = try Child(words[0], Array(words.dropFirst()), environment: environment)
    }

    func ask(_ words: String...) throws -> String {
        try child.send("\(words.joined(separator: "\t"))\n".utf8)
        return try child.line()
    }

    /// Sends what may be its last command; nil: it was killed before it could answer.
    func last(_ words: String...) throws -> String? { try last(words) }

    func last(_ words: [String]) throws -> String? {
        do {
            try child.send("\(words.joined(separator: "\t"))\n".utf8)
            return try child.line()
        } catch is Child.Failure {
            return nil
        }
    }

    func killed() throws {
        child.kill(SIGKILL)
        _ = try child.rest()
    }
}

/// A home with the users Anna and Bob, Anna being current, made once and copied for each run.
final class PreparedHome: Sendable {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let home = try Self.make(in: folder.path("home"))
        // A process keeps to the user that it found: one process for each.
        for name in ["Bob", "Anna"] {
            let own = try UserProcess(home)
            _ = try own.ask("switch", name)
            _ = try own.ask("batch", "1", "left", "right")
            _ = try own.child.finish()
        }
    }

    private static func make(in path: String) throws -> String {
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: path)))
        for name in ["Anna", "Bob"] { try directory.add(name) }
        return path
    }

    func copy(to folder: TemporaryFolder) throws -> String {
        try FileManager.default.copyItem(atPath: self.folder.path("home"), toPath: folder.path("home"))
        return folder.path("home")
    }
}

/// What a home holds when no process works on it.
struct FoundState: Hashable {
    var current: String?
    var left: [String: Int] = [:]

    /// Throws if a store does not open; a batch that is there by half gives -1.
    init(_ path: String) throws {
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: path)))
        current = try directory.recorded()?.name
        for user in try directory.users() {
            let preferences = try Preferences(home: try directory.home(of: user))
            let values = try ["left", "right"].map { try preferences.integer(forKey: $0) }
            left[user.name] = values[0] == values[1] ? values[0] : -1
        }
    }

    init(_ current: String, anna: Int, bob: Int) {
        self.current = current
        left = ["Anna": anna, "Bob": bob]
    }
}
