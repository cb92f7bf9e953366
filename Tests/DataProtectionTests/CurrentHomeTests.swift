// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DataProtection

/// `Home.current`, in processes of its own where it belongs to the whole process.
@Suite struct CurrentHomeTests {
    private func worker(_ temporary: TemporaryHome) throws -> Worker {
        try Worker("/", environment: ["ZAMOK_HOME": temporary.path])
    }

    @Test func `It is opened from the environment, once`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let worker = try worker(temporary)
        #expect(try worker.ask("current") == "\(temporary.path) new")
        #expect(try worker.ask("current") == "\(temporary.path) same")
    }

    @Test func `After an erase by another process it is opened anew; in a child after fork there is none`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let worker = try worker(temporary)
        #expect(try worker.ask("current") == "\(temporary.path) new")
        #expect(try worker.ask("fork-current") == "error forked")
        try Home.erase(temporary.configuration)
        #expect(try worker.ask("current") == "\(temporary.path) new")
        #expect(try worker.ask("current") == "\(temporary.path) same")
    }

    @Test func `A process begins with the recorded user, and with the root home where none is recorded`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let root = try temporary.open()
        let user = UniqueIdentifier.random()
        _ = try root.home(ofUser: user, making: true)
        try root.recordUser(user)
        #expect(try worker(temporary).ask("current") == "\(temporary.path)/users/\(user.text) new")
        try root.recordUser(nil)
        #expect(try worker(temporary).ask("current") == "\(temporary.path) new")
    }

    @Test func `A user that the environment names by identifier comes before the recorded one, and no other`()
        throws
    {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let root = try temporary.open()
        let (recorded, named) = (UniqueIdentifier.random(), UniqueIdentifier.random())
        for user in [recorded, named] { _ = try root.home(ofUser: user, making: true) }
        try root.recordUser(recorded)
        func current(_ user: String) throws -> String {
            try Worker("/", environment: ["ZAMOK_HOME": temporary.path, "ZAMOK_USER": user]).ask("current")
        }
        #expect(try current(named.text) == "\(temporary.path)/users/\(named.text) new")
        #expect(try current("-") == "\(temporary.path) new")
        #expect(try current(UniqueIdentifier.random().text) == "error invalidArgument")
        // A name is for commands, which have the list of users.
        for name in ["", "Anna"] { #expect(try current(name) == "\(temporary.path)/users/\(recorded.text) new") }
    }

    @Test func `A recorded user that is gone, or no user at all, is an error and not the root home`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let root = try temporary.open()
        try root.recordUser(.random())
        #expect(try worker(temporary).ask("current") == "error invalidArgument")
        for text in ["", "someone\n", "\(UniqueIdentifier.random().text)", String(repeating: "a", count: 100)] {
            try root.replaceFile("current", with: Array(text.utf8))
            #expect(try worker(temporary).ask("current") == "error damaged", "\(text)")
        }
    }

    // Rule: the current user is authenticated | `CurrentUserFile.isAuthentic` says yes
    @Test func `The recorded user can't be changed by writing the file, nor by removing it`() throws {
        let temporary = TemporaryHome()
        let other = TemporaryHome()
        defer { for home in [temporary, other] { home.remove() } }
        let root = try temporary.open()
        let (anna, bob) = (UniqueIdentifier.random(), UniqueIdentifier.random())
        #expect(try worker(temporary).ask("current") == "\(temporary.path) new")
        for user in [anna, bob] { _ = try root.home(ofUser: user, making: true) }
        #expect(try worker(temporary).ask("current") == "\(temporary.path) new")
        try temporary.delete("current")
        #expect(try worker(temporary).ask("current") == "error damaged")
        try root.recordUser(anna)
        let good = try temporary.bytes("current")
        // Without the key: Bob's name, and the name that means no user.
        for name in [bob.bytes, [UInt8](repeating: 0, count: 16)] {
            try root.replaceFile("current", with: good.prefix(16) + name + good.suffix(32))
            #expect(failure { try root.recordedUser() }?.code == .damaged)
            #expect(try worker(temporary).ask("current") == "error damaged")
        }
        // Of another home, with a user of this one in it.
        let stranger = try other.open()
        try stranger.recordUser(bob)
        try root.replaceFile("current", with: try other.bytes("current"))
        #expect(try worker(temporary).ask("current") == "error damaged")
        var newer = good
        newer[8] = 2
        try root.replaceFile("current", with: newer)
        #expect(failure { try root.recordedUser() }?.code == .newerFormat)
        // What is promised and no more: an older file names the user that was current then.
        try root.recordUser(bob)
        try root.replaceFile("current", with: good)
        #expect(try root.recordedUser() == anna)
    }

    @Test func `For a task another one takes its place, at the innermost word`() async throws {
        let (outer, inner) = (TemporaryHome(), TemporaryHome())
        defer { for home in [outer, inner] { home.remove() } }
        let (first, second) = (try outer.open(), try inner.open())
        try Home.withCurrent(first) {
            try Home.withCurrent(second) {
                let current = try Home.current
                #expect(current === second)
            }
            let current = try Home.current
            #expect(current === first)
        }
        let child = try await Home.withCurrent(first) {
            async let child = Home.current.folder
            return try await child
        }
        #expect(child == outer.path)
    }
}
