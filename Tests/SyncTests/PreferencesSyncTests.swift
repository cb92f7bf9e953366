// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import SyncEngines
import SyncLog
import SyncMerge
import TestSupport
import Testing

@testable import KeychainEngine
@testable import KeychainSync
@testable import UserPreferences

/// Preferences of two homes that chose the same domain (Documentation/Formats/SyncItem.md, "Preferences").
@Suite struct PreferencesSyncTests {
    let folder: EngineFolder
    let one: SyncedHome
    let two: SyncedHome

    init() throws {
        folder = try EngineFolder()
        one = try SyncedHome("one", folder.engine)
        two = try SyncedHome("two", folder.engine)
    }

    /// Those that the store lies in.
    private static let files = ["preferences.db", "preferences.db-wal", "preferences.db-shm"]

    /// Both are in one account, and share the domain.
    private func pair(_ domain: String = "editor") async throws {
        let account = try await one.found()
        try await two.join(account, with: one)
        for home in [one, two] {
            try home.choose(domain)
            try await home.round()
        }
    }

    private func settle() async throws {
        for home in [one, two, one] { try await home.round() }
    }

    @Test func `a preference goes both ways, is changed and is removed`() async throws {
        try one.preferences.set(14, forKey: "editor.font")
        try await pair()
        #expect(try two.preferences.integer(forKey: "editor.font") == 14)
        try two.preferences.set("dark", forKey: "editor")
        #expect(try await two.round().sent == 1)
        #expect(try await one.round().received == 1)
        #expect(try one.preferences.string(forKey: "editor") == "dark")
        try one.preferences.set(15, forKey: "editor.font")
        try one.preferences.removeObject(forKey: "editor")
        #expect(try await one.round().sent == 2)
        #expect(try await two.round().received == 2)
        for home in [one, two] {
            #expect(try home.preferences.dictionaryRepresentation() == ["editor.font": .integer(15)])
            #expect(try !KeychainSync.hasChanges(home.home))
        }
        #expect(try await one.round() == SyncReport())
        #expect(try await two.round() == SyncReport())
    }

    @Test func `every type of value arrives as it was`() async throws {
        try await pair()
        let value: [String: PropertyValue] = [
            "yes": .boolean(true), "number": .integer(-7), "real": .real(0.1), "date": .date(700_000_000.25),
            "data": .data([0, 255]), "list": .array([.string("ä"), .dictionary([:])]),
            "map": .dictionary(["b": .integer(1), "a": .integer(2), "é": .integer(3)]),
        ]
        try one.preferences.set(PropertyValue.dictionary(value), forKey: "editor.all")
        try await settle()
        #expect(try two.preferences.object(forKey: "editor.all") == .dictionary(value))
        #expect(try await two.round() == SyncReport())
    }

    // Rule: only preferences of a domain that the home chose travel, from it and to it | PreferenceDomains.has by the
    //   beginning alone | editorial travels
    @Test func `what was not chosen stays, and a domain ends at a dot`() async throws {
        try await pair()
        try one.preferences.set(1, forKey: "editorial")
        try one.preferences.set(2, forKey: "other.editor")
        try one.preferences.set(3, forKey: "editor.x")
        #expect(try await one.round().sent == 1)
        try await two.round()
        #expect(try two.preferences.dictionaryRepresentation() == ["editor.x": .integer(3)])
        // A home that chose nothing has the log's state, and nothing of it in its preferences.
        let three = try SyncedHome("three", folder.engine)
        try await three.join(one.open().status().account, with: one)
        #expect(try three.preferences.dictionaryRepresentation() == [:])
        #expect(try three.open().history.isEmpty)
    }

    @Test func `all preferences are a domain, too`() async throws {
        try await pair("")
        try one.preferences.set(1, forKey: "a")
        try one.preferences.set(2, forKey: "b.c")
        try await settle()
        #expect(try two.preferences.dictionaryRepresentation() == ["a": .integer(1), "b.c": .integer(2)])
    }

    // Rule: of two edits of a preference that didn't know each other the later one stays, and the other is kept and
    //   told | the context of the merged register | no conflict
    @Test func `of two edits the later one stays, and the other is told once and kept`() async throws {
        try one.preferences.set("first", forKey: "editor.theme")
        try await pair()
        try one.preferences.set("earlier", forKey: "editor.theme")
        try await one.round()
        await later()
        try two.preferences.set("later", forKey: "editor.theme")
        #expect(try await two.round().conflicts == 1)
        #expect(try await one.round().conflicts == 1)
        for home in [one, two] {
            #expect(try home.preferences.string(forKey: "editor.theme") == "later")
            let lost = try home.open().conflicts
            #expect(lost.map(\.title) == ["editor.theme"])
            #expect(lost.map(\.itemClass) == ["preference"])
            #expect(lost.map { String(decoding: $0.secret, as: UTF8.self) } == ["earlier"])
        }
        try one.preferences.set("settled", forKey: "editor.theme")
        try await settle()
        #expect(try two.preferences.string(forKey: "editor.theme") == "settled")
        #expect(try two.open().conflicts.isEmpty)
    }

    // Rule: where a home chooses a domain, the account's values count, and its own are kept | Collector.takeUp sends
    //   with the time of the edit | every home has the newcomer's value
    @Test func `choosing a domain takes the account's values, and keeps the home's own as lost ones`() async throws {
        let account = try await one.found()
        try one.preferences.set("of the account", forKey: "editor.theme")
        try one.choose("editor")
        try await one.round()
        try await two.join(account, with: one)
        await later()
        try two.preferences.set("of two", forKey: "editor.theme")
        try two.preferences.set("only here", forKey: "editor.more")
        try two.choose("editor")
        try await two.round()
        try await one.round()
        for home in [one, two] {
            #expect(try home.preferences.string(forKey: "editor.theme") == "of the account")
            #expect(try home.preferences.string(forKey: "editor.more") == "only here")
            #expect(try home.open().conflicts.map { String(decoding: $0.secret, as: UTF8.self) } == ["of two"])
        }
    }

    // Rule: a store that was lost deletes nothing for the others | Collector.take deletes what is not there | the other
    //   home's preference is gone
    @Test func `a store that was lost is filled again, and deletes nothing`() async throws {
        try one.preferences.set(1, forKey: "editor.kept")
        try await pair()
        let copy = try one.copy(Self.files) { _ in nil }
        try copy.acceptRestored()
        #expect(try copy.preferences.dictionaryRepresentation() == [:])
        #expect(try await copy.round().received == 1)
        try await two.round()
        #expect(try copy.preferences.integer(forKey: "editor.kept") == 1)
        #expect(try two.preferences.integer(forKey: "editor.kept") == 1)
        // What is edited there from then on travels.
        try copy.preferences.set(2, forKey: "editor.kept")
        try await copy.round()
        try await two.round()
        #expect(try two.preferences.integer(forKey: "editor.kept") == 2)
    }

    // Rule: an older store put back brings back no old value | SyncedPreferences.isContinued always true, and rows
    //   compared without their numbers | every home has the old value
    @Test func `an older store put back takes the log's values`() async throws {
        try one.preferences.set("old", forKey: "editor.theme")
        try one.preferences.set("gone", forKey: "editor.gone")
        try await pair()
        let old = try one.contents(Self.files)
        try one.preferences.set("new", forKey: "editor.theme")
        try one.preferences.removeObject(forKey: "editor.gone")
        try await settle()
        let restored = try one.copy(Self.files) { old[$0] }
        try restored.acceptRestored()
        #expect(try restored.preferences.string(forKey: "editor.theme") == "old")
        try await restored.round()
        try await two.round()
        for home in [restored, two] {
            #expect(try home.preferences.dictionaryRepresentation() == ["editor.theme": .string("new")])
        }
    }

    // Rule: what is kept says that preferences are applied before they are written, and rows show by their numbers that
    //   they were not | SyncedPreferences.isContinued always true, and Collector.take without the number of the row |
    //   the old value is sent as an edit
    @Test func `a home killed between its two files goes on, and takes no old value for an edit`() async throws {
        try one.preferences.set(1, forKey: "editor.x")
        try await pair()
        try one.preferences.set(2, forKey: "editor.x")
        try await one.round()
        let before = try two.contents(Self.files)
        #expect(try await two.round().received == 1)
        let killed = try two.copy(Self.files) { before[$0] }
        try killed.acceptRestored()
        #expect(try killed.preferences.integer(forKey: "editor.x") == 1)
        let report = try await killed.round()
        #expect(report.sent == 0 && report.received == 1)
        #expect(try killed.preferences.integer(forKey: "editor.x") == 2)
        try await one.round()
        #expect(try one.preferences.integer(forKey: "editor.x") == 2)
    }

    @Test func `homes killed before and after each of their calls come to the same preferences`() async throws {
        try await pair("lab")
        let homes = [one, two]
        var number = 0
        var last: [String: Int] = [:]
        for call in 1...10 {
            for side in ["-", "+"] {
                let home = (call + (side == "+" ? 1 : 0)) % 2
                let child = try Child("sync-lab", ["home", homes[home].temporary.path, folder.path, "\(call)\(side)"])
                try child.await("ready")
                var lines: [String] = []
                for key in ["lab.of-\(home)", "lab.shared"] {
                    number += 1
                    lines.append("prefer \(key) \(number)")
                }
                try? child.send(((lines + ["round"]).joined(separator: "\n") + "\n").utf8)
                let said = try child.rest().text.split(separator: "\n")
                #expect(said.count >= 2)
                last["lab.of-\(home)"] = number - 1
            }
        }
        for _ in 0..<2 { try await settle() }
        let values = try one.preferences.dictionaryRepresentation()
        #expect(try two.preferences.dictionaryRepresentation() == values)
        for (key, number) in last { #expect(values[key] == .integer(Int64(number)), "\(key)") }
        #expect(values["lab.shared"] != nil)
        for home in homes { #expect(try await home.round() == SyncReport()) }
        #expect(try one.open().member.replica.state.epoch == 1)
    }

    @Test func `an older home put back brings back no old value`() async throws {
        try one.preferences.set("old", forKey: "editor.theme")
        try await pair()
        try one.preferences.set("unsent", forKey: "editor.more")
        let copy = try one.copy([]) { _ in nil }
        try await one.round()
        try await two.round()
        try two.preferences.set("edited there", forKey: "editor.more")
        try two.preferences.set("new", forKey: "editor.theme")
        try await two.round()
        try await copy.round()
        try await two.round()
        for home in [copy, two] {
            #expect(
                try home.preferences.dictionaryRepresentation() == [
                    "editor.theme": .string("new"), "editor.more": .string("edited there"),
                ])
        }
    }

    // Rule: preferences travel under the class completeUntilFirstUserAuthentication: while locked, and not before the
    //   first unlock | sealed under complete | the locked home gets nothing
    @Test func `a lock doesn't hold preferences up, and before the first unlock nothing is touched`() async throws {
        try two.home.keybag.setPasscode(try SecretBytes(copying: Array("passcode".utf8)))
        try await pair()
        try two.home.keybag.lock()
        try one.preferences.set(1, forKey: "editor.x")
        try two.preferences.set(2, forKey: "editor.y")
        try await settle()
        #expect(try one.preferences.integer(forKey: "editor.y") == 2)
        #expect(try two.preferences.integer(forKey: "editor.x") == 1)
        #expect(
            try one.open().member.replica.items.registers.filter { PreferenceDomains.isKey($0.key) }.values
                .flatMap(\.operations).allSatisfy { $0.protectionClass == .completeUntilFirstUserAuthentication })
        try two.home.keybag.lockCompletely()
        try one.preferences.set(3, forKey: "editor.x")
        try await one.round()
        await #expect(throws: KeychainError.self) { try await two.round() }
        try two.home.keybag.unlock(passcode: try SecretBytes(copying: Array("passcode".utf8)))
        try await two.round()
        #expect(try two.preferences.integer(forKey: "editor.x") == 3)
    }

    @Test func `a domain that is no longer chosen stays as it is, and can be chosen again`() async throws {
        try one.preferences.set(1, forKey: "editor.x")
        try await pair()
        do {
            var sync = try two.open()
            try sync.removePreferences("editor")
            #expect(sync.preferenceDomains == [])
        }
        try one.preferences.set(2, forKey: "editor.x")
        try two.preferences.set(3, forKey: "editor.y")
        #expect(try await one.round().sent == 1)
        #expect(try await two.round() == SyncReport())
        #expect(try two.preferences.integer(forKey: "editor.x") == 1)
        try two.choose("editor")
        try await settle()
        #expect(try two.preferences.integer(forKey: "editor.x") == 2)
        #expect(try one.preferences.integer(forKey: "editor.y") == 3)
        #expect(try one.open().conflicts.isEmpty)
    }

    @Test func `domains are looked at before they are kept`() async throws {
        _ = try await one.found()
        var sync = try one.open()
        for domain in ["editor.", String(repeating: "x", count: 4096)] {
            #expect(throws: KeychainError.self) { try sync.addPreferences(domain) }
        }
        try sync.addPreferences("b")
        try sync.addPreferences("")
        try sync.addPreferences("a.b")
        #expect(throws: KeychainError.self) { try sync.addPreferences("a.b") }
        #expect(throws: KeychainError.self) { try sync.removePreferences("a") }
        // All or none.
        #expect(throws: KeychainError.self) { try sync.addPreferences(["c", "a.b"]) }
        #expect(throws: KeychainError.self) { try sync.removePreferences(["b", "c"]) }
        #expect(sync.preferenceDomains == ["", "a.b", "b"])
    }

    // Rule: what is under a preference's key and is no value is refused, and nothing is written |
    //   Preferences.value(ofSynced:for:) without its checks | a value in another form is taken
    @Test func `what is no value is refused and told, and the local one stays`() async throws {
        try one.preferences.set(1, forKey: "editor.x")
        try await pair()
        let bad: [[UInt8]] = [
            [], [1], [1, 9], [2, 1], [1, 1, 0], [1, 2, 0],
            // Entries of a dictionary that are not in their order.
            [1, 8, 0, 0, 0, 2, 0, 0, 0, 1, 98, 1, 0, 0, 0, 1, 97, 1],
        ]
        for value in bad {
            var sync = try one.open()
            try await sync.member.pull()
            let key = PreferenceDomains.key(Array("editor.x".utf8))
            try sync.member.edit([
                NewOperation(
                    key: key, protectionClass: .completeUntilFirstUserAuthentication, time: KeychainSync.clock,
                    context: sync.member.replica.items[key].context, change: .put(value: value, from: nil))
            ])
            try await sync.member.push()
            #expect(try await two.round().refused == 1, "\(value)")
            #expect(try two.preferences.integer(forKey: "editor.x") == 1)
        }
    }

    // Rule: what others set in place of a preference too large to travel is reported | PreferencesPlan counts it as
    //   nothing | `refused` is 0
    @Test func `one too large to travel stays, and what others set is told`() async throws {
        try await pair()
        let large = String(repeating: "Q", count: 720_000)
        try one.preferences.set(large, forKey: "editor.x")
        try await one.round()
        try two.preferences.set("small", forKey: "editor.x")
        try await two.round()
        #expect(try await one.round().refused == 1)
        #expect(try one.preferences.string(forKey: "editor.x") == large)
        #expect(try await one.round() == SyncReport())
    }

    // Rule: a row that was seen before is no edit, with any state of its register | Collector.take without the number
    //   of the row | the old value is sent as an edit
    @Test func `preferences that can't be opened are told, and items go on`() async throws {
        try one.preferences.set(1, forKey: "editor.x")
        try await pair()
        let whole = try two.contents(Self.files)
        let broken = try two.copy(Self.files) { $0 == "preferences.db" ? Data("no database".utf8) : nil }
        try one.add("item", "secret")
        try one.preferences.set(2, forKey: "editor.x")
        try await one.round()
        let report = try await broken.round()
        #expect(report.preferences?.contains("took no part") == true)
        #expect(report.received == 1)
        #expect(try broken.items()["item"] == "secret")
        // Whole again, it goes on from where it was.
        let mended = try broken.copy(Self.files) { whole[$0] }
        #expect(try await mended.round().preferences == nil)
        #expect(try mended.preferences.integer(forKey: "editor.x") == 2)
    }
}

extension SyncedHome {
    var preferences: Preferences { get throws { try Preferences(home: home) } }

    func acceptRestored() throws { try PreferencesDoctor(home: home).acceptRestoredCopy() }

    func choose(_ domain: String) throws {
        var sync = try open()
        try sync.addPreferences(domain)
    }

    func contents(_ names: [String]) throws -> [String: Data] {
        try Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                let path = "\(temporary.path)/\(name)"
                guard FileManager.default.fileExists(atPath: path) else { return nil }
                return (name, try Data(contentsOf: URL(fileURLWithPath: path)))
            })
    }

    /// The home as a copy of its files, of which some are others, or aren't there.
    func copy(_ names: [String], _ content: (String) -> Data?) throws -> SyncedHome {
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: temporary.path, toPath: copy.path)
        for name in names {
            try? FileManager.default.removeItem(atPath: "\(copy.path)/\(name)")
            guard let bytes = content(name) else { continue }
            _ = FileManager.default.createFile(
                atPath: "\(copy.path)/\(name)", contents: bytes, attributes: [.posixPermissions: 0o600])
        }
        return try SyncedHome(name, engine, at: copy)
    }
}
