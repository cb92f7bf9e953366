// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Random operations on the store and on a plain dictionary; both must always say the same.
@Suite struct ModelTests {
    let temporary = TemporaryHome()

    fileprivate struct Key: Hashable {
        var service: String
        var account: String
        var group: String
        var isSynchronizable: Bool
    }

    private struct Model {
        var items: [Key: [UInt8]] = [:]

        func matches(_ service: String?, _ account: String?, _ group: String?, sync: Bool?) -> [Key] {
            items.keys.filter {
                (service ?? $0.service) == $0.service && (account ?? $0.account) == $0.account
                    && (group ?? $0.group) == $0.group && (sync ?? $0.isSynchronizable) == $0.isSynchronizable
            }
        }
    }

    @Test func `Random operations give what a dictionary gives`() throws {
        let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
        print("seed of the model test: \(seed)")
        var random = SeededGenerator(seed: seed)
        let store = try ItemStore.of(try temporary.open(groups: ["one", "two"]))
        var model = Model()
        let steps = ProcessInfo.processInfo.environment["ZAMOK_LONG"] == nil ? 400 : 20_000
        for step in 0..<steps {
            try operate(store, &model, &random, "seed \(seed), step \(step)")
            if step % 100 == 99 { #expect(try store.checkInvariants() == [], "seed \(seed), step \(step)") }
        }
    }

    private func operate(
        _ store: ItemStore, _ model: inout Model, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let key = Key(
            service: ["", "s", "S", "é", "e\u{301}"].randomElement(using: &random) ?? "",
            account: ["", "a", "b"].randomElement(using: &random) ?? "",
            group: ["one", "two"].randomElement(using: &random) ?? "", isSynchronizable: Bool.random(using: &random)
        )
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: try add(key, store, &model, &random, place)
        case 2: try find(key, store, model, &random, place)
        case 3: try update(key, store, &model, &random, place)
        default: try delete(key, store, &model, &random, place)
        }
    }

    private func add(
        _ key: Key, _ store: ItemStore, _ model: inout Model, _ random: inout SeededGenerator, _ place: String
    ) throws {
        var item = ItemRecord(.genericPassword)
        item.attributes = [
            "svce": .text(key.service), "acct": .text(key.account), "agrp": .text(key.group),
            "sync": .number(key.isSynchronizable ? 1 : 0),
            "pdmn": .text(["ak", "ck", "dk"].randomElement(using: &random) ?? "ak"),
        ]
        let bytes = (0..<Int.random(in: 0...70, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        item.secret = try Secret(copying: bytes)
        let code = failure(KeychainError.self) { try store.add(item) }?.code
        #expect(code == (model.items[key.unified] == nil ? nil : .duplicateItem), "\(place)")
        if code == nil { model.items[key.unified] = bytes }
    }

    private func find(
        _ key: Key, _ store: ItemStore, _ model: Model, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let (query, expected) = search(key, model, &random)
        let found = (try? store.items(matching: query, withSecret: true)) ?? []
        #expect(
            Set(found.map { $0.secret?.exposedBytes ?? [] }) == Set(expected.map { model.items[$0] ?? [] }), "\(place)"
        )
        #expect(found.count == expected.count, "\(place)")
    }

    private func update(
        _ key: Key, _ store: ItemStore, _ model: inout Model, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let (query, matched) = search(key, model, &random)
        var changes = ItemChanges()
        changes.secret = try Secret(copying: [1, 2, 3])
        let renames = Bool.random(using: &random)
        if renames { changes.attributes["acct"] = .text("renamed") }
        let code = failure(KeychainError.self) { try store.update(query, with: changes) }?.code
        guard !matched.isEmpty else {
            #expect(code == .itemNotFound, "\(place)")
            return
        }
        var after = model
        var targets: [Key] = []
        for old in matched {
            var new = old
            if renames { new.account = "renamed" }
            after.items[old] = nil
            targets.append(new)
        }
        let collides = Set(targets).count < targets.count || targets.contains { after.items[$0] != nil }
        #expect(code == (collides ? .duplicateItem : nil), "\(place)")
        guard code == nil else { return }
        for new in targets { after.items[new] = [1, 2, 3] }
        model = after
    }

    private func delete(
        _ key: Key, _ store: ItemStore, _ model: inout Model, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let (query, matched) = search(key, model, &random)
        let code = failure(KeychainError.self) { try store.delete(query) }?.code
        #expect(code == (matched.isEmpty ? .itemNotFound : nil), "\(place)")
        for key in matched { model.items[key] = nil }
    }

    private func search(_ key: Key, _ model: Model, _ random: inout SeededGenerator) -> (ItemQuery, [Key]) {
        let key = key.unified
        let service = Bool.random(using: &random) ? key.service : nil
        let account = Bool.random(using: &random) ? key.account : nil
        let group = Bool.random(using: &random) ? key.group : nil
        let sync: Bool? = Int.random(in: 0..<3, using: &random) == 0 ? nil : key.isSynchronizable
        var query = ItemQuery(.genericPassword)
        query.limit = nil
        if let service { query.attributes["svce"] = .text(Key.stored(service)) }
        if let account { query.attributes["acct"] = .text(account) }
        if let group { query.attributes["agrp"] = .text(group) }
        query.synchronizable = sync.map { .exactly($0) } ?? .any
        return (query, model.matches(service, account, group, sync: sync))
    }
}

extension ModelTests.Key {
    /// Swift compares composed and decomposed text as equal, the keychain does not. The model holds the bytes in
    /// hexadecimal digits.
    fileprivate var unified: Self {
        var key = self
        key.service = service.utf8.map { String($0, radix: 16) }.joined(separator: " ")
        return key
    }

    fileprivate static func stored(_ service: String) -> String {
        String(decoding: service.split(separator: " ").compactMap { UInt8($0, radix: 16) }, as: UTF8.self)
    }
}
