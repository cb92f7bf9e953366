// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import Synchronization
import Testing

/// A file engine that lies as a test says.
final class HostileEngine: SyncEngine {
    struct Lies: Sendable {
        var append: @Sendable ([UInt8], UInt64) -> AppendAnswer? = { _, _ in nil }
        var read: @Sendable ([StoredEntry]) -> [StoredEntry] = { $0 }
        var get: @Sendable ([UInt8]?) -> [UInt8]? = { $0 }
        var fault: SyncEngineError?
        var stored: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    }

    let honest: FileEngine
    let folder: URL
    private let original: HostileEngine?
    private let lies = Mutex(Lies())

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        honest = FileEngine(folder: folder.path)
        original = nil
    }

    /// The same folder, with lies of its own: what one home is shown, and others are not.
    init(beside other: HostileEngine) {
        (folder, honest) = (other.folder, other.honest)
        original = other
    }

    deinit { if original == nil { try? FileManager.default.removeItem(at: folder) } }

    func lie(_ change: (inout Lies) -> Void) { lies.withLock { change(&$0) } }
    func stopLying() { lies.withLock { $0 = Lies() } }

    func append(_ bytes: [UInt8], at place: UInt64, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer
    {
        let lies = lies.withLock { $0 }
        if let fault = lies.fault { throw fault }
        if let answer = lies.append(bytes, place) { return answer }
        return try await honest.append(lies.stored(bytes), at: place, of: account)
    }

    func read(_ account: Digest32, from place: UInt64, limit: Int) async throws(SyncEngineError) -> [StoredEntry] {
        let found = try await honest.read(account, from: place, limit: limit)
        return lies.withLock { $0 }.read(found)
    }

    func wait(_ account: Digest32, after place: UInt64, patience: Duration) async throws(SyncEngineError) -> Bool {
        try await honest.wait(account, after: place, patience: patience)
    }

    func put(_ bytes: [UInt8], at key: SideKey, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer {
        try await honest.put(bytes, at: key, of: account)
    }

    func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        let found = try await honest.get(key, of: account)
        return lies.withLock { $0 }.get(found)
    }

    func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        try await honest.remove(account, below: place)
    }

    func file(_ account: Digest32, _ place: UInt64) -> URL {
        let digits = { (text: String, count: Int) in String(repeating: "0", count: count - text.count) + text }
        return folder.appending(path: account.map { digits(String($0, radix: 16), 2) }.joined())
            .appending(path: "log/\(digits(String(place, radix: 16), 16))")
    }

    func remove(_ account: Digest32, _ place: UInt64) throws {
        try FileManager.default.removeItem(at: file(account, place))
    }
    func overwrite(_ account: Digest32, _ place: UInt64, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: file(account, place))
    }
}

/// Members of an account on a hostile engine.
struct World {
    typealias Member = SyncMember<HostileEngine>
    let engine: HostileEngine
    var a: Member
    var b: Member

    init() async throws {
        engine = try HostileEngine()
        a = try await Member.create(DeviceKeys(), on: engine)
        let device = try DeviceKeys()
        _ = try await a.send { try $0.addition(of: device.record) }
        b = try await Member.follow(a.replica.state.account, device, on: engine)
        try await a.put("k", "first")
        try await b.pull()
    }

    var account: Digest32 { a.replica.state.account }
    var head: UInt64 { a.replica.state.place }
}

extension SyncMember {
    mutating func put(_ key: String, _ value: String, time: UInt64 = 1) async throws {
        try edit([
            NewOperation(
                key: Array(key.utf8), protectionClass: .none, time: time,
                context: replica.context(of: Array(key.utf8)), change: .put(value: Array(value.utf8), from: nil))
        ])
        try await push()
    }

    func value(_ key: String) -> String? {
        if case .value(let value) = replica.items[Array(key.utf8)].value {
            String(bytes: value, encoding: .utf8)
        } else {
            nil
        }
    }
}

/// Expects that something is noticed and named.
func stops<T>(_ code: SyncLogError.Code, _ body: () async throws -> T) async {
    do {
        _ = try await body()
        Issue.record("nothing was noticed; expected \(code)")
    } catch let error as SyncLogError {
        #expect(error.code == code, "\(error)")
    } catch {
        Issue.record("\(error)")
    }
}
