// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncLog
import Synchronization

/// A folder behind an engine that loses, delays, reorders and garbles single entries.
///
/// It loses no entry at which a home may be about to write, and hides none but the newest. Losing entries written since
/// a home last read, or hiding entries behind a hole, would show an older log, which is reported as different bytes.
final class RoughEngine: SyncEngine {
    private struct Told {
        var isRough = true
        var counts: [String: Int] = [:]
        /// From where each home read last: it writes nowhere below.
        var reads: [Int: UInt64] = [:]
    }

    /// What the homes' views of one engine share.
    private final class Shared: Sendable {
        let folder: EngineFolder
        let told = Mutex(Told())

        init() throws { folder = try EngineFolder() }
    }

    private let engine: FileEngine
    private let shared: Shared
    private let home: Int

    private var folder: EngineFolder { shared.folder }

    convenience init() throws { self.init(try Shared(), home: 0) }

    private init(_ shared: Shared, home: Int) {
        self.shared = shared
        self.home = home
        engine = FileEngine(folder: shared.folder.path)
    }

    /// The same engine, as another home sees it.
    func seen(by home: Int) -> RoughEngine { RoughEngine(shared, home: home) }

    /// From now on it is an engine as any other.
    func calm() { shared.told.withLock { $0.isRough = false } }

    /// What it did, and how often.
    var counts: [String: Int] { shared.told.withLock { $0.counts } }

    /// Whether it does this, once in so many times.
    private func does(_ what: String, oneIn count: Int) -> Bool {
        shared.told.withLock { told in
            guard told.isRough, Int.random(in: 0..<count) == 0 else { return false }
            told.counts[what, default: 0] += 1
            return true
        }
    }

    func append(_ bytes: [UInt8], at place: UInt64, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer
    {
        if does("appends lost", oneIn: 40) { return .done }
        if does("appends late", oneIn: 40) { try? await Task.sleep(for: .milliseconds(Int.random(in: 1...30))) }
        let answer = try await engine.append(bytes, at: place, of: account)
        let passed = shared.told.withLock { told in told.reads.values.min() ?? 0 }
        if passed > 40, does("entries lost", oneIn: 15) {
            let lost = EngineName.place(UInt64.random(in: passed - 30..<passed))
            try? FileManager.default.removeItem(atPath: "\(folder.path)/\(EngineName.account(account))/log/\(lost)")
        }
        if does("answers lost", oneIn: 40) { throw SyncEngineError(.unreachable, "no answer") }
        return answer
    }

    func read(_ account: Digest32, from place: UInt64, limit: Int) async throws(SyncEngineError) -> [StoredEntry] {
        shared.told.withLock { $0.reads[home] = place }
        var found = try await engine.read(account, from: place, limit: limit)
        guard let first = found.first, let last = found.last else { return found }
        if found.count > 1, last.place == first.place + UInt64(found.count) - 1, does("answers short", oneIn: 25) {
            found.removeLast()
        }
        if found.count > 1, does("answers in another order", oneIn: 25) {
            let at = Int.random(in: 1..<found.count)
            let (before, after) = (found[at - 1], found[at])
            found[at - 1] = StoredEntry(place: before.place, bytes: after.bytes)
            found[at] = StoredEntry(place: after.place, bytes: before.bytes)
        }
        if does("answers garbled", oneIn: 25) {
            let at = Int.random(in: found.indices)
            var bytes = found[at].bytes
            bytes[Int.random(in: bytes.indices)] ^= UInt8.random(in: 1...255)
            found[at] = StoredEntry(place: found[at].place, bytes: bytes)
        }
        return found
    }

    func count(_ account: Digest32, from place: UInt64, through last: UInt64) async throws(SyncEngineError) -> Int {
        try await engine.count(account, from: place, through: last)
    }

    func wait(_ account: Digest32, after place: UInt64, patience: Duration) async throws(SyncEngineError) -> Bool {
        try await engine.wait(account, after: place, patience: patience)
    }

    func put(_ bytes: [UInt8], at key: SideKey, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer {
        try await engine.put(bytes, at: key, of: account)
    }

    func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        try await engine.get(key, of: account)
    }
}
