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

/// Keeps logs in etcd 3.4 or newer, by its JSON gateway. A put is answered when most of the cluster has synced it.
public final class EtcdEngine: SyncEngine {
    /// The address of the cluster, and the credentials of this client.
    public struct Configuration: Sendable {
        /// `http://host:port` or `https://host:port` of each node; the next is asked where one doesn't answer.
        public var endpoints: [String]
        /// Before the account in each key.
        public var prefix = "zamok/"
        /// A user of etcd with rights on the account's prefix.
        public var user: (name: String, password: String)?
        /// PEM file of the authority that certifies the nodes; else the system's.
        public var authorityFile: String?
        /// PEM files of this device's certificate and key for TLS.
        public var clientCertificate: (certificateFile: String, keyFile: String)?
        /// How long one request to one node may take, its answer included; a second more for each 64 KiB of that.
        public var timeout = Duration.seconds(5)

        /// Nodes of one cluster.
        public init(endpoints: [String]) { self.endpoints = endpoints }
    }

    let configuration: Configuration
    let client: HTTPClient
    private let token = TokenBox()

    /// Opens no connection yet.
    /// - Throws: `refused` if a file of a certificate or key can't be read.
    public init(_ configuration: Configuration) throws(SyncEngineError) {
        self.configuration = configuration
        var settings = HTTPClient.Configuration()
        settings.timeout = .init(connect: .seconds(3))
        settings.redirectConfiguration = .disallow
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            if let file = configuration.authorityFile { tls.trustRoots = .file(file) }
            if let (certificate, key) = configuration.clientCertificate {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            }
            settings.tlsConfiguration = tls
        } catch {
            throw SyncEngineError(.refused, "a file of the certificate or key for etcd can't be read: \(error)")
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

    /// So few digits of the account, since etcd keeps them with each entry, and entries are signed for the whole of it.
    private static let accountDigits = 24

    private func prefix(_ account: Digest32) -> String {
        configuration.prefix + EngineName.account(account).prefix(Self.accountDigits) + "/"
    }

    private func logKey(_ account: Digest32, _ place: UInt64) -> String {
        "\(prefix(account))log/\(EngineName.place(place))"
    }

    /// Creates the key of the place, unless there is one.
    /// - Throws: `leased` if one is there that will vanish.
    public func append(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        try await create(logKey(account, place), EntryForm.value(bytes, at: place, of: account))
    }

    private func create(_ key: String, _ bytes: [UInt8]) async throws(SyncEngineError) -> AppendAnswer {
        let key = Data(key.utf8).base64EncodedString()
        let answer: Transaction.Answer = try await ask(
            "kv/txn",
            Transaction(
                compare: [.init(key: key)],
                success: [.init(request_put: .init(key: key, value: Data(bytes).base64EncodedString()))],
                failure: [.init(request_range: .init(key: key))]))
        if answer.succeeded == true { return .done }
        if answer.responses?.first?.response_range?.kvs?.first?.isLeased == true { throw .leased }
        return .taken
    }

    /// One transaction that creates the key and reads what is stored there afterwards.
    /// - Throws: `leased` if something is there that will vanish.
    public func appendAndRead(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> (answer: AppendAnswer, shown: [StoredEntry]) {
        let key = Data(logKey(account, place).utf8).base64EncodedString()
        let end = Data("\(prefix(account))log0".utf8).base64EncodedString()
        let looking = { (limit: Int) in
            let start = Data(self.logKey(account, place - 1).utf8).base64EncodedString()
            return Transaction.Step(request_range: .init(key: start, range_end: end, limit: "\(limit)"))
        }
        let answer: Transaction.Answer = try await ask(
            "kv/txn",
            Transaction(
                compare: [.init(key: key)],
                success: [
                    .init(
                        request_put: .init(
                            key: key,
                            value: Data(EntryForm.value(bytes, at: place, of: account)).base64EncodedString())),
                    looking(2),
                ],
                failure: [looking(32)]))
        let pairs = answer.responses?.last?.response_range?.kvs ?? []
        let isDone = answer.succeeded == true
        if !isDone, pairs.contains(where: { $0.key == key && $0.isLeased }) { throw .leased }
        return (isDone ? .done : .taken, try entries(pairs, of: account))
    }

    /// A linearizable range. What hangs on a lease is no entry, nor is what comes after it.
    public func read(
        _ account: Digest32, from place: UInt64, limit: Int
    ) async throws(SyncEngineError) -> [StoredEntry] {
        // Entries have up to 1 MiB, and the whole answer is one piece of JSON.
        let answer = try await range(logKey(account, place), to: "\(prefix(account))log0", limit: min(limit, 32))
        return try entries(answer.kvs ?? [], of: account)
    }

    /// The cluster counts. A foreign key among them makes another number than is expected, and so costs a reading.
    public func count(
        _ account: Digest32, from place: UInt64, through last: UInt64
    ) async throws(SyncEngineError) -> Int {
        let answer: RangeAnswer = try await ask(
            "kv/range",
            RangeRequest(
                key: Data(logKey(account, place).utf8).base64EncodedString(),
                range_end: Data(logKey(account, last + 1).utf8).base64EncodedString(), limit: nil, count_only: true))
        guard let count = Int(answer.count ?? "0") else { throw .answer("a count") }
        return count
    }

    private func entries(_ pairs: [KeyValue], of account: Digest32) throws(SyncEngineError) -> [StoredEntry] {
        var found: [StoredEntry] = []
        let start = prefix(account).utf8.count + 4
        for pair in pairs {
            guard let key = Data(base64Encoded: pair.key), key.count == start + 16,
                let place = UInt64(String(decoding: key.suffix(16), as: UTF8.self), radix: 16),
                key.suffix(16).elementsEqual(EngineName.place(place).utf8)
            else { continue }
            if pair.isLeased { break }
            guard let bytes = Data(base64Encoded: pair.value ?? "") else { throw .answer("a value") }
            found.append(
                StoredEntry(place: place, bytes: EntryForm.entry(Array(bytes), at: place, of: account)))
        }
        return found
    }

    private func range(_ key: String, to end: String?, limit: Int) async throws(SyncEngineError) -> RangeAnswer {
        try await ask(
            "kv/range",
            RangeRequest(
                key: Data(key.utf8).base64EncodedString(), range_end: end.map { Data($0.utf8).base64EncodedString() },
                limit: "\(limit)"))
    }

    /// Looks, then watches from the revision of that look on: nothing that comes between is missed.
    public func wait(
        _ account: Digest32, after place: UInt64, patience: Duration
    ) async throws(SyncEngineError) -> Bool {
        let next = logKey(account, place + 1)
        let now = try await range(next, to: "\(prefix(account))log0", limit: 1)
        if now.kvs?.isEmpty == false { return true }
        guard let revision = Int64(now.header.revision ?? "") else { throw .answer("a revision") }
        let watch = Watch(
            create_request: .init(
                key: Data(next.utf8).base64EncodedString(),
                range_end: Data("\(prefix(account))log0".utf8).base64EncodedString(), start_revision: "\(revision + 1)")
        )
        do {
            return try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { try await self.isTold(watch, patience: patience) }
                group.addTask {
                    try await Task.sleep(for: patience)
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() ?? false
            }
        } catch let error as SyncEngineError {
            throw error
        } catch {
            throw .unreachable(error)
        }
    }

    /// Whether the watch sent more than the confirmation that it was created. That is an event, or its end (the cluster
    /// was compacted, or a leader was lost).
    private func isTold(_ watch: Watch, patience: Duration) async throws -> Bool {
        let body = try JSONEncoder().encode(watch)
        let response = try await eachNode { try await send("watch", body, to: $0, timeout: patience + .seconds(5)) }
        var line: [UInt8] = []
        for try await part in response.body {
            line += part.readableBytesView
            guard line.count <= 4 * SyncLimits.entry else { throw SyncEngineError.answer("a line of the watch") }
            while let end = line.firstIndex(of: 10) {
                let told = try? JSONDecoder().decode(Watch.Told.self, from: Data(line[..<end]))
                line.removeSubrange(...end)
                if told?.result?.created == true, told?.result?.events?.isEmpty != false, told?.result?.canceled != true
                {
                    continue
                }
                return true
            }
        }
        return true
    }

    /// A head statement replaces the one before it. Everything else is created.
    public func put(
        _ bytes: [UInt8], at key: SideKey, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        let path = prefix(account) + key.path
        guard key.isReplaced else { return try await create(path, bytes) }
        let _: Empty = try await ask(
            "kv/put",
            Transaction.Put(
                key: Data(path.utf8).base64EncodedString(), value: Data(bytes).base64EncodedString()))
        return .done
    }

    /// Deletes two ranges; etcd gives the space back when the cluster is compacted, which no home's role allows.
    public func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        for folder in ["log/", "snapshots/"] {
            let base = prefix(account) + folder
            let _: Empty = try await ask(
                "kv/deleterange",
                RangeRequest(
                    key: Data(base.utf8).base64EncodedString(),
                    range_end: Data((base + EngineName.place(place)).utf8).base64EncodedString(), limit: nil))
        }
    }

    /// The value of a key beside the log.
    public func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        guard let pair = try await range(prefix(account) + key.path, to: nil, limit: 1).kvs?.first else { return nil }
        guard let bytes = Data(base64Encoded: pair.value ?? "") else { throw .answer("a value") }
        return Array(bytes)
    }
}

extension EtcdEngine {
    private func ask<Question: Encodable & Sendable, Answer: Decodable>(
        _ path: String, _ question: Question
    ) async throws(SyncEngineError) -> Answer {
        do {
            let body = try JSONEncoder().encode(question)
            var (status, bytes) = try await answer(path, body)
            if Self.code(bytes, status) == 16, configuration.user != nil {
                await token.forget()
                (status, bytes) = try await answer(path, body)
            }
            guard status == 200 else {
                if let named = SyncEngineError.commonName(bytes) { throw named }
                let fault = try? JSONDecoder().decode(Fault.self, from: bytes)
                if configuration.user == nil, String(decoding: bytes, as: UTF8.self).contains("user name is empty") {
                    throw SyncEngineError(
                        .refused, "etcd asks for a user: add user=NAME&password-file=FILE behind the ? of its URL")
                }
                let isRefused = [7, 16].contains(fault?.code)
                throw SyncEngineError(
                    isRefused ? .refused : .unreachable,
                    isRefused
                        ? "etcd doesn't let this device do it; check the user, its password and its role's prefix"
                        : "etcd answered with status \(status)")
            }
            return try JSONDecoder().decode(Answer.self, from: bytes)
        } catch let error as SyncEngineError {
            throw error
        } catch is DecodingError {
            throw .answer(path)
        } catch {
            throw .unreachable(error)
        }
    }

    private static func code(_ bytes: Data, _ status: Int) -> Int? {
        status == 200 ? nil : (try? JSONDecoder().decode(Fault.self, from: bytes))?.code
    }

    private func answer(_ path: String, _ body: Data) async throws -> (Int, Data) {
        try await eachNode { endpoint in
            try await inTime(configuration.timeout) { progress in
                let response = try await self.send(path, body, to: endpoint, timeout: self.configuration.timeout)
                var bytes = Data()
                for try await part in response.body {
                    progress.take(part.readableBytes)
                    bytes += part.readableBytesView
                    guard bytes.count <= 96 * SyncLimits.entry else { throw SyncEngineError.answer(path) }
                }
                return (Int(response.status.code), bytes)
            }
        }
    }

    /// Asks one node after the other, until one answers whole.
    private func eachNode<Answer>(_ ask: (String) async throws -> Answer) async throws -> Answer {
        var last: any Error = SyncEngineError(.unreachable, "no node of etcd is named")
        for endpoint in configuration.endpoints {
            do { return try await ask(endpoint) } catch { last = error }
        }
        throw last
    }

    /// `timeout`: until the head of the answer has come.
    private func send(
        _ path: String, _ body: Data, to endpoint: String, timeout: Duration
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: "\(endpoint)/v3/\(path)")
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: body))
        if let user = configuration.user {
            let token = try await token.value { try await self.authenticate(at: endpoint, user.name, user.password) }
            request.headers.add(name: "Authorization", value: token)
        }
        return try await client.execute(request, timeout: .nanoseconds(Int64(timeout / .nanoseconds(1))))
    }

    private func authenticate(at endpoint: String, _ name: String, _ password: String) async throws -> String {
        var request = HTTPClientRequest(url: "\(endpoint)/v3/auth/authenticate")
        request.method = .POST
        request.body = .bytes(
            ByteBuffer(bytes: try JSONEncoder().encode(Authentication(name: name, password: password))))
        let response = try await client.execute(request, timeout: .seconds(5))
        let answer = Data(try await response.body.collect(upTo: 65_536).readableBytesView)
        guard response.status == .ok,
            let token = try? JSONDecoder().decode(Authentication.Answer.self, from: answer).token
        else {
            throw SyncEngineError.commonName(answer)
                ?? SyncEngineError(.refused, "etcd doesn't know the user or its password")
        }
        return token
    }
}

/// The token of the user, asked for once.
private actor TokenBox {
    private var token: String?

    func value(_ make: @Sendable () async throws -> String) async throws -> String {
        if let token { return token }
        let made = try await make()
        token = made
        return made
    }

    func forget() { token = nil }
}

extension SyncEngineError {
    static var leased: Self {
        Self(.leased, "an entry hangs on a lease of etcd and will vanish; revoke the lease, then sync again")
    }

    /// What a gateway says in text alone.
    static func commonName(_ answer: Data) -> Self? {
        guard answer.count < 1024, String(decoding: answer, as: UTF8.self).contains("CommonName") else { return nil }
        return Self(
            .refused,
            "etcd's gateway takes no client certificate with a common name; make this device one without (openssl req -subj /O=NAME)"
        )
    }

    static func answer(_ what: String) -> Self { Self(.damaged, "etcd's answer is not one: \(what)") }

    static func unreachable(_ cause: any Error) -> Self {
        Self(.unreachable, "etcd doesn't answer (\(cause)); what was to be sent is kept, so sync again later")
    }
}
