// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
public import SyncEngines
public import SyncLog
internal import SyncRequests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps logs in a bucket of any server that speaks S3's protocol and honours `If-None-Match: *`. That is tried before
/// the first entry is written.
public final class S3Engine: SyncEngine {
    /// The address of the bucket, and the credentials of this client.
    public struct Configuration: Sendable {
        /// `https://host`, with a port if it has one. The bucket is named in the path.
        public var endpoint: String
        /// The bucket, which exists.
        public var bucket: String
        /// Before the account in each key.
        public var prefix = "zamok/"
        /// By which requests are signed.
        public var region = "us-east-1"
        /// The identifier of the credentials.
        public var accessKey: String
        /// Its secret.
        public var secretKey: String
        /// A token of temporary credentials.
        public var sessionToken: String?
        /// PEM file of the authority that certifies the endpoint; else the system's.
        public var authorityFile: String?
        /// How long one request may take, its answer included; a second more for each 64 KiB of that.
        public var timeout = Duration.seconds(10)
        /// How often something is tried that the endpoint asks to try again, or doesn't answer.
        public var attempts = 6
        /// Pauses between two looks for an entry: from the first to the second, doubled each time.
        public var pauses = Duration.milliseconds(250)...Duration.seconds(60)

        /// A bucket and the credentials for it.
        public init(endpoint: String, bucket: String, accessKey: String, secretKey: String) {
            self.endpoint = endpoint
            self.bucket = bucket
            self.accessKey = accessKey
            self.secretKey = secretKey
        }
    }

    let configuration: Configuration
    let client: HTTPClient
    private let conditions = Conditions()

    /// Opens no connection yet.
    /// - Throws: `refused` if the endpoint is none, or the authority's file can't be read.
    public init(_ configuration: Configuration) throws(SyncEngineError) {
        guard let url = URL(string: configuration.endpoint), url.host != nil, ["http", "https"].contains(url.scheme),
            url.path.isEmpty || url.path == "/", url.query == nil
        else { throw SyncEngineError(.refused, "the endpoint isn't of the form https://HOST or https://HOST:PORT") }
        self.configuration = configuration
        var settings = HTTPClient.Configuration()
        settings.timeout = .init(connect: .seconds(3))
        settings.redirectConfiguration = .disallow
        if let file = configuration.authorityFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(file)
            settings.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    // The client traps when it is released without a shutdown. An error before `close` must not cause that.
    deinit {
        let client = client
        Task { try? await client.shutdown() }
    }

    /// Ends all connections; the engine is of no use after it.
    public func close() async { try? await client.shutdown() }

    private func prefix(_ account: Digest32) -> String { configuration.prefix + EngineName.account(account) + "/" }

    private func logKey(_ account: Digest32, _ place: UInt64) -> String {
        "\(prefix(account))log/\(EngineName.place(place))"
    }

    /// Creates the object of the place, unless there is one.
    public func append(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        try await create(logKey(account, place), bytes)
    }

    private func create(_ key: String, _ bytes: [UInt8]) async throws(SyncEngineError) -> AppendAnswer {
        try await conditions.check { () async throws(SyncEngineError) in try await self.tryConditions() }
        return try await createUnchecked(key, bytes)
    }

    /// 412: something is there. After an attempt whose end isn't known it may be this.
    private func createUnchecked(_ key: String, _ bytes: [UInt8]) async throws(SyncEngineError) -> AppendAnswer {
        let answer = try await ask("PUT", key, headers: [("if-none-match", "*")], body: bytes, expecting: [200, 412])
        if answer.status == 200 { return .done }
        if answer.isAfterSilence, try await object(key) == bytes { return .done }
        return .taken
    }

    /// An endpoint that doesn't know the condition would let one home overwrite another's entry.
    private func tryConditions() async throws(SyncEngineError) {
        let key = configuration.prefix + "condition"
        if try await createUnchecked(key, Array("1".utf8)) == .taken { return }
        if try await createUnchecked(key, Array("2".utf8)) == .taken { return }
        throw SyncEngineError(
            .refused,
            "\(configuration.endpoint) ignores If-None-Match, so entries could be overwritten; use one that honours it")
    }

    /// A list of the names, then the objects, of each at most 1 MiB and a byte.
    public func read(
        _ account: Digest32, from place: UInt64, limit: Int
    ) async throws(SyncEngineError) -> [StoredEntry] {
        let listed = try await list(
            "\(prefix(account))log/", after: place == 0 ? nil : logKey(account, place - 1), limit: min(limit, 64))
        let places = listed.compactMap { object -> (UInt64, Bool)? in
            let digits = object.key.suffix(16)
            guard let found = UInt64(digits, radix: 16), logKey(account, found) == object.key, found >= place else {
                return nil
            }
            return (found, object.isEmpty)
        }
        var found: [StoredEntry] = []
        for (place, isEmpty) in places {
            // What was removed between the two is a hole.
            guard let bytes = isEmpty ? [] : try await object(logKey(account, place)) else { continue }
            found.append(StoredEntry(place: place, bytes: bytes))
        }
        return found
    }

    /// Counts names in lists of 1,000.
    public func count(
        _ account: Digest32, from place: UInt64, through last: UInt64
    ) async throws(SyncEngineError) -> Int {
        var (after, count) = (place == 0 ? nil : logKey(account, place - 1), 0)
        let end = logKey(account, last)
        while true {
            let listed = try await list("\(prefix(account))log/", after: after, limit: 1000)
            count += listed.count { object in
                guard object.key <= end, let own = UInt64(object.key.suffix(16), radix: 16) else { return false }
                return own >= place && logKey(account, own) == object.key
            }
            guard listed.count == 1000, let next = listed.last?.key, next < end else { return count }
            after = next
        }
    }

    private func list(
        _ prefix: String, after: String?, limit: Int
    ) async throws(SyncEngineError) -> [S3List.Object] {
        var query = [("list-type", "2"), ("prefix", prefix), ("max-keys", "\(limit)")]
        if let after { query.append(("start-after", after)) }
        let answer = try await ask("GET", nil, query: query, expecting: [200])
        return try S3List(answer.bytes).objects
    }

    private func object(_ key: String) async throws(SyncEngineError) -> [UInt8]? {
        let answer = try await ask(
            "GET", key, headers: [("range", "bytes=0-\(SyncLimits.entry)")], expecting: [200, 206, 404, 416])
        switch answer.status {
        case 404: return nil
        case 416: return []
        default: return answer.bytes
        }
    }

    /// Looks again and again, less and less often.
    public func wait(
        _ account: Digest32, after place: UInt64, patience: Duration
    ) async throws(SyncEngineError) -> Bool {
        let end = ContinuousClock.now + patience
        var pause = configuration.pauses.lowerBound
        while true {
            if try await ask("HEAD", logKey(account, place + 1), expecting: [200, 404]).status == 200 { return true }
            if ContinuousClock.now >= end { return false }
            guard (try? await Task.sleep(for: min(pause, end - ContinuousClock.now))) != nil else { return false }
            pause = min(pause * 2, configuration.pauses.upperBound)
        }
    }

    /// A head statement replaces the one before it. Everything else is created.
    public func put(
        _ bytes: [UInt8], at key: SideKey, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        let path = prefix(account) + key.path
        guard key.isReplaced else { return try await create(path, bytes) }
        _ = try await ask("PUT", path, body: bytes, expecting: [200])
        return .done
    }

    /// Deletes one object after the other.
    public func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        for folder in ["log/", "snapshots/"] {
            let base = prefix(account) + folder
            while true {
                let old = try await list(base, after: nil, limit: 1000).filter {
                    $0.key < base + EngineName.place(place)
                }
                if old.isEmpty { break }
                for object in old { _ = try await ask("DELETE", object.key, expecting: [200, 204, 404]) }
            }
        }
    }

    /// The object of a key beside the log.
    public func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        try await object(prefix(account) + key.path)
    }
}

extension S3Engine {
    private struct Answer {
        let status: Int
        let bytes: [UInt8]
        /// Whether an attempt before had no answer, so that it may have been done.
        let isAfterSilence: Bool
    }

    /// Asks until there is an answer that isn't "again": 409 and 429, 500, 502, 503, 504, or silence.
    private func ask(
        _ method: String, _ key: String?, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: [UInt8] = [], expecting expected: Set<Int>
    ) async throws(SyncEngineError) -> Answer {
        var isAfterSilence = false
        var last = SyncEngineError(.unreachable, "nothing was asked")
        for attempt in 0..<configuration.attempts {
            if attempt > 0 {
                let most = 50 << min(attempt, 6)
                let pause = Duration.milliseconds(Int.random(in: most / 2...most))
                guard (try? await Task.sleep(for: pause)) != nil else { throw last }
            }
            do {
                let (status, bytes) = try await send(method, key, query: query, headers: headers, body: body)
                if expected.contains(status) {
                    return Answer(status: status, bytes: bytes, isAfterSilence: isAfterSilence)
                }
                guard [409, 429, 500, 502, 503, 504].contains(status) else { throw refusal(status, bytes) }
                // What a server broke off may have been done.
                isAfterSilence = isAfterSilence || status >= 500
                last = SyncEngineError(
                    .unreachable, "the endpoint answered \(status); what was to be sent is kept, so sync again later")
            } catch let error as SyncEngineError {
                throw error
            } catch {
                isAfterSilence = true
                last = SyncEngineError(
                    .unreachable,
                    "the endpoint doesn't answer (\(error)); what was to be sent is kept, so sync again later")
            }
        }
        throw last
    }

    private func refusal(_ status: Int, _ bytes: [UInt8]) -> SyncEngineError {
        let name = S3List.text("Code", in: bytes).map { " (\($0.prefix(64)))" } ?? ""
        return switch status {
        case 401, 403:
            SyncEngineError(
                .refused,
                "the endpoint doesn't let this device do it\(name); check keys, region, clock and the bucket's policy")
        case 404: SyncEngineError(.refused, "there is no bucket \(configuration.bucket)\(name)")
        default: SyncEngineError(.damaged, "the endpoint answered \(status)\(name)")
        }
    }

    private func send(
        _ method: String, _ key: String?, query: [(String, String)], headers: [(String, String)], body: [UInt8]
    ) async throws -> (Int, [UInt8]) {
        let path = S3Signature.encode("/\(configuration.bucket)" + (key.map { "/\($0)" } ?? ""), keepingSlash: true)
        let date = S3Signature.stamp(Date.now)
        let payload = S3Signature.digest(body)
        let authority = configuration.endpoint.split(separator: "/").last.map(String.init) ?? ""
        var signed = headers.map { (name: $0.0, value: $0.1) }
        signed += [("host", authority), ("x-amz-content-sha256", payload), ("x-amz-date", date)]
        if let token = configuration.sessionToken { signed.append(("x-amz-security-token", token)) }
        let signature = S3Signature(
            accessKey: configuration.accessKey, secretKey: configuration.secretKey, region: configuration.region)
        let encoded = S3Signature.encode(query)
        var request = HTTPClientRequest(
            url: configuration.scheme + authority + path + (encoded.isEmpty ? "" : "?" + encoded))
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in signed { request.headers.add(name: name, value: value) }
        request.headers.add(
            name: "authorization",
            value: signature.authorization(
                method, path: path, query: query, headers: signed, payload: payload, date: date))
        if method == "PUT" { request.body = .bytes(ByteBuffer(bytes: body)) }
        return try await inTime(configuration.timeout) { [request] progress in try await self.answer(request, progress)
        }
    }

    private func answer(_ request: HTTPClientRequest, _ progress: AnswerProgress) async throws -> (Int, [UInt8]) {
        let response = try await client.execute(
            request, timeout: .nanoseconds(Int64(configuration.timeout / .nanoseconds(1))))
        // A server that ignores the range sends more than was asked for, which no reader needs.
        var bytes: [UInt8] = []
        for try await part in response.body {
            progress.take(part.readableBytes)
            bytes += part.readableBytesView
            if bytes.count > 2 * SyncLimits.entry { break }
        }
        return (Int(response.status.code), bytes)
    }
}

extension S3Engine.Configuration {
    fileprivate var scheme: String { endpoint.hasPrefix("https:") ? "https://" : "http://" }
}

/// Whether the endpoint honours conditions: asked once.
private actor Conditions {
    private var isKnown = false

    func check(_ look: @Sendable () async throws(SyncEngineError) -> Void) async throws(SyncEngineError) {
        if isKnown { return }
        try await look()
        isKnown = true
    }
}
