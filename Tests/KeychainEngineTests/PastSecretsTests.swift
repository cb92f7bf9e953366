// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Secrets that an item had before.
@Suite struct PastSecretsTests {
    private static var query: ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes = [.service: .text("service")]
        return query
    }

    private static func change(_ secret: String, _ group: String?) throws -> ItemChanges {
        var changes = ItemChanges()
        changes.secret = try Secret(secret)
        changes.keepsPastOfGroup = group
        return changes
    }

    private static func past(_ store: ItemStore) throws -> [String] {
        try store.past(of: query).map { try String(exposing: $0.secret) ?? "" }
    }

    @Test func `former secrets are kept where it is asked for, and from then on`() throws {
        let home = TemporaryHome()
        let store = try ItemStore(home.open())
        guard case .text(let group) = try store.add(.password("service", "account", "one")).attributes[.accessGroup]
        else { return }
        try store.update(Self.query, with: Self.change("two", nil))
        #expect(try Self.past(store) == [])
        try store.update(Self.query, with: Self.change("three", "another group"))
        #expect(try Self.past(store) == [])
        try store.update(Self.query, with: Self.change("four", group))
        try store.update(Self.query, with: Self.change("five", nil))
        #expect(try Self.past(store) == ["four", "three"])
        // Equal ones stand once, and the present one not at all.
        try store.update(Self.query, with: Self.change("three", nil))
        #expect(try Self.past(store) == ["five", "four"])
        #expect(try store.checkInvariants() == [])
    }

    @Test func `there are ten at most, of ninety days, and of one mebibyte`() throws {
        let home = TemporaryHome()
        let clock = Locked<Double>(0)
        let store = try ItemStore(home.open(), now: { 800_000_000 + clock.withLock { $0 } })
        guard case .text(let group) = try store.add(.password("service", "account", "0")).attributes[.accessGroup]
        else { return }
        for number in 1...14 { try store.update(Self.query, with: Self.change("\(number)", group)) }
        #expect(try Self.past(store) == (4...13).reversed().map { "\($0)" })
        clock.withLock { $0 = 60 * 86_400 }
        try store.update(Self.query, with: Self.change("late", group))
        #expect(try Self.past(store).first == "14")
        clock.withLock { $0 = 91 * 86_400 }
        #expect(try Self.past(store) == ["14"])
        let large = String(repeating: "x", count: 700_000)
        try store.update(Self.query, with: Self.change(large, group))
        try store.update(Self.query, with: Self.change("small", group))
        try store.update(Self.query, with: Self.change(large + "y", group))
        try store.update(Self.query, with: Self.change("end", group))
        #expect(try Self.past(store).map(\.count) == [700_001, 5])
        #expect(try store.checkInvariants() == [])
    }

    @Test func `what is removed is in no file any more, and a deleted item's neither`() throws {
        let home = TemporaryHome()
        let opened = try home.open()
        let store = try ItemStore(opened)
        guard case .text(let group) = try store.add(.password("service", "account", "one")).attributes[.accessGroup]
        else { return }
        for deletes in [false, true] {
            try store.update(Self.query, with: Self.change("two", group))
            try store.update(Self.query, with: Self.change("three \(deletes)", group))
            let sealed = try #require(try Self.sealed(store))
            #expect(try Self.files(opened.folder, hold: sealed))
            if deletes {
                try store.delete(Self.query)
            } else {
                #expect(try store.removePast(matching: Self.query) == 1)
            }
            #expect(try !Self.files(opened.folder, hold: sealed))
        }
        #expect(try store.checkInvariants() == [])
    }

    @Test func `a column that was removed or exchanged costs the former secrets alone`() throws {
        for change in ["past = NULL", "past = randomblob(length(past))", "past = zeroblob(10)"] {
            let home = TemporaryHome()
            let store = try ItemStore(home.open())
            guard case .text(let group) = try store.add(.password("service", "account", "one")).attributes[.accessGroup]
            else { return }
            try store.update(Self.query, with: Self.change("two", group))
            try store.database.write { _ = try $0.execute("UPDATE item SET \(change)") }
            #expect(throws: KeychainError.self) { try store.past(of: Self.query) }
            let found = try store.items(matching: Self.query, withSecret: true).first?.secret
            #expect(try found.flatMap { try String(exposing: $0) } == "two")
            #expect(try store.examine().map(\.kind.word) == ["damaged-history"])
            #expect(try store.removePast(matching: Self.query) == 1)
            #expect(try store.checkInvariants() == [])
        }
    }

    @Test func `hostile bytes are former secrets or malformed`() throws {
        let past = try PastSecrets(
            SecretBytes(
                copying: [1, 2] + [UInt8](repeating: 0, count: 11) + [1, 7] + [UInt8](repeating: 0, count: 12)))
        #expect(past.entries.count == 2)
        var mutator = Mutator(corpus: [try Self.bytes(past)], seed: 7)
        for _ in 0..<2000 {
            let variant = mutator.next()
            guard let read = try? PastSecrets(SecretBytes(copying: variant)) else { continue }
            #expect(try Self.bytes(read) == variant)
        }
    }

    private static func bytes(_ past: PastSecrets) throws -> [UInt8] {
        try Secret(past.encoded()).exposedBytes
    }

    private static func sealed(_ store: ItemStore) throws -> [UInt8]? {
        var found: [UInt8]?
        try store.database.readOnce { access in
            try access.rows("SELECT past FROM item") { row in
                found = try row.bytes(0)
                return true
            }
        }
        return found
    }

    private static func files(_ folder: String, hold bytes: [UInt8]) throws -> Bool {
        // A part of it: pages may divide the whole.
        let part = Data(bytes.dropFirst(12).prefix(24))
        return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            let content = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            return content?.range(of: part) != nil
        }
    }
}
