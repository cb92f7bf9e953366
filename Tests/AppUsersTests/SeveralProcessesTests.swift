// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

@Suite("Preferences, in several processes")
struct SeveralProcessesTests {
    let place = TemporaryHome()
    let preferences: Preferences

    init() throws { preferences = try Preferences(home: try place.open()) }

    // Rule: what other processes changed is forgotten | their changes read, and nothing forgotten | 150 old values
    @Test func `a reader never sees half a batch, and sees a batch at its next read`() throws {
        let process = try UserProcess(place.path)
        let keys = (0..<20).map { "key\($0)" }
        let rounds = 150
        for round in 1...rounds {
            try process.child.send("batch\t\(round)\t\(keys.joined(separator: "\t"))\n".utf8)
            // While it writes: any state, but a whole one.
            for _ in 0..<3 {
                let found = try preferences.dictionaryRepresentation()
                #expect(found.isEmpty || found.count == keys.count)
                #expect(Set(found.values).count <= 1, "half of a batch")
            }
            #expect(try process.child.line() == "ok")
            for key in [keys[0], keys[19]] { #expect(try preferences.integer(forKey: key) == round) }
        }
        #expect(try process.child.finish() == 0)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a watcher sees each change of another process once, in order`() async throws {
        let count = 300
        let stream = preferences.changes
        let process = try UserProcess(place.path)
        try process.child.send("count\tkey\t\(count)\n".utf8)
        var seen: [PreferenceChange] = []
        for await change in stream {
            seen.append(change)
            if seen.count == count { break }
        }
        #expect(seen == (0..<count).map { .changed(key: "key\($0)", by: .elsewhere) })
        #expect(try process.child.line() == "ok")
        #expect(try process.child.finish() == 0)
    }

    // Rule: a watcher is told that the user is removed | not told; the keychain's stream doesn't end | both ways, the
    //   second by its time limit
    @Test(.timeLimit(.minutes(15)))
    func `a watcher of a user's preferences or keychain is told when another process removes the user`() async throws {
        let directory = try place.directory()
        let anna = try directory.add("Anna")
        let home = try directory.home(of: anna)
        let watched = try Preferences(home: home)
        try watched.set(1, forKey: "n")
        let (changes, items) = (watched.changes, try Keychain(service: "s", home: home).changes())
        let process = try UserProcess(place.path)
        #expect(try process.ask("remove", "Anna") == "ok")
        var seen: [PreferenceChange] = []
        for await change in changes { seen.append(change) }
        #expect(seen.last == .removed)
        // Ends, too.
        for await _ in items {}
        #expect(try process.child.finish() == 0)
    }

    @Test func `a lock by another object of the home is seen at the next read, in spite of caches`() throws {
        let home = try place.open()
        try home.keybag.setPasscode(try .init(text: "passcode"))
        let own = try Preferences(home: home)
        try own.set(7, forKey: "n")
        #expect(try own.integer(forKey: "n") == 7)
        try place.open().keybag.lockCompletely()
        let error = #expect(throws: PreferencesError.self) { try own.integer(forKey: "n") }
        #expect(error?.code == .notReady)
        #expect(throws: PreferencesError(.notReady, "")) { try own.set(8, forKey: "n") }
        #expect(throws: PreferencesError(.notReady, "")) { try own.dictionaryRepresentation() }
        #expect(!own.isReady)
        try home.keybag.unlock(passcode: try .init(text: "passcode"))
        #expect(try own.integer(forKey: "n") == 7)
    }
}
