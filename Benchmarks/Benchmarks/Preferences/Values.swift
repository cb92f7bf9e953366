// SPDX-License-Identifier: Apache-2.0

import Foundation
import Meter
import UserPreferences

/// Reading and setting, beside UserDefaults and plain GRDB.
@MainActor
struct Values {
    let goals: Goals

    /// Nanoseconds of one of a thousand calls.
    private func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
        try Meter.median(2_000) { _ in for _ in 0..<1_000 { try body() } }
    }

    func reading() throws {
        let place = try Place()
        let preferences = try Preferences(home: place.home)
        let (size, name) = (PreferenceKey("fontSize", default: 0), PreferenceKey("nickname", default: ""))
        try preferences.set(12, for: size)
        try preferences.set("somebody with a longer name", for: name)
        var sum = 0
        let integer = try nanoseconds { sum += try preferences.value(for: size) }
        let string = try nanoseconds { sum += try preferences.value(for: name).utf8.count }
        goals.goal("get of an integer, warm, ns", integer, atMost: 60)
        goals.goal("get of a string, warm, ns", string, atMost: 100)
        let defaults = UserDefaults.standard
        defaults.set(12, forKey: "fontSize")
        let plain = Meter.median(200) { _ in for _ in 0..<1_000 { sum += defaults.integer(forKey: "fontSize") } }
        defaults.removeObject(forKey: "fontSize")
        goals.fact("get of an integer, UserDefaults", plain, "ns (\(sum & 1))")
    }

    func durable() throws {
        let place = try Place()
        let preferences = try Preferences(home: place.home)
        try fill(preferences, 1_000)
        try place.fillPlain(1_000)
        let key = PreferenceKey("key7", default: 0)
        let (ours, plain) = try Meter.medians(
            2_000, inRowsOf: 100, { try preferences.set($0, for: key) },
            { round in try place.plain.write { try place.setPlain(7, round, $0) } })
        goals.fact("durable set", ours, "µs")
        goals.fact("durable commit of a row, plain GRDB", plain, "µs")
        goals.goal("durable set / plain commit", ours / plain, atMost: 1.5)
    }

    func relaxed() throws {
        let place = try Place()
        let preferences = try Preferences(home: place.home, durability: .relaxed)
        try fill(preferences, 1_000)
        let key = PreferenceKey("key7", default: 0)
        // In a row: now and then one of them moves the log into the file, and all pay for it.
        let rows = try Meter.median(5) { _ in for round in 0..<5_000 { try preferences.set(round, for: key) } }
        goals.goal("relaxed set, one of 5,000, µs", rows / 5_000, atMost: 25)
        goals.fact("median of single ones", try Meter.median(5_000) { try preferences.set($0, for: key) }, "µs")
    }

    func batches() throws {
        let place = try Place()
        let preferences = try Preferences(home: place.home)
        try fill(preferences, 1_000)
        try place.fillPlain(1_000)
        let (ours, plain) = try Meter.medians(
            400, inRowsOf: 20,
            { round in
                try preferences.update { batch in
                    for number in 0..<100 { batch.set(.integer(Int64(round)), forKey: "key\(number)") }
                }
            },
            { round in
                try place.plain.write { for number in 0..<100 { try place.setPlain(number, round, $0) } }
            })
        goals.goal("100 sets in one batch, each, µs", ours / 100, atMost: 12)
        goals.fact("the same, plain GRDB", plain / 100, "µs")
        goals.goal("batch / plain batch", ours / plain, atMost: 2.5)
    }

    func opening() throws {
        var times: [Double] = []
        for count in [10, 10_000] {
            let place = try Place()
            try fill(try Preferences(home: place.home), count)
            let homes = try (0..<100).map { _ in try place.reopened() }
            times.append(
                try Meter.median(homes.count) { _ = try Preferences(home: homes[$0]).integer(forKey: "key7") })
            goals.fact("opening a store of \(count), first read", times.last ?? 0, "µs")
        }
        goals.fact("with 10,000 / with 10", times[1] / times[0], "")
    }
}
