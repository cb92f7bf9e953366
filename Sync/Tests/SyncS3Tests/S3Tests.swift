// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import Testing

@testable import SyncS3

/// Against a real server of S3's protocol. Without one (Python's moto with its server) the tests are skipped, and the
/// runner reports it.
@Suite(.enabled(if: S3Server.isThere, "needs Python's moto: pip install 'moto[server,s3]'"), .serialized)
struct S3Tests {
    private static let account = [UInt8](repeating: 0xAB, count: 32)

    private static func with(_ mode: String = "", _ body: (S3Server, S3Engine) async throws -> Void) async throws {
        let server = try S3Server(mode)
        let engine = try S3Engine(server.configuration)
        do {
            try await body(server, engine)
            await engine.close()
        } catch {
            await engine.close()
            throw error
        }
    }

    // Rule: a place in a bucket is taken once, by one of several writers at the same time | the header if-none-match
    //   not sent | several writers are told done
    @Test(arguments: ["", "flaky"]) func `of eight writers at one place one is told that it is done`(
        _ mode: String
    ) async throws {
        try await Self.with(mode) { _, engine in
            for place in UInt64(1)...10 {
                let answers = try await withThrowingTaskGroup(of: (UInt8, AppendAnswer).self) { group in
                    for writer in UInt8(0)..<8 {
                        group.addTask { (writer, try await engine.append([writer], at: place, of: Self.account)) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let done = answers.filter { $0.1 == .done }
                #expect(done.count == 1)
                let stored = try await engine.read(Self.account, from: place, limit: 1)
                #expect(stored == [StoredEntry(place: place, bytes: done.map(\.0))])
            }
            #expect(try await engine.read(Self.account, from: 3, limit: 5).map(\.place) == [3, 4, 5, 6, 7])
            #expect(try await engine.read([UInt8](repeating: 1, count: 32), from: 1, limit: 5).isEmpty)
        }
    }

    // Rule: a server that ignores the condition is not written to | tryConditions taken out | the second writer is told
    //   done
    @Test func `a server that ignores the condition is refused before the first entry`() async throws {
        try await Self.with("careless") { _, engine in
            await #expect(throws: SyncEngineError(.refused, "")) {
                try await engine.append([1], at: 1, of: Self.account)
            }
            let found = try await engine.read(Self.account, from: 1, limit: 5)
            #expect(found.isEmpty)
        }
    }

    @Test func `what is beside the log is created once, but heads are replaced`() async throws {
        try await Self.with { _, engine in
            let key = SideKey.join(id: [1, 2], step: 1)
            var answers = [try await engine.put([1], at: key, of: Self.account)]
            answers.append(try await engine.put([2], at: key, of: Self.account))
            answers.append(try await engine.put([1], at: .head(1), of: Self.account))
            answers.append(try await engine.put([2], at: .head(1), of: Self.account))
            #expect(answers == [.done, .taken, .done, .done])
            var values = [try await engine.get(key, of: Self.account)]
            values.append(try await engine.get(.head(1), of: Self.account))
            values.append(try await engine.get(.head(2), of: Self.account))
            #expect(values == [[1], [2], nil])
        }
    }

    @Test func `what is settled is removed, and nothing above it`() async throws {
        try await Self.with { _, engine in
            for place in UInt64(1)...4 {
                _ = try await engine.append([1], at: place, of: Self.account)
                _ = try await engine.put([1], at: .chunk(place: place, stream: 0, index: 0), of: Self.account)
            }
            try await engine.remove(Self.account, below: 3)
            let found = try await engine.read(Self.account, from: 1, limit: 5)
            #expect(found.map(\.place) == [3, 4])
            var chunks: [[UInt8]?] = []
            for place in UInt64(1)...4 {
                chunks.append(try await engine.get(.chunk(place: place, stream: 0, index: 0), of: Self.account))
            }
            #expect(chunks == [nil, nil, [1], [1]])
        }
    }

    @Test func `an object that is empty or too long is read as far as it is needed`() async throws {
        try await Self.with { _, engine in
            _ = try await engine.append([], at: 1, of: Self.account)
            _ = try await engine.append(
                [UInt8](repeating: 7, count: 3 * SyncLimits.entry), at: 2, of: Self.account)
            let found = try await engine.read(Self.account, from: 1, limit: 5)
            #expect(found.map(\.bytes.count) == [0, SyncLimits.entry + 1])
        }
    }

    @Test func `two homes share items, and a waiting home is woken`() async throws {
        try await Self.with("flaky") { _, engine in
            var a = try await SyncMember<S3Engine>.create(DeviceKeys(), on: engine)
            let account = a.replica.state.account
            let device = try DeviceKeys()
            _ = try await a.send { try $0.addition(of: device.record) }
            var b = try await SyncMember<S3Engine>.follow(account, device, on: engine)
            #expect(try await engine.wait(account, after: 2, patience: .milliseconds(20)) == false)
            async let woken = engine.wait(account, after: 2, patience: .seconds(60))
            try a.edit([
                NewOperation(
                    key: [107], protectionClass: .none, time: 1, context: Context(),
                    change: .put(value: [118], from: nil))
            ])
            try await a.push()
            #expect(try await woken)
            try await b.pull()
            #expect(b.replica.items[[107]].value == .value([118]))
        }
    }

    @Test func `objects copied from one account to another are void, or refused`() async throws {
        try await Self.with { _, engine in
            var a = try await SyncMember<S3Engine>.create(DeviceKeys(), on: engine)
            var other = try await SyncMember<S3Engine>.create(DeviceKeys(), on: engine)
            _ = try await other.send { try $0.epoch().entry }
            let isMade = try await other.snapshot(now: 1)
            #expect(isMade)
            let (account, elsewhere) = (a.replica.state.account, other.replica.state.account)
            let entry = try #require(other.replica.bytes(at: 2))
            _ = try await engine.append(entry, at: 2, of: account)
            try await a.pull()
            #expect(a.replica.notices == [.void(place: 2, .anotherAccount)])
            let chunk = try await engine.get(.chunk(place: 3, stream: 0, index: 0), of: elsewhere)
            _ = try await engine.put(chunk ?? [], at: .chunk(place: 3, stream: 0, index: 0), of: account)
            await #expect(throws: SyncLogError(.differentBytes, "")) { try await a.snapshot(now: 1) }
            let stored = try #require(try await SyncMember<S3Engine>.stored(3, of: elsewhere, on: engine))
            #expect(throws: SyncLogError(.unknownSnapshot, "")) {
                _ = try LogReplica(startingAt: stored, account: account, device: DeviceKeys())
            }
        }
    }

    @Test func `a wrong secret, a bucket that isn't there and silence are told`() async throws {
        try await Self.with { server, _ in
            var wrong = server.configuration
            wrong.secretKey += "x"
            var elsewhere = server.configuration
            elsewhere.bucket = "nowhere"
            var silent = server.configuration
            silent.endpoint = "http://127.0.0.1:1"
            silent.attempts = 2
            for (settings, code) in [
                (wrong, SyncEngineError.Code.refused), (elsewhere, .refused), (silent, .unreachable),
            ] {
                let engine = try S3Engine(settings)
                await #expect(throws: SyncEngineError(code, "")) {
                    try await engine.append([1], at: 1, of: Self.account)
                }
                await engine.close()
            }
        }
    }
}

/// Without a server.
@Suite struct S3SignatureTests {
    private static let signature = S3Signature(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let date = "20130524T000000Z"

    private static func sign(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(name: String, value: String)] = [],
        payload: String = empty
    ) -> String {
        let all =
            headers + [
                ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", payload), ("x-amz-date", date),
            ]
        let text = signature.authorization(
            method, path: S3Signature.encode(path, keepingSlash: true), query: query, headers: all, payload: payload,
            date: date)
        return String(text.suffix(64))
    }

    @Test func `the examples that Amazon published come to their signatures`() {
        #expect(
            Self.sign("GET", "/test.txt", headers: [("range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(
            Self.sign(
                "PUT", "/test$file.text",
                headers: [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
                payload: S3Signature.digest(Array("Welcome to Amazon S3.".utf8)))
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        #expect(
            Self.sign("GET", "/", query: [("lifecycle", "")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        #expect(
            Self.sign("GET", "/", query: [("max-keys", "2"), ("prefix", "J")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func `a date is written as the signature wants it`() {
        #expect(S3Signature.stamp(Date(timeIntervalSince1970: 1_369_353_600.9)) == Self.date)
    }

    @Test func `an answer that is no list is reported, and names are read among any other entries`() throws {
        for text in [Array("<html>".utf8), [0xFF]] {
            #expect(throws: SyncEngineError(.damaged, "")) { _ = try S3List(text) }
        }
        let list = try S3List(
            Array(
                "<ListBucketResult><Contents><Size>0</Size><Key>a&amp;lt;</Key></Contents><Contents></ListBucketResult>"
                    .utf8))
        #expect(list.objects.map(\.key) == ["a&lt;"])
        #expect(list.objects.map(\.isEmpty) == [true])
    }

    @Test(arguments: ["", "ftp://host", "https://", "https://host/path", "https://host?x"])
    func `an endpoint that is none is refused`(_ endpoint: String) {
        #expect(throws: SyncEngineError(.refused, "")) {
            _ = try S3Engine(.init(endpoint: endpoint, bucket: "b", accessKey: "a", secretKey: "s"))
        }
    }
}
