// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

/// The way from a guest to Anna, and the removal of the current user. The process is killed at each call that changes a
/// file.
@Suite("Leaving and removing a user, when the process is killed", .serialized, .ahead)
struct KilledGuestTests {
    let folder: TemporaryFolder
    private let home: String

    init() throws {
        folder = try TemporaryFolder()
        home = folder.path("prepared")
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: home)))
        try directory.add("Anna")
        let guest = try directory.add("Guest", isGuest: true)
        try Preferences(home: try directory.home(of: guest)).set(1, forKey: "left")
        try directory.root.recordUser(guest.id.unique)
    }

    private func copy(to target: TemporaryFolder) throws -> String {
        try FileManager.default.copyItem(atPath: home, toPath: target.path("home"))
        return target.path("home")
    }

    /// The commands of the worker, and the current user afterwards.
    struct Going: Sendable {
        let words: [String]
        let next: String?
        static let all = [
            Going(words: ["switch", "Anna"], next: "Anna"), Going(words: ["remove", "Guest"], next: nil),
        ]
    }

    private func calls(_ going: Going) throws -> Int {
        let target = try TemporaryFolder()
        let log = folder.url.appendingPathComponent("log")
        let faults = try FaultInjector(folder: target.url).environment(log: log)
        let process = try UserProcess(try copy(to: target), environment: faults)
        #expect(try process.ask(going.words[0], going.words[1]) == "ok")
        try process.killed()
        return try WriteLog(contentsOf: log).calls
    }

    // Rule: the leaving of a guest is on the disk before the pointer | not written | listed though left
    // Rule: a removal is on the disk before anything of the user is removed | not written | of a removal: listed after
    //   the epoch was zeroed
    // Rule: a guest that was left is in no list | listed | also "a guest that was left is not listed, and its remains
    //   are removed as soon as possible"
    @Test(arguments: Going.all)
    func `the next opening finds the guest current and whole, or nothing of them`(going: Going) throws {
        var found: [String: Int] = [:]
        for call in 1...(try calls(going)) {
            for kill in [FaultInjector.Kill.before(call), .after(call)] {
                let target = try TemporaryFolder()
                let home = try copy(to: target)
                // Opened before, so that it does not finish anything. It must not list a guest that was left, either.
                let earlier = try UserDirectory(root: try Home(TemporaryHome.configuration(of: home)))
                let process = try UserProcess(
                    home, environment: try FaultInjector(folder: target.url).environment(kill: kill))
                _ = try process.last(going.words[0], going.words[1])
                try process.killed()
                found[try state(earlier, home, going.next, "\(kill)"), default: 0] += 1
            }
        }
        // A removal that was begun is finished. A guest stays until another user is recorded.
        let expected = ["gone", "gone, unfinished", "guest"] + (going.next == nil ? [] : ["guest, leaving"])
        #expect(found.keys.sorted() == expected, "\(found)")
    }

    /// What the killed process left behind, once it is seen that a new opening makes a whole state of it.
    private func state(
        _ earlier: UserDirectory, _ path: String, _ next: String?, _ comment: Comment
    ) throws -> String {
        let marked = try !earlier.marks.all().isEmpty
        let listed = try earlier.users().map(\.name)
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: path)))
        let users = try directory.users()
        #expect(users.map(\.name) == listed, comment)
        #expect(try directory.marks.all().isEmpty, comment)
        for part in ["users", "epochs"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(part)")
            #expect(Set(names) == Set(users.map(\.id.description)), comment)
        }
        let recorded = try directory.recorded()?.name
        guard recorded == "Guest" else {
            #expect(recorded == next && listed == ["Anna"], comment)
            return marked ? "gone, unfinished" : "gone"
        }
        #expect(listed == ["Anna", "Guest"], comment)
        let guest = try directory.home(of: try directory.user(named: "Guest"))
        #expect(try Preferences(home: guest).integer(forKey: "left") == 1, comment)
        return marked ? "guest, leaving" : "guest"
    }

    @Test func `a guest that was left is not listed, and its remains are removed as soon as possible`() throws {
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: home)))
        let guest = try directory.user(named: "Guest")
        let anna = try directory.user(named: "Anna")
        // As a process leaves it that is killed behind the pointer's write.
        try directory.marks.write(.leaving, of: guest.id)
        try directory.root.recordUser(anna.id.unique)
        #expect(try directory.users() == [anna] && directory.recorded() == anna)
        #expect(throws: AppUsersError(.noSuchUser, "")) { try directory.home(of: guest) }
        #expect(FileManager.default.fileExists(atPath: "\(home)/users/\(guest.id)"))
        try directory.finishLeaving()
        #expect(!FileManager.default.fileExists(atPath: "\(home)/users/\(guest.id)"))
        #expect(try directory.file.read() == UserList(users: [anna]))
    }
}
