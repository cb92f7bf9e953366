// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

@Suite("Users, when processes are killed", .serialized, .ahead)
struct KilledSwitchTests {
    /// What the worker said it had done.
    struct Acknowledged {
        var current: String?
        var batches: [String: Int] = [:]
        var singles: [String: Int] = [:]

        mutating func read(_ output: String) {
            for line in output.split(separator: "\n", omittingEmptySubsequences: true) {
                let words = line.split(separator: " ").map(String.init)
                switch (words.first, words.count) {
                case ("switch", 2): current = words[1]
                case ("batch", 3): batches[words[1]] = Int(words[2])
                case ("single", 3): singles[words[1]] = Int(words[2])
                default: continue
                }
            }
        }
    }

    @Test func `nothing that was acknowledged is lost, and no values of two users are mixed`() throws {
        let place = TemporaryHome()
        let names = ["Anna", "Bob"]
        for name in names { try place.directory().add(name) }
        var generator = SeededGenerator(seed: 7)
        var acknowledged = Acknowledged()
        let kills = RandomKills("switches", bounded: 100, long: 1_000).count
        for round in 0..<kills + Self.longRounds {
            // On a machine so busy that the worker came to one user only in all that time, it gets more.
            if round >= kills, acknowledged.singles.count == names.count { break }
            let longer = round < kills ? 1 : 16 << (round - kills)
            let pause = longer * Int.random(in: 10_000...80_000, using: &generator)
            let output = try Self.run(place.path, from: round * 10_000, killedAfter: pause)
            acknowledged.read(output)
            try check(place, acknowledged, names)
        }
        #expect(acknowledged.singles.count == names.count)
    }

    private static var longRounds: Int { 6 }

    private func check(_ place: TemporaryHome, _ acknowledged: Acknowledged, _ names: [String]) throws {
        let directory = try place.directory()
        #expect(try directory.users().map(\.name) == names)
        let recorded = try directory.recorded()
        #expect(recorded == nil || names.contains(recorded?.name ?? ""))
        for user in try directory.users() {
            let values = try Preferences(home: try directory.home(of: user)).dictionaryRepresentation()
            #expect(values["left"] == values["right"], "half of a batch")
            if let owner = values["owner"] { #expect(owner == .string(user.name), "another user's value") }
            if let number = acknowledged.batches[user.name] {
                #expect(try #require(Self.number(values["left"])) >= number, "a batch was lost")
            }
            if let number = acknowledged.singles[user.name] {
                #expect(try #require(Self.number(values["single"])) >= number, "a change was lost")
            }
        }
    }

    private static func number(_ value: PropertyValue?) -> Int? {
        if case .integer(let number) = value { Int(number) } else { nil }
    }

    /// Lets a worker go for a while once it has begun, then kills it; all that it said.
    private static func run(_ folder: String, from number: Int, killedAfter microseconds: Int) throws -> String {
        let worker = try Child("test-worker", ["users", "work", folder, "\(number)"])
        let first = try worker.line()
        usleep(UInt32(microseconds))
        worker.kill(SIGKILL)
        let (rest, status) = try worker.rest()
        // A worker that ended by itself failed, and the run shows nothing.
        #expect(status == SIGKILL || status == 128 + SIGKILL)
        return first + "\n" + rest
    }
}
