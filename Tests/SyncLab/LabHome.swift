// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import DataProtection
import Foundation
import KeychainEngine
import KeychainSync
import SecretMemory
import SyncEngines
import SyncLog
import Synchronization
import TestSupport
import UserPreferences

/// A home in a process of its own, which does what its standard input says and answers each line once that is done:
/// `put KEY VALUE`, `delete KEY`, `prefer KEY NUMBER`, `round`.
struct LabHome {
    private let home: Home
    private let store: ItemStore
    private let engine: AnyEngine

    /// `death`: the number of the engine's call before or after which the process kills itself.
    init(_ folder: String, _ engine: String, death: String?) throws {
        home = try Home(TemporaryHome.configuration(of: folder))
        store = try ItemStore.of(home)
        let honest = FileEngine(folder: engine)
        self.engine = AnyEngine(death.flatMap { DeadlyEngine(honest, $0) } ?? AnyEngine(honest))
    }

    func run() async throws {
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "put" where words.count == 3: try put(words[1], words[2])
            case "delete" where words.count == 2:
                _ = try isThere { () throws(KeychainError) in _ = try store.delete(Self.query(words[1])) }
            case "prefer" where words.count == 3: try Preferences(home: home).set(Int(words[2]), forKey: words[1])
            case "round":
                var sync = try KeychainSync.open(home, on: engine)
                // Snapshots and what is kept come often, so that some of the kills meet them.
                sync.pace = Pace(snapshot: (25, 1 << 20), patience: 8, base: 5)
                try await sync.now()
            default: throw SyncLogError(.malformed, line)
            }
            say("ok")
        }
    }

    private func say(_ word: String) { FileHandle.standardOutput.write(Data("\(word)\n".utf8)) }

    private static func query(_ key: String) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes[.service] = .text("test")
        query.attributes[.account] = .text(key)
        query.synchronizable = .any
        return query
    }

    private func isThere(_ body: () throws(KeychainError) -> Void) throws(KeychainError) -> Bool {
        do { try body() } catch {
            guard error.code == .itemNotFound else { throw error }
            return false
        }
        return true
    }

    private func put(_ key: String, _ value: String) throws {
        let secret = try Secret(copying: Array(value.utf8))
        var changes = ItemChanges()
        changes.secret = secret
        if try isThere({ () throws(KeychainError) in _ = try store.update(Self.query(key), with: changes) }) { return }
        var item = ItemRecord(.genericPassword)
        item.attributes = [
            .service: .text("test"), .account: .text(key), .synchronizable: .number(1),
            .accessible: .text(Accessibility.afterFirstUnlock.rawValue),
        ]
        item.secret = secret
        _ = try store.add(item)
    }
}

/// An engine at one call of which the process is killed: `7-` before the seventh, `7+` after it.
private final class DeadlyEngine: SyncEngine {
    private let honest: FileEngine
    private let fatal: Int
    private let isBefore: Bool
    private let calls = Mutex(0)

    init?(_ honest: FileEngine, _ death: String) {
        guard let fatal = Int(death.dropLast()) else { return nil }
        self.honest = honest
        self.fatal = fatal
        isBefore = death.last == "-"
    }

    private func through<R>(_ call: () async throws(SyncEngineError) -> R) async throws(SyncEngineError) -> R {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        if number == fatal, isBefore { die() }
        let result = try await call()
        if number == fatal { die() }
        return result
    }

    private func die() { kill(getpid(), SIGKILL) }

    func append(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        try await through { () async throws(SyncEngineError) in try await honest.append(bytes, at: place, of: account) }
    }

    func read(_ account: Digest32, from place: UInt64, limit: Int) async throws(SyncEngineError) -> [StoredEntry] {
        try await through { () async throws(SyncEngineError) in
            try await honest.read(account, from: place, limit: limit)
        }
    }

    func wait(_ account: Digest32, after place: UInt64, patience: Duration) async throws(SyncEngineError) -> Bool {
        try await honest.wait(account, after: place, patience: patience)
    }

    func put(_ bytes: [UInt8], at key: SideKey, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer {
        try await through { () async throws(SyncEngineError) in try await honest.put(bytes, at: key, of: account) }
    }

    func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        try await honest.get(key, of: account)
    }

    func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        try await through { () async throws(SyncEngineError) in try await honest.remove(account, below: place) }
    }
}
