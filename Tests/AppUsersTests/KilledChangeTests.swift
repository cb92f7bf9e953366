// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

/// The process is killed at each call, and at random moments, while users are added, removed, renamed, adopted, backed
/// up and restored. `ZAMOK_KILLS` says how often.
@Suite("Changes of users, when the process is killed", .serialized, .ahead)
struct KilledChangeTests {
    /// What a worker is told.
    struct Change: Sendable, CustomTestStringConvertible {
        let words: [String]
        var testDescription: String { words.joined(separator: " ") }
    }

    static let changes = [
        Change(words: ["add", "Carl"]), Change(words: ["remove", "Bob"]), Change(words: ["rename", "Bob", "Robert"]),
        Change(words: ["backup", "Anna", "FOLDER/new.zamok"]), Change(words: ["restore", "FOLDER/anna.zamok", "Dora"]),
        Change(words: ["adopt", "Anna"]),
    ]

    let prepared: TemporaryFolder
    private let passphrase: Secret

    init() async throws {
        prepared = try TemporaryFolder()
        passphrase = try Secret("a long passphrase")
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: prepared.path("home"))))
        for name in ["Anna", "Bob"] {
            let user = try directory.add(name)
            try Preferences(home: try directory.home(of: user)).set(name, forKey: "name")
        }
        let anna = try directory.user(named: "Anna")
        _ = try await directory.backUp(anna, to: prepared.path("anna.zamok"), passphrase: passphrase)
    }

    /// A home before the change, in a folder of its own.
    private func copy(for change: Change) throws -> TemporaryFolder {
        let target = try TemporaryFolder()
        for name in ["home", "anna.zamok"] {
            try FileManager.default.copyItem(atPath: prepared.path(name), toPath: target.path(name))
        }
        // An adopted user is in no list before.
        if change.words[0] == "adopt" { try FileManager.default.removeItem(atPath: target.path("home/directory")) }
        return target
    }

    private func words(_ change: Change, in target: TemporaryFolder) -> [String] {
        change.words.map { $0.replacingOccurrences(of: "FOLDER", with: target.path) }
    }

    /// A user from before is complete, or was to be removed and is gone without a trace. A new user is complete, or is
    /// not there.
    private func check(_ change: Change, _ target: TemporaryFolder, isDone: Bool, _ comment: Comment) async throws {
        let path = target.path("home")
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: path)))
        let isLost = change.words[0] == "adopt"
        if isLost {
            for user in try directory.unlisted() {
                let home = try directory.root.home(ofUser: user.unique, making: false)
                let name = try #require(try Preferences(home: home).string(forKey: "name"))
                try directory.adopt(user, as: name)
            }
        }
        let users = try directory.users()
        for user in users {
            let name = try Preferences(home: try directory.home(of: user)).string(forKey: "name")
            let isNew = user.name == "Carl"
            #expect(name == (isNew ? nil : ["Robert": "Bob", "Dora": "Anna"][user.name] ?? user.name), comment)
        }
        let names = Set(users.map(\.name))
        #expect(names.contains("Anna"), comment)
        switch change.words[0] {
        case "remove": #expect(names == (isDone ? ["Anna"] : names) && names.isSubset(of: ["Anna", "Bob"]), comment)
        case "rename": #expect(names == ["Anna", "Robert"] || (!isDone && names == ["Anna", "Bob"]), comment)
        case "add": #expect(names == ["Anna", "Bob", "Carl"] || (!isDone && names == ["Anna", "Bob"]), comment)
        case "restore": #expect(names == ["Anna", "Bob", "Dora"] || (!isDone && names == ["Anna", "Bob"]), comment)
        default: #expect(names == ["Anna", "Bob"], comment)
        }
        // What was begun is brought to its end by the next change.
        try directory.rename(try directory.user(named: "Anna"), to: "Anna")
        #expect(try directory.marks.all().isEmpty && directory.unlisted().isEmpty, comment)
        for part in ["users", "epochs"] {
            let found = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(part)")
            #expect(Set(found) == Set(users.map(\.id.description)), comment)
        }
        if change.words[0] == "backup" {
            let written = target.path("new.zamok")
            #expect(!isDone || FileManager.default.fileExists(atPath: written), comment)
            guard FileManager.default.fileExists(atPath: written) else { return }
            let restored = try await directory.restore(from: written, passphrase: passphrase, name: "Again")
            #expect(restored.backup.preferences == 1 && restored.backup.isWhole, comment)
        }
    }

    // Rule: what was never finished of a user goes with the user | `epochs/UUID.new` stays | 3 cases
    @Test(arguments: changes) func `killed at each call that changes a file, no user is lost`(
        change: Change
    ) async throws {
        let trial = try copy(for: change)
        let outside = try TemporaryFolder()
        let log = outside.url.appendingPathComponent("log")
        let process = try UserProcess(
            trial.path("home"), environment: try FaultInjector(folder: trial.url).environment(log: log))
        #expect(try process.last(words(change, in: trial)) == "ok")
        try process.killed()
        let calls = try WriteLog(contentsOf: log).calls
        #expect(calls > 3)
        let isLong = ProcessInfo.processInfo.environment["ZAMOK_LONG"] != nil
        for call in stride(from: 1, through: calls, by: isLong ? 1 : max(1, calls / 12)) {
            let target = try copy(for: change)
            let faults = try FaultInjector(folder: target.url).environment(kill: .after(call))
            let process = try UserProcess(target.path("home"), environment: faults)
            let isDone = try process.last(words(change, in: target)) == "ok"
            try process.killed()
            try await check(change, target, isDone: isDone, "\(change), killed after call \(call)")
        }
    }

    // Rule: no user that a list named is removed for the mark of an addition | the mark says "adding" until the list is
    //   written | 3 cases
    /// A user that a list ever named may hold data, from the moment at which its home is complete. That is so in every
    /// state of the list and of the process that added the user.
    @Test(arguments: ["missing", "older", "missing, with all others"])
    func `killed at each call of an addition, no user that the list named is lost with the list`(
        list: String
    ) async throws {
        let change = Self.changes[0]
        func site() throws -> TemporaryFolder {
            let site = try copy(for: change)
            if list == "missing, with all others" {
                try FileManager.default.removeItem(atPath: site.path("home"))
                _ = try Home(TemporaryHome.configuration(of: site.path("home")))
            }
            return site
        }
        let trial = try site()
        let outside = try TemporaryFolder()
        let log = outside.url.appendingPathComponent("log")
        let environment = try FaultInjector(folder: trial.url).environment(log: log)
        #expect(try UserProcess(trial.path("home"), environment: environment).last(change.words) == "ok")
        let calls = try WriteLog(contentsOf: log).calls
        var named = 0
        for call in (calls - 14)...calls {
            let target = try site()
            let older = FileManager.default.contents(atPath: target.path("home/directory"))
            let faults = try FaultInjector(folder: target.url).environment(kill: .before(call))
            let process = try UserProcess(target.path("home"), environment: faults)
            #expect(try process.last(change.words) == nil)
            try process.killed()
            let root = try Home(TemporaryHome.configuration(of: target.path("home")))
            guard let user = try DirectoryFile(root: root).read()?.users.last, user.name == "Carl" else { continue }
            named += 1
            try Preferences(home: try root.home(ofUser: user.id.unique, making: false)).set("data", forKey: "name")
            if list == "older" {
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: target.path("home/directory")))
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: try #require(older))
            } else {
                try FileManager.default.removeItem(atPath: target.path("home/directory"))
            }
            let directory = try UserDirectory(root: root)
            // Refused where the list is missed.
            _ = try? directory.add("Dora")
            let comment: Comment = "\(list), killed before call \(call)"
            #expect(throws: Never.self, comment) {
                let home = try directory.root.home(ofUser: user.id.unique, making: false)
                #expect(try Preferences(home: home).string(forKey: "name") == "data", comment)
            }
            for (number, other) in try directory.unlisted().enumerated() {
                try directory.adopt(other, as: "Found \(number)")
            }
            #expect(try directory.users().contains { $0.id == user.id }, comment)
        }
        #expect(named > 1)
    }

    @Test func `killed at a random moment, no user is lost`() async throws {
        var kills = RandomKills("users", bounded: 12, long: 300)
        var times: [Duration] = []
        for change in Self.changes {
            let target = try copy(for: change)
            let process = try UserProcess(target.path("home"))
            _ = try process.ask("users")
            let begin = ContinuousClock.now
            #expect(try process.last(words(change, in: target)) == "ok", "\(change)")
            times.append(ContinuousClock.now - begin)
            try await check(change, target, isDone: true, "\(change)")
        }
        for number in 0..<kills.count {
            let change = Self.changes[number % Self.changes.count]
            let target = try copy(for: change)
            let process = try UserProcess(target.path("home"))
            _ = try process.ask("users")
            let said = try kills.strike(
                process.child, [words(change, in: target).joined(separator: "\t")],
                within: times[number % times.count] * 1.1)
            #expect(said.isEmpty || said == ["ok"], "\(said)")
            try await check(change, target, isDone: said == ["ok"], "\(change), kill \(number)")
        }
        kills.report()
        #expect(kills.hitSomething)
    }
}
