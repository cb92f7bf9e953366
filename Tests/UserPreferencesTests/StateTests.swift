// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import UserPreferences

@Suite("States of a store of preferences")
struct StateTests {
    let place = TemporaryHome()
    let home: Home
    let preferences: Preferences

    init() throws {
        home = try place.open()
        preferences = try Preferences(home: home)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300, -1e300])
    func `a stored date that no calendar has is damage, and no trap`(seconds: Double) throws {
        for value in [PropertyValue.date(seconds), .array([.dictionary(["when": .date(seconds)])])] {
            var writer = ByteWriter()
            value.encode(into: &writer)
            var reader = ByteReader(writer.bytes)
            #expect(throws: SealingError.malformed) { try PropertyValue.decode(from: &reader) }
        }
    }

    // Rule: not ready is never answered as empty | a locked store answers as for an absent key | three reads answered;
    //   "a lock by another object of the home is seen at the next read, in spite of caches"; "a UserDefaults answers
    //   registered values meanwhile, refuses writes and says why"
    @Test func `before the first unlock every call says not ready, and nothing is written`() async throws {
        try preferences.set(7, for: .fontSize)
        try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
        try home.keybag.lockCompletely()
        preferences.register(defaults: ["fontSize": .integer(20)])
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path + "/preferences.db-wal"))
        let notReady = PreferencesError(.notReady, "")
        #expect(!preferences.isReady)
        #expect(throws: notReady) { try preferences.value(for: .fontSize) }
        #expect(throws: notReady) { try preferences.object(forKey: "fontSize") }
        #expect(throws: notReady) { try preferences.object(forKey: "absent") }
        #expect(throws: notReady) { try preferences.set(8, for: .fontSize) }
        #expect(throws: notReady) { try preferences.removeValue(for: .fontSize) }
        #expect(throws: notReady) { try preferences.update { $0.set(8, for: .fontSize) } }
        #expect(throws: notReady) { try preferences.dictionaryRepresentation() }
        #expect(throws: notReady) { try preferences.exportPropertyList(to: place.path + "/x.plist") }
        await #expect(throws: notReady) {
            let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0)
            try list.write(to: URL(fileURLWithPath: place.path + "/in.plist"))
            return try await preferences.importing(from: .file(path: place.path + "/in.plist"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path + "/preferences.db-wal")) == before)
        // A store that is opened in this state, and one whose file was never made.
        #expect(throws: notReady) { try Preferences(home: try place.open()).value(for: .fontSize) }
        try home.keybag.unlock(passcode: try SecretBytes(text: "passcode"))
        #expect(try preferences.value(for: .fontSize) == 7)
    }

    @Test func `a UserDefaults answers registered values meanwhile, refuses writes and says why`() throws {
        let reasons = Locked<[PreferencesError.Code]>([])
        let defaults = try #require(
            ProtectedUserDefaults(preferences) { error in reasons.withLock { $0.append(error.code) } })
        defaults.set(3, forKey: "n")
        defaults.set(URL(string: "https://example.com/a?b"), forKey: "url")
        #expect(
            defaults.integer(forKey: "n") == 3
                && defaults.url(forKey: "url")?.absoluteString == "https://example.com/a?b")
        defaults.register(defaults: ["n": 20])
        #expect(reasons.withLock { $0 }.isEmpty)
        try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
        try home.keybag.lockCompletely()
        #expect(defaults.integer(forKey: "n") == 20)
        defaults.set(4, forKey: "n")
        defaults.removeObject(forKey: "n")
        #expect(defaults.url(forKey: "url") == nil)
        #expect(reasons.withLock { $0 } == [.notReady, .notReady, .notReady, .notReady])
        try home.keybag.unlock(passcode: try SecretBytes(text: "passcode"))
        #expect(defaults.integer(forKey: "n") == 3)
        defaults.set(NSObject(), forKey: "object")
        #expect(reasons.withLock { $0 }.last == .invalidArgument)
    }

    @Test func `a reader writes nothing, the log of the last writer being gone`() throws {
        try preferences.set(7, for: .fontSize)
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: place.path, toPath: copy.path)
        let url = URL(fileURLWithPath: copy.path + "/preferences.db")
        do { try Preferences(home: try copy.open()).set(1, forKey: "n") }
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        var states = [try Data(contentsOf: url)]
        for _ in 0..<3 {
            do { #expect(try Preferences(home: try copy.open()).value(for: .fontSize) == 7) }
            states.append(try Data(contentsOf: url))
        }
        #expect(Set(states).count == 1)
    }

    // Rule: opening writes nothing to the database | no empty log is put beside it | it grew by a page; "a reader
    //   writes nothing, the log of the last writer being gone"
    @Test(arguments: [0, 4_096]) func `a corrupt file is damaged, and stays as it is`(offset: Int) throws {
        try preferences.update { batch in
            for number in 0..<500 { batch.set(.integer(Int64(number)), forKey: "key\(number)") }
        }
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: place.path, toPath: copy.path)
        let path = copy.path + "/preferences.db"
        // Written to and closed: all of it is in the main file then, and no log repairs it.
        do { try Preferences(home: try copy.open()).set(8, forKey: "key8") }
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in offset..<min(bytes.count, offset + 4_096) { bytes[index] = 0xA5 }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: bytes)
        try handle.close()
        #expect(throws: PreferencesError(.damaged, "")) {
            let opened = try Preferences(home: try copy.open())
            for number in 0..<500 { _ = try opened.integer(forKey: "key\(number)") }
            _ = try opened.dictionaryRepresentation()
        }
        let after = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(after == bytes, "from byte \(zip(after, bytes).enumerated().first { $0.1.0 != $0.1.1 }?.0 ?? -1)")
    }

    @Test func `a store key of another keybag is the wrong key, and nothing is overwritten`() throws {
        try preferences.set(1, forKey: "n")
        try preferences.store.database.write { access in
            _ = try access.execute("UPDATE store SET wrapped = zeroblob(40)")
        }
        let other = try Preferences(home: try place.open())
        #expect(throws: PreferencesError(.wrongKey, "")) { try other.integer(forKey: "n") }
        #expect(throws: PreferencesError(.wrongKey, "")) { try other.set(2, forKey: "n") }
        #expect(throws: PreferencesError(.wrongKey, "")) { try other.dictionaryRepresentation() }
        let untouched = try other.store.database.read { access in
            try access.integer("SELECT wrapped = zeroblob(40) FROM store")
        }
        #expect(untouched == 1)
    }

    @Test func `another device secret is told as such, never an empty store`() throws {
        try preferences.set(1, forKey: "n")
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: place.path, toPath: copy.path)
        let stranger = TemporaryHome()
        _ = try stranger.open()
        try FileManager.default.removeItem(atPath: copy.path + "/device-secret")
        try FileManager.default.copyItem(atPath: stranger.path + "/device-secret", toPath: copy.path + "/device-secret")
        let before = try Data(contentsOf: URL(fileURLWithPath: copy.path + "/preferences.db"))
        let error = #expect(throws: DataProtectionError.self) { try copy.open() }
        #expect(error?.code == .damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy.path + "/preferences.db")) == before)
    }

    @Test func `the file of another home is told as such`() throws {
        try preferences.set(1, forKey: "n")
        let other = TemporaryHome()
        let home = try other.open()
        for name in ["preferences.db", "preferences.db-wal", "preferences.db-shm"] {
            try FileManager.default.copyItem(atPath: "\(place.path)/\(name)", toPath: "\(other.path)/\(name)")
        }
        #expect(throws: PreferencesError(.damaged, "")) { try Preferences(home: home).integer(forKey: "n") }
    }

    @Test func `two spellings of one text are two preferences`() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try preferences.set(1, forKey: composed)
        #expect(try preferences.object(forKey: decomposed) == nil)
        try preferences.set(2, forKey: decomposed)
        #expect(try preferences.integer(forKey: composed) == 1)
        #expect(try preferences.integer(forKey: decomposed) == 2)
    }

    @Test func `all objects of one home share what was read, and each hears its own changes as such`() async throws {
        let second = try Preferences(home: home)
        #expect(second.store === preferences.store)
        let stream = second.changes
        try preferences.set(1, forKey: "a")
        try second.set(2, forKey: "b")
        #expect(try preferences.integer(forKey: "b") == 2)
        var seen: [PreferenceChange] = []
        for await change in stream {
            seen.append(change)
            if seen.count == 2 { break }
        }
        #expect(seen == [.changed(key: "a", by: .elsewhere), .changed(key: "b", by: .here)])
    }

    // Rule: a row opens under its own name alone | the name's tag not compared | written for this: without the keys the
    //   associated data refuses it
    @Test func `a row opens under its own name alone, though the keys are right`() throws {
        let keys = try StoreKeys(storeKey: try SecretBytes.random(count: 32), applicationID: 1)
        let row = SealedPreference.Opened(name: "volume", value: .integer(3))
        let place = SealedPreference.RowHeader(tag: try keys.tag("volume"), sequence: 1, isRemoved: false)
        #expect(try keys.open(try keys.seal(row, place), place) == row)
        let other = SealedPreference.RowHeader(tag: try keys.tag("brightness"), sequence: 1, isRemoved: false)
        #expect(throws: SealingError.cannotOpen) { try keys.open(try keys.seal(row, other), other) }
        let removed = SealedPreference.RowHeader(tag: place.tag, sequence: 1, isRemoved: true)
        #expect(throws: SealingError.cannotOpen) { try keys.open(try keys.seal(row, removed), removed) }
    }

    @Test func `rows that are sealed together open one by one, on both sides of a change of keys`() throws {
        let keys = try StoreKeys(storeKey: try SecretBytes.random(count: 32), applicationID: 1)
        let tag = try keys.tag("volume")
        let row = SealedPreference.Opened(name: "volume", value: .string(String(repeating: "v", count: 200)))
        let places = ((Int64(1) << 31) - 70..<(Int64(1) << 31) + 70).map {
            SealedPreference.RowHeader(tag: tag, sequence: $0, isRemoved: false)
        }
        let sealed = try keys.seal(places.map { (row, $0) })
        #expect(Set(sealed.map { Array($0.prefix(12)) }).count == places.count)
        for (sealed, place) in zip(sealed, places) { #expect(try keys.open(sealed, place) == row) }
        #expect(throws: SealingError.cannotOpen) { try keys.open(sealed[0], places[1]) }
    }

    // Rule: a removed value is in no file | the log not emptied after a removal | written for this: none had failed
    @Test func `after a removal no file holds what was sealed`() throws {
        try preferences.set("something that goes", forKey: "gone")
        var sealed: [UInt8] = []
        try preferences.store.database.read { access in
            try access.rows("SELECT sealed FROM preference") { row in
                sealed = try row.bytes(0) ?? []
                return true
            }
        }
        #expect(sealed.count > 28 && holds(sealed))
        try preferences.removeObject(forKey: "gone")
        #expect(!holds(sealed))
    }

    /// Whether any file of the home has these bytes.
    private func holds(_ bytes: [UInt8]) -> Bool {
        let names = FileManager.default.enumerator(atPath: place.path)?.allObjects as? [String] ?? []
        return names.contains { name in
            FileManager.default.contents(atPath: "\(place.path)/\(name)")?.range(of: Data(bytes)) != nil
        }
    }
}
