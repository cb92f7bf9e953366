// SPDX-License-Identifier: Apache-2.0

import Benchmark
import DataProtection
import Foundation
import GRDB
import UserPreferences

/// A home and a plain table, in a folder of their own.
final class Place {
    let folder: URL
    let home: Home
    let plain: DatabasePool

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = Home.Configuration()
        configuration.folder = folder.appendingPathComponent("home").path
        home = try Home(configuration)
        plain = try DatabasePool(path: folder.appendingPathComponent("plain.db").path)
        try plain.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "CREATE TABLE preference (name TEXT PRIMARY KEY, value BLOB)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func setPlain(_ number: Int, _ value: Int, _ database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO preference VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        ).execute(arguments: ["key\(number)", value])
    }
}

func fill(_ preferences: Preferences, _ count: Int) throws {
    try preferences.update { batch in
        for number in 0..<count { batch.set(.integer(Int64(number)), forKey: "key\(number)") }
    }
}

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], maxDuration: .seconds(2), maxIterations: 3_000)
    let kilo = Benchmark.Configuration(scalingFactor: .kilo)

    Benchmark("get_integer", configuration: kilo) { benchmark in
        let place = try Place()
        let preferences = try Preferences(home: place.home)
        let key = PreferenceKey("fontSize", default: 0)
        try preferences.set(12, for: key)
        _ = try preferences.value(for: key)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try preferences.value(for: key)) }
        benchmark.stopMeasurement()
    }

    Benchmark("get_string", configuration: kilo) { benchmark in
        let place = try Place()
        let preferences = try Preferences(home: place.home)
        let key = PreferenceKey("nickname", default: "")
        try preferences.set("somebody with a longer name", for: key)
        _ = try preferences.value(for: key)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try preferences.value(for: key)) }
        benchmark.stopMeasurement()
    }

    Benchmark("get_UserDefaults", configuration: kilo) { benchmark in
        let defaults = UserDefaults.standard
        defaults.set(12, forKey: "fontSize")
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(defaults.integer(forKey: "fontSize")) }
        benchmark.stopMeasurement()
    }

    for (name, durability, count) in [("durable", Preferences.Durability.durable, 200), ("relaxed", .relaxed, 5_000)] {
        Benchmark("set_\(name)") { benchmark in
            let place = try Place()
            let preferences = try Preferences(home: place.home, durability: durability)
            try fill(preferences, 1_000)
            let key = PreferenceKey("key7", default: 0)
            benchmark.startMeasurement()
            for round in 0..<count { try preferences.set(round, for: key) }
            benchmark.stopMeasurement()
        }
    }

    Benchmark("set_plain_GRDB_durable") { benchmark in
        let place = try Place()
        try place.plain.write { database in for number in 0..<1_000 { try place.setPlain(number, number, database) } }
        try place.plain.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        benchmark.startMeasurement()
        for round in 0..<200 { try place.plain.write { try place.setPlain(7, round, $0) } }
        benchmark.stopMeasurement()
    }

    Benchmark("batch_100") { benchmark in
        let place = try Place()
        let preferences = try Preferences(home: place.home)
        try fill(preferences, 1_000)
        benchmark.startMeasurement()
        for round in 0..<20 {
            try preferences.update { batch in
                for number in 0..<100 { batch.set(.integer(Int64(round)), forKey: "key\(number)") }
            }
        }
        benchmark.stopMeasurement()
    }

    Benchmark("batch_100_plain_GRDB") { benchmark in
        let place = try Place()
        try place.plain.write { database in for number in 0..<1_000 { try place.setPlain(number, number, database) } }
        benchmark.startMeasurement()
        for round in 0..<20 {
            try place.plain.write { database in for number in 0..<100 { try place.setPlain(number, round, database) } }
        }
        benchmark.stopMeasurement()
    }

    for count in [10, 10_000] {
        Benchmark("open_and_read_\(count)") { benchmark in
            let place = try Place()
            try fill(try Preferences(home: place.home), count)
            benchmark.startMeasurement()
            blackHole(try Preferences(home: place.home).integer(forKey: "key7"))
            benchmark.stopMeasurement()
        }
    }

    addSwitching()
}
