// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import SyncEngines
import SyncLog
import SyncMerge
import Synchronization
import TestSupport

@testable import KeychainEngine
@testable import KeychainSync

/// Returns once the clock that edits are dated by shows a later time than now.
func later() async {
    let now = KeychainSync.clock
    while KeychainSync.clock <= now { await Task.yield() }
}

/// A home that shares its items over a folder.
struct SyncedHome {
    let temporary: TemporaryHome
    let home: Home
    let store: ItemStore
    let engine: AnyEngine
    let name: String
    /// A head is stated by each round.
    var pace = Pace(heads: 0)

    init(_ name: String, _ engine: AnyEngine, at temporary: TemporaryHome = TemporaryHome()) throws {
        self.temporary = temporary
        self.engine = engine
        self.name = name
        home = try temporary.open()
        store = try ItemStore.of(home)
    }

    /// A user's, below a home.
    init(_ name: String, _ engine: AnyEngine, of home: Home, in temporary: TemporaryHome) throws {
        self.temporary = temporary
        self.engine = engine
        self.name = name
        self.home = home
        store = try ItemStore.of(home)
    }

    // The optimiser of Swift 6.3.1 ends with a signal where this becomes part of a test.
    @inline(never) func found() async throws -> [UInt8] {
        let sync = try await KeychainSync.create(home, on: engine, at: "file:///test", name: name)
        return try sync.status().account
    }

    func open() throws -> KeychainSync {
        var sync = try KeychainSync.open(home, on: engine)
        sync.pace = pace
        return sync
    }

    @discardableResult
    func round() async throws -> SyncReport {
        var sync = try open()
        return try await sync.now()
    }

    /// An edit of an item that changes nothing, or its deletion, dated a day ahead, as an entry that is not yet in the
    /// log.
    func editAhead(deleting: Bool = false) throws -> (bytes: [UInt8], place: UInt64, time: UInt64) {
        let replica = try open().member.replica
        guard let key = replica.items.keys.first(where: { $0.first == 1 }),
            let operation = replica.items[key].frontier.first, case .value(let value) = replica.items[key].value
        else { throw KeychainError(.itemNotFound, "there is no item to edit") }
        let ahead = KeychainSync.clock + 86_400_000
        let entry = try replica.writer().edits([
            NewOperation(
                key: key, protectionClass: operation.protectionClass, time: ahead,
                context: replica.items[key].context, change: deleting ? .delete : .put(value: value, from: nil))
        ])
        return (entry.bytes, replica.state.place + 1, ahead)
    }

    /// Joins with a member's help; both see the same words.
    func join(_ account: [UInt8], with member: SyncedHome) async throws {
        let id = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let words = Locked<[String]>([])
        let (home, engine, name, pace) = (home, engine, name, pace)
        async let joined: Void = {
            var sync = try await KeychainSync.join(
                home, account: account, on: engine, at: "file:///test", name: name, id: id, patience: .seconds(1800)
            ) { shown in
                words.withLock { $0.append(shown) }
                return true
            }
            sync.pace = pace
            try await sync.now()
        }()
        while try await engine.get(.join(id: id, step: 1), of: account) == nil { await Task.yield() }
        var sync = try member.open()
        _ = try await sync.approve(id, patience: .seconds(1800)) { shown in
            words.withLock { $0.append(shown) }
            return true
        }
        try await joined
        guard words.withLock({ $0.count == 2 && $0[0] == $0[1] }) else {
            throw SyncLogError(.wrongWords, "the words differ")
        }
    }

    func add(
        _ account: String, _ secret: String, _ accessibility: Accessibility = .afterFirstUnlock,
        _ more: Attributes = [.synchronizable: .number(1)]
    ) throws {
        var item = ItemRecord(.genericPassword)
        item.attributes = more
        item.attributes[.service] = .text("test")
        item.attributes[.account] = .text(account)
        item.attributes[.accessible] = .text(accessibility.rawValue)
        item.secret = try Secret(copying: Array(secret.utf8))
        _ = try store.add(item)
    }

    static func query(_ account: String?) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes[.service] = .text("test")
        if let account { query.attributes[.account] = .text(account) }
        query.synchronizable = .any
        return query
    }

    func change(_ account: String, _ secret: String?, _ attributes: Attributes = [:]) throws {
        var changes = ItemChanges()
        changes.attributes = attributes
        changes.secret = try secret.map { try Secret(copying: Array($0.utf8)) }
        try store.update(Self.query(account), with: changes)
    }

    func delete(_ account: String) throws { try store.delete(Self.query(account)) }

    /// Account and secret of all items.
    func items() throws -> [String: String] {
        var query = Self.query(nil)
        query.limit = nil
        let found: [ItemRecord]
        do throws(KeychainError) { found = try store.items(matching: query, withSecret: true) } catch {
            guard error.code == .itemNotFound else { throw error }
            return [:]
        }
        return try Dictionary(
            found.map { item in
                guard case .text(let account) = item.attributes[.account] else { return ("?", "?") }
                let secret = try item.secret?.withSecretBytes { try $0.exposingBytes(0..<$0.count) } ?? []
                return (account, String(decoding: secret, as: UTF8.self))
            }
        ) { first, _ in first }
    }

    func reference(_ account: String) throws -> [UInt8]? {
        try store.items(matching: Self.query(account), withSecret: false).first?.persistentReference?.bytes
    }
}

/// A folder for an engine, removed with this object.
final class EngineFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-engine-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var engine: AnyEngine { AnyEngine(FileEngine(folder: path)) }
}
