// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import Meter
import UserPreferences

/// Two users with the same number of preferences each.
@MainActor
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
        _ = try Preferences().integer(forKey: "key7")
    }

    /// The same in a process that has opened nothing yet.
    func switchColdAndRead(_ round: Int) async throws {
        let directory = try UserDirectory(root: place.home)
        try await directory.switch(to: users[round & 1])
        _ = try Preferences().integer(forKey: "key7")
    }
}

@MainActor
struct Switching {
    let goals: Goals

    private func microseconds(_ rounds: Int, _ body: (Int) async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for round in 0..<rounds { times.append(try await Meter.seconds { try await body(round) }) }
        return Meter.median(times)
    }

    func run() async throws {
        let place = try Place()
        let folder = place.folder.path
        let pointer = try Meter.median(300) { try writePointer(in: folder, $0) }
        goals.fact("the durable write of the pointer by itself", pointer, "µs")
        for count in [10, 10_000] {
            let two = try TwoUsers(count)
            for round in 0..<2 { try await two.switchAndRead(round) }
            let warm = try await microseconds(300) { try await two.switchAndRead($0) }
            let cold = try await microseconds(100) { try await two.switchColdAndRead($0) }
            goals.fact("switch until the first key is read, \(count) preferences", warm, "µs")
            goals.goal("beside the pointer's write, µs", warm - pointer, atMost: 1_000)
            goals.fact("the same in a process that has opened nothing", cold, "µs")
        }
        let two = try TwoUsers(10)
        let home = try two.directory.home(of: two.users[0])
        let first = try Preferences(home: home)
        let kept = try Meter.median(1_000) { _ in for _ in 0..<100 { _ = try Preferences(home: home) } } / 100
        goals.goal("opening a store that is kept, µs", kept, atMost: 1)
        _ = first
    }

    /// Its own switch in the same run: the machine is then in the same state.
    func recipe() async throws {
        for count in [1_000, 10_000] {
            let two = try TwoUsers(count)
            for round in 0..<2 { try await two.switchAndRead(round) }
            let ours = try await microseconds(300) { try await two.switchAndRead($0) }
            let recipe = try Recipe(count)
            let theirs = try Meter.seconds { try recipe.switchUser() } * 1e6
            recipe.remove()
            goals.fact("switch, \(count) preferences", ours, "µs")
            goals.fact("the recipe, \(count) preferences", theirs / 1e3, "ms")
            if count == 10_000 {
                goals.goal("the recipe / switch, 10,000", theirs / ours, atLeast: 1_000)
            } else {
                goals.fact("the recipe / switch, \(count)", theirs / ours, "")
            }
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
