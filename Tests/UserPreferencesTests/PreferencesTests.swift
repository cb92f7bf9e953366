// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import TestSupport
import Testing

@testable import UserPreferences

extension PreferenceKey where Value == Int {
    static let fontSize = PreferenceKey("fontSize", default: 12)
}

extension PreferenceKey where Value == String? {
    static let nickname = PreferenceKey("nickname", default: nil)
}

@Suite("Preferences")
struct PreferencesTests {
    let place = TemporaryHome()
    let preferences: Preferences

    init() throws { preferences = try Preferences(home: try place.open()) }

    func another() throws -> Preferences { try Preferences(home: try place.open()) }

    @Test func `a key answers its default until it is set, and again when it is removed`() throws {
        #expect(try preferences.value(for: .fontSize) == 12)
        try preferences.set(14, for: .fontSize)
        #expect(try preferences.value(for: .fontSize) == 14)
        try preferences.removeValue(for: .fontSize)
        #expect(try preferences.value(for: .fontSize) == 12)
    }

    @Test func `setting nil removes an optional value`() throws {
        try preferences.set("Ann", for: .nickname)
        #expect(try preferences.value(for: .nickname) == "Ann")
        try preferences.set(nil, for: .nickname)
        #expect(try preferences.value(for: .nickname) == nil)
        #expect(try preferences.dictionaryRepresentation().isEmpty)
    }

    @Test func `every property-list type comes back from another open store`() throws {
        let values: [String: PropertyValue] = [
            "boolean": .boolean(true), "integer": .integer(.min), "real": .real(.pi), "date": .date(1.5),
            "data": .data([0, 255]), "string": .string("é\u{301}\0"), "empty": .string(""),
            "array": .array([.integer(1), .array([])]),
            "dictionary": .dictionary(["": .dictionary(["a": .boolean(false)])]),
        ]
        try preferences.update { for (key, value) in values { $0.set(value, forKey: key) } }
        #expect(try another().dictionaryRepresentation() == values)
        let other = try another()
        for (key, value) in values { #expect(try other.object(forKey: key) == value) }
    }

    @Test func `a change of another store is seen by the next read`() throws {
        let other = try another()
        #expect(try other.integer(forKey: "n") == 0)
        for number in 1...20 {
            try preferences.set(number, forKey: "n")
            #expect(try other.integer(forKey: "n") == number)
            try other.set(-number, forKey: "n")
            #expect(try preferences.integer(forKey: "n") == -number)
        }
    }

    @Test func `a value of another type is told as such`() throws {
        try preferences.set("large", forKey: "fontSize")
        #expect(throws: PreferencesError(.wrongType, "")) { try preferences.value(for: .fontSize) }
    }

    @Test(arguments: ["", String(repeating: "x", count: 4097)])
    func `a name that is empty or too long is refused`(name: String) throws {
        #expect(throws: PreferencesError(.invalidArgument, "")) { try preferences.set(1, forKey: name) }
        #expect(throws: PreferencesError(.invalidArgument, "")) { try preferences.object(forKey: name) }
    }

    // Rule: a batch is one transaction | `update` writes each change by itself | also "a reader never sees half a
    //   batch": 142 times two values in one snapshot; "killed at any call, the next start finds one of the two users,
    //   whole": left and right differ; "after a loss of power everything that was acknowledged is there, and nothing by
    //   half"
    @Test func `a batch with one refused value changes nothing`() throws {
        var deep = PropertyValue.integer(1)
        for _ in 0..<70 { deep = .array([deep]) }
        #expect(throws: PreferencesError(.tooLarge, "")) {
            try preferences.update {
                $0.set(1, for: .fontSize)
                $0.set(deep, forKey: "deep")
            }
        }
        #expect(try preferences.dictionaryRepresentation().isEmpty)
    }

    @Test func `registered defaults belong to one store and are not written`() throws {
        preferences.register(defaults: ["fontSize": .integer(20)])
        #expect(try preferences.value(for: .fontSize) == 20)
        #expect(try another().value(for: .fontSize) == 12)
    }

    @Test func `Codable values come back`() throws {
        struct Window: Codable, Equatable {
            let x: Double
            let names: [String]
        }
        let window = Window(x: 1.25, names: ["a", "b"])
        try preferences.set(encoding: window, forKey: "window")
        #expect(try preferences.decoded(Window.self, forKey: "window") == window)
        #expect(try preferences.decoded(Window.self, forKey: "none") == nil)
    }

    @Test func `a damaged row is corrupt, by name, and costs no other`() throws {
        try preferences.set(1, forKey: "first")
        try preferences.set(2, forKey: "second")
        try preferences.store.database.write { access in
            _ = try access.execute("UPDATE preference SET sealed = zeroblob(92) WHERE sequence = 1")
        }
        let other = try another()
        let error = #expect(throws: PreferencesError.self) { try other.integer(forKey: "first") }
        #expect(error?.code == .corrupt && error?.key == "first")
        #expect(try other.integer(forKey: "second") == 2)
        #expect(throws: PreferencesError(.corrupt, "")) { try other.dictionaryRepresentation() }
    }

    @Test func `a row moved to another name's place is corrupt`() throws {
        try preferences.set(1, forKey: "first")
        try preferences.set(2, forKey: "second")
        try preferences.store.database.write { access in
            _ = try access.execute(
                "UPDATE preference SET sealed = (SELECT sealed FROM preference WHERE sequence = 2) WHERE sequence = 1")
        }
        #expect(throws: PreferencesError(.corrupt, "")) { try another().object(forKey: "first") }
    }

    // Rule: associated data binds a row to its place | `SealedPreference.RowHeader.associatedData` is empty | another
    //   sequence was accepted
    @Test(arguments: ["sequence = sequence + 5", "removed = 1 - removed"])
    func `a row whose place was changed is corrupt, never old and never absent`(change: String) throws {
        try preferences.set(1, forKey: "first")
        try preferences.store.database.write { access in
            _ = try access.execute("UPDATE preference SET \(change)")
        }
        #expect(throws: PreferencesError(.corrupt, "")) { try another().object(forKey: "first") }
    }

    @Test func `watchers hear every change once, in order, and its author`() async throws {
        let other = try another()
        let stream = preferences.changes
        try preferences.set(1, forKey: "a")
        try other.set(2, forKey: "b")
        try preferences.update {
            $0.set(.integer(3), forKey: "c")
            $0.set(nil, forKey: "a")
        }
        var seen: [PreferenceChange] = []
        for await change in stream {
            seen.append(change)
            if seen.count == 4 { break }
        }
        #expect(
            seen == [
                .changed(key: "a", by: .here), .changed(key: "b", by: .elsewhere), .changed(key: "c", by: .here),
                .changed(key: "a", by: .here),
            ])
    }

    @Test func `no name and no value lies in the files in clear`() throws {
        try preferences.set("markervalue-7f3a", forKey: "markername-7f3a")
        for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/\(name)"))
            #expect(bytes.range(of: Data("7f3a".utf8)) == nil, "\(name)")
        }
    }
}
