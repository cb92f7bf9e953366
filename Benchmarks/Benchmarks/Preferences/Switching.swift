// SPDX-License-Identifier: Apache-2.0

import AppUsers
import Benchmark
import DataProtection
import Foundation
import UserPreferences

/// Two users with the same number of preferences each.
final class TwoUsers {
    let place: Place
    let directory: UserDirectory
    let users: [AppUser]

    init(_ count: Int) throws {
        place = try Place()
        directory = try UserDirectory(root: place.home)
        users = [try directory.add("Anna"), try directory.add("Bob")]
        Home.setCurrent(place.home)
        for user in users { try fill(try Preferences(home: try directory.home(of: user)), count) }
    }

    /// To each in turn, until the first preference is read.
    func switchAndRead(_ round: Int) async throws {
        try await directory.switch(to: users[round & 1])
        blackHole(try Preferences().integer(forKey: "key7"))
    }

    /// The same in a process that has opened nothing yet.
    func switchColdAndRead(_ round: Int) async throws {
        let directory = try UserDirectory(root: place.home)
        try await directory.switch(to: users[round & 1])
        blackHole(try Preferences().integer(forKey: "key7"))
    }
}

func addSwitching() {
    for count in [10, 10_000] {
        Benchmark("switch_\(count)") { benchmark async throws in
            let two = try TwoUsers(count)
            for round in 0..<2 { try await two.switchAndRead(round) }
            benchmark.startMeasurement()
            for round in 0..<100 { try await two.switchAndRead(round) }
            benchmark.stopMeasurement()
        }
        Benchmark("switch_cold_\(count)") { benchmark async throws in
            let two = try TwoUsers(count)
            benchmark.startMeasurement()
            for round in 0..<100 { try await two.switchColdAndRead(round) }
            benchmark.stopMeasurement()
        }
    }

    // What the switch writes durably, by itself: a small file, whole, in the place of the one before.
    Benchmark("pointer_write") { benchmark in
        let place = try Place()
        let folder = place.folder.path
        benchmark.startMeasurement()
        for round in 0..<100 { try writePointer(in: folder, round) }
        benchmark.stopMeasurement()
    }

    Benchmark("open_kept", configuration: .init(scalingFactor: .kilo)) { benchmark in
        let two = try TwoUsers(10)
        let home = try two.directory.home(of: two.users[0])
        let first = try Preferences(home: home)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try Preferences(home: home)) }
        benchmark.stopMeasurement()
        blackHole(first)
    }

    for (count, rounds) in [(1_000, 3), (10_000, 1)] {
        Benchmark("recipe_\(count)", configuration: .init(maxDuration: .seconds(1), maxIterations: rounds)) {
            benchmark in
            let recipe = try Recipe(count)
            benchmark.startMeasurement()
            try recipe.switchUser()
            benchmark.stopMeasurement()
            recipe.remove()
        }
    }
}

private func writePointer(in folder: String, _ round: Int) throws {
    let temporary = "\(folder)/current.new"
    let file = open(temporary, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    let bytes = Array("\(UUID().uuidString.lowercased())\n".utf8)
    guard file >= 0, write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, close(file) == 0,
        rename(temporary, "\(folder)/current") == 0
    else { throw CocoaError(.fileWriteUnknown) }
    let directory = open(folder, O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    guard directory >= 0, fsync(directory) == 0 else { throw CocoaError(.fileWriteUnknown) }
}

/// The recipe that apps use: dump UserDefaults, archive, remove all, unarchive the other's, set all.
private struct Recipe {
    private let suite = "zamok-bench-\(UUID().uuidString)"
    private let folder = FileManager.default.temporaryDirectory
    private let defaults: UserDefaults
    private let keys: [String]

    init(_ count: Int) throws {
        guard let defaults = UserDefaults(suiteName: suite) else { throw CocoaError(.fileReadUnknown) }
        self.defaults = defaults
        keys = (0..<count).map { "key\($0)" }
        for (number, key) in keys.enumerated() { defaults.set(number, forKey: key) }
        try archive("2")
        defaults.synchronize()
    }

    private func file(_ user: String) -> URL { folder.appendingPathComponent("\(suite)-\(user).plist") }

    private func archive(_ user: String) throws {
        let values = defaults.persistentDomain(forName: suite) ?? [:]
        try NSKeyedArchiver.archivedData(withRootObject: values, requiringSecureCoding: true).write(to: file(user))
    }

    func switchUser() throws {
        try archive("1")
        for key in keys { defaults.removeObject(forKey: key) }
        defaults.synchronize()
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
        let data = try Data(contentsOf: file("2"))
        let values = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [String: Any] ?? [:]
        for (key, value) in values { defaults.set(value, forKey: key) }
        defaults.synchronize()
    }

    func remove() {
        defaults.removePersistentDomain(forName: suite)
        defaults.synchronize()
        for user in ["1", "2"] { try? FileManager.default.removeItem(at: file(user)) }
    }
}
