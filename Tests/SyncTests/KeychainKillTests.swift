// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SyncEngines
import SyncLog
import SyncMerge
import TestSupport
import Testing

@testable import KeychainSync

/// Homes as processes that are killed while they sync. `ZAMOK_LONG=1` makes 400 kills at random moments more.
@Suite struct KeychainKillTests {
    /// What was asked of a home, and whether it said that it was done.
    private struct Attempt {
        let home: Int
        let key: String
        /// Nil: a deletion.
        let value: String?
        let isAcknowledged: Bool
    }

    private struct Field {
        let folder: EngineFolder
        let homes: [SyncedHome]
        let account: [UInt8]
        var attempts: [Attempt] = []
        private var generator = SeededGenerator(seed: 20_261_122)
        private var number = 0

        init() async throws {
            folder = try EngineFolder()
            homes = [try SyncedHome("one", folder.engine), try SyncedHome("two", folder.engine)]
            account = try await homes[0].found()
            try await homes[1].join(account, with: homes[0])
        }

        func worker(_ home: Int, death: String? = nil) throws -> Child {
            let child = try Child(
                "sync-lab", ["home", homes[home].temporary.path, folder.path] + (death.map { [$0] } ?? []))
            try child.await("ready")
            return child
        }

        /// Some edits with rounds between and after. Each key gets so few values that none is dropped from the history.
        mutating func commands() -> [String] {
            var lines: [String] = []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                number += 1
                let key = "k\(number / 6)-\(Int.random(in: 0..<3, using: &generator))"
                lines.append(
                    Int.random(in: 0..<6, using: &generator) == 0 ? "delete \(key)" : "put \(key) v\(number)")
                if Bool.random(using: &generator) { lines.append("round") }
            }
            return lines + ["round"]
        }

        /// `said`: one line for each command that was done, after those that came before.
        mutating func note(_ home: Int, _ lines: [String], _ said: [String]) {
            #expect(said.allSatisfy { $0 == "ok" }, "\(said)")
            for (index, line) in lines.enumerated().prefix(said.count + 1) {
                let words = line.split(separator: " ").map(String.init)
                guard words.count > 1 else { continue }
                attempts.append(
                    Attempt(
                        home: home, key: words[1], value: words.count == 3 ? words[2] : nil,
                        isAcknowledged: index < said.count))
            }
        }

        /// Both go on without disturbance. Then nothing is left to do, and nothing is lost.
        func check() async throws {
            for _ in 0..<3 { for home in homes { try await home.round() } }
            for home in homes {
                #expect(try await home.round() == SyncReport())
                #expect(try home.store.checkInvariants() == [])
            }
            let (one, two) = (try homes[0].open().member.replica, try homes[1].open().member.replica)
            #expect(one.mergedView == two.mergedView)
            #expect(one.state.bytes == two.state.bytes)
            // No home took itself for a copy.
            #expect(one.state.epoch == 1)
            let read = try await folder.engine.read(account, from: one.state.place, limit: 4)
            #expect(read.map(\.place) == [one.state.place])
            #expect(try homes[0].items() == homes[1].items())
            let (values, count) = try Self.values(one)
            // None came twice.
            #expect(values.count == count)
            var lost: [Attempt] = []
            for (index, attempt) in attempts.enumerated() where attempt.isAcknowledged {
                guard let value = attempt.value, !values.contains(value) else { continue }
                let isOver = attempts[(index + 1)...].contains { $0.home == attempt.home && $0.key == attempt.key }
                if !isOver { lost.append(attempt) }
            }
            #expect(lost.isEmpty, "lost: \(lost)")
            // Each value that is there was put by an edit.
            #expect(values.isSubset(of: attempts.compactMap(\.value)))
        }

        /// The secrets of all edits that the log has, or had.
        private static func values(_ replica: LogReplica) throws -> (values: Set<String>, count: Int) {
            var all: [String] = []
            for (items, isAll) in [(replica.items, true), (replica.former, false)] where isAll || !items.keys.isEmpty {
                for key in items.keys where key.first != DeviceName.kind {
                    for operation in items[key].operations {
                        guard case .put(let value, _) = operation.change else { continue }
                        all.append(String(decoding: try TravellingItem(value, key: key).secretBytes, as: UTF8.self))
                    }
                }
            }
            return (Set(all), all.count)
        }
    }

    // Rule: outgoing edits are saved before they are sent | SyncMember.save does nothing in KeychainSync.init | a home
    //   that was killed takes itself for a copy, and makes new keys
    @Test func `a home killed before and after each of its calls loses no edit and sends none twice`() async throws {
        var field = try await Field()
        for call in 1...12 {
            for side in ["-", "+"] {
                let home = (call + (side == "+" ? 1 : 0)) % 2
                let lines = field.commands()
                let child = try field.worker(home, death: "\(call)\(side)")
                try? child.send((lines.joined(separator: "\n") + "\n").utf8)
                field.note(home, lines, try child.rest().text.split(separator: "\n").map(String.init))
            }
        }
        try await field.check()
    }

    @Test func `a home killed at any moment loses no edit and sends none twice`() async throws {
        var field = try await Field()
        var kills = RandomKills("sync", bounded: 12, long: 400)
        for turn in 0..<kills.count {
            let lines = field.commands()
            let child = try field.worker(turn % 2)
            field.note(turn % 2, lines, try kills.strike(child, lines, within: .milliseconds(150)))
        }
        kills.report()
        try await field.check()
    }
}
