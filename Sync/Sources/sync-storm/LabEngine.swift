// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncEtcd
import SyncLog
import SyncS3

/// An engine by its name: `file:FOLDER`, `etcd:URL,URL,...`, or `s3:URL/BUCKET` with the credentials in LAB_S3_KEY and
/// LAB_S3_SECRET.
struct LabEngine: SyncEngine {
    private let engine: any SyncEngine
    private let ending: @Sendable () async -> Void
    /// Nothing is removed, so that a reader can begin at the genesis.
    var keepsAll = false

    init(_ name: String, timeout: Duration = .seconds(2)) throws {
        let rest = String(name.drop { $0 != ":" }.dropFirst())
        switch name.prefix(while: { $0 != ":" }) {
        case "file":
            engine = FileEngine(folder: rest)
            ending = {}
        case "etcd":
            var settings = EtcdEngine.Configuration(endpoints: rest.split(separator: ",").map(String.init))
            settings.timeout = timeout
            let etcd = try EtcdEngine(settings)
            engine = etcd
            ending = { await etcd.close() }
        case "s3":
            let environment = ProcessInfo.processInfo.environment
            let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
            var settings = S3Engine.Configuration(
                endpoint: parts.dropLast().joined(separator: "/"), bucket: parts.last.map(String.init) ?? "",
                accessKey: environment["LAB_S3_KEY"] ?? "", secretKey: environment["LAB_S3_SECRET"] ?? "")
            settings.timeout = timeout
            settings.pauses = .milliseconds(20)...(.seconds(1))
            let s3 = try S3Engine(settings)
            engine = s3
            ending = { await s3.close() }
        default: throw SyncEngineError(.refused, "an engine is file:FOLDER, etcd:URL,... or s3:URL/BUCKET")
        }
    }

    func close() async { await ending() }

    func append(_ bytes: [UInt8], at place: UInt64, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer
    {
        try await engine.append(bytes, at: place, of: account)
    }

    func appendAndRead(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> (answer: AppendAnswer, shown: [StoredEntry]) {
        try await engine.appendAndRead(bytes, at: place, of: account)
    }

    func read(_ account: Digest32, from place: UInt64, limit: Int) async throws(SyncEngineError) -> [StoredEntry] {
        try await engine.read(account, from: place, limit: limit)
    }

    func count(_ account: Digest32, from place: UInt64, through last: UInt64) async throws(SyncEngineError) -> Int {
        try await engine.count(account, from: place, through: last)
    }

    func wait(_ account: Digest32, after place: UInt64, patience: Duration) async throws(SyncEngineError) -> Bool {
        try await engine.wait(account, after: place, patience: patience)
    }

    func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        if !keepsAll { try await engine.remove(account, below: place) }
    }

    func put(_ bytes: [UInt8], at key: SideKey, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer {
        try await engine.put(bytes, at: key, of: account)
    }

    func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        try await engine.get(key, of: account)
    }
}
