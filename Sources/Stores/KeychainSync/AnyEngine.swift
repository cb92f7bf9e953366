// SPDX-License-Identifier: Apache-2.0

public import SyncEngines
public import SyncLog

/// An engine of any type.
public struct AnyEngine: SyncEngine {
    private let engine: any SyncEngine

    /// Wraps an engine of any type.
    public init(_ engine: any SyncEngine) { self.engine = engine }

    /// As the engine does.
    public func append(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        try await engine.append(bytes, at: place, of: account)
    }

    /// As the engine does.
    public func appendAndRead(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> (answer: AppendAnswer, shown: [StoredEntry]) {
        try await engine.appendAndRead(bytes, at: place, of: account)
    }

    /// As the engine does.
    public func read(
        _ account: Digest32, from place: UInt64, limit: Int
    ) async throws(SyncEngineError) -> [StoredEntry] {
        try await engine.read(account, from: place, limit: limit)
    }

    /// As the engine does.
    public func count(
        _ account: Digest32, from place: UInt64, through last: UInt64
    ) async throws(SyncEngineError) -> Int {
        try await engine.count(account, from: place, through: last)
    }

    /// As the engine does.
    public func wait(
        _ account: Digest32, after place: UInt64, patience: Duration
    ) async throws(SyncEngineError) -> Bool {
        try await engine.wait(account, after: place, patience: patience)
    }

    /// As the engine does.
    public func put(
        _ bytes: [UInt8], at key: SideKey, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        try await engine.put(bytes, at: key, of: account)
    }

    /// As the engine does.
    public func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        try await engine.get(key, of: account)
    }

    /// As the engine does.
    public func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        try await engine.remove(account, below: place)
    }

    /// As the engine does.
    public func mustBeInPlace(_ account: Digest32) async throws(SyncEngineError) {
        try await engine.mustBeInPlace(account)
    }
}
