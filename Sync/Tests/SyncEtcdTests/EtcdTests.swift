// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncEtcd
import SyncLog
import SyncMerge
import Testing

/// Against a real etcd. Without one (Debian's etcd-server and etcd-client) they are passed over, which the runner says.
@Suite(.enabled(if: Etcd.program != nil, "needs the packages etcd-server and etcd-client"), .serialized)
struct EtcdTests {
    private static let account = [UInt8](repeating: 0xAB, count: 32)

    private static func with(_ body: (Etcd, EtcdEngine) async throws -> Void) async throws {
        let etcd = try await Etcd()
        let engine = try EtcdEngine(.init(endpoints: [etcd.endpoint]))
        do {
            try await body(etcd, engine)
            await engine.close()
        } catch {
            await engine.close()
            throw error
        }
    }

    // Rule: a place is taken once, by one of several writers at the same time | the transaction without its comparison
    //   | several writers are told done
    @Test func `of eight writers at one place one is told that it is done`() async throws {
        try await Self.with { _, engine in
            for place in UInt64(1)...20 {
                let answers = try await withThrowingTaskGroup(of: AppendAnswer.self) { group in
                    for writer in UInt8(0)..<8 {
                        group.addTask { try await engine.append([writer], at: place, of: Self.account) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers.count { $0 == .done } == 1)
            }
            let found = try await engine.read(Self.account, from: 3, limit: 5)
            #expect(found.map(\.place) == [3, 4, 5, 6, 7])
            #expect(try await engine.read([UInt8](repeating: 1, count: 32), from: 1, limit: 5).isEmpty)
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

    @Test func `two homes share items over etcd, and the other is woken within moments`() async throws {
        try await Self.with { etcd, engine in
            var a = try await SyncMember<EtcdEngine>.create(DeviceKeys(), on: engine)
            let account = a.replica.state.account
            let device = try DeviceKeys()
            _ = try await a.send { try $0.addition(of: device.record) }
            var b = try await SyncMember<EtcdEngine>.follow(account, device, on: engine)
            #expect(try await engine.wait(account, after: 2, patience: .milliseconds(100)) == false)
            async let woken = engine.wait(account, after: 2, patience: .seconds(30))
            try await Task.sleep(for: .milliseconds(50))
            let start = ContinuousClock.now
            try await Self.put(&a, "marker-of-a-name", "marker-of-a-secret")
            #expect(try await woken)
            try await b.pull()
            print("a put was readable on the other home after \(ContinuousClock.now - start)")
            #expect(b.replica.items[Array("marker-of-a-name".utf8)].value == .value(Array("marker-of-a-secret".utf8)))
            #expect(Self.search(etcd.folder, "marker-of-a").isEmpty)
        }
    }

    private static func put(_ member: inout SyncMember<EtcdEngine>, _ key: String, _ value: String) async throws {
        let key = Array(key.utf8)
        try member.edit([
            NewOperation(
                key: key, protectionClass: .none, time: 1, context: member.replica.context(of: key),
                change: .put(value: Array(value.utf8), from: nil))
        ])
        try await member.push()
    }

    /// Files of etcd that hold these bytes.
    static func search(_ folder: URL, _ text: String) -> [String] {
        let files =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        return files.filter { url in
            guard !url.hasDirectoryPath, let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else {
                return false
            }
            return bytes.range(of: Data(text.utf8)) != nil
        }.map(\.path)
    }

    // Rule: an entry on a lease is no entry | read without its look at the lease | the home chains on an entry that
    //   vanishes
    @Test func `an entry on a lease is told and not followed`() async throws {
        try await Self.with { etcd, engine in
            let a = try await SyncMember<EtcdEngine>.create(DeviceKeys(), on: engine)
            let account = a.replica.state.account
            let prefix = EngineName.account(account).prefix(24)
            let lease = try #require(etcd.control("lease", "grant", "600").split(separator: " ").dropFirst().first)
            _ = try etcd.control("put", "zamok/\(prefix)/log/0000000000000002", "x", "--lease=\(lease)")
            var b = a
            try await b.pull()
            #expect(b.replica.state.place == 1)
            do {
                try await Self.put(&b, "k", "v")
                Issue.record("the lease was not noticed")
            } catch let error as SyncEngineError {
                #expect(error.code == .leased)
            }
            #expect(b.replica.state.place == 1)
            #expect(b.outbox.count == 1)
            _ = try etcd.control("lease", "revoke", String(lease))
            try await b.push()
            #expect(b.replica.state.place == 2)
        }
    }

    @Test func `a compacted cluster and deleted entries lose nothing`() async throws {
        try await Self.with { etcd, engine in
            var a = try await SyncMember<EtcdEngine>.create(DeviceKeys(), on: engine)
            for value in ["1", "2", "3"] { try await Self.put(&a, "k", value) }
            let account = a.replica.state.account
            let prefix = EngineName.account(account).prefix(24)
            _ = try etcd.control("del", "zamok/\(prefix)/log/0000000000000003")
            _ = try etcd.control("compaction", "5", "--physical")
            #expect(try await engine.read(account, from: 1, limit: 9).map(\.place) == [1, 2, 4])
            try await a.mend()
            #expect(try await engine.read(account, from: 1, limit: 9).map(\.place) == [1, 2, 3, 4])
            try await Self.put(&a, "k", "4")
            _ = try etcd.control("del", "--prefix", "zamok/\(prefix)/")
            try await a.pull()
            #expect(try await engine.read(account, from: 1, limit: 9).map(\.place) == [1, 2, 3, 4, 5])
        }
    }

    @Test func `a user without rights on the account is told so`() async throws {
        try await Self.with { etcd, _ in
            for words in [
                ["user", "add", "root:r"], ["user", "grant-role", "root", "root"], ["role", "add", "r"],
                ["role", "grant-permission", "r", "--prefix=true", "readwrite", "zamok/"], ["user", "add", "u:p"],
                ["user", "add", "v:p"], ["user", "grant-role", "u", "r"], ["auth", "enable"],
            ] { _ = try etcd.run(words) }
            for (user, password, code) in [
                ("u", "p", nil), ("v", "p", SyncEngineError.Code.refused), ("u", "wrong", .refused),
            ] {
                var settings = EtcdEngine.Configuration(endpoints: [etcd.endpoint])
                settings.user = (user, password)
                let engine = try EtcdEngine(settings)
                do {
                    _ = try await engine.append([1], at: 1, of: Self.account)
                    #expect(code == nil)
                } catch let error as SyncEngineError {
                    #expect(error.code == code, "\(error)")
                }
                await engine.close()
            }
        }
    }

    // Rule: a node is known by its authority, and asks for the device's certificate | tls.trustRoots not set | no
    //   answer: unreachable
    @Test func `over TLS both sides have certificates`() async throws {
        let etcd = try await Etcd(isSecure: true)
        var settings = Etcd.settings(etcd.endpoint, etcd.folder)
        settings.timeout = .seconds(5)
        let engine = try EtcdEngine(settings)
        let answer = try await engine.append([1], at: 1, of: Self.account)
        #expect(answer == .done)
        await engine.close()
        settings.clientCertificate = nil
        let without = try EtcdEngine(settings)
        let refused = try? await without.append([1], at: 2, of: Self.account)
        #expect(refused == nil)
        await without.close()
        settings.authorityFile = nil
        let stranger = try EtcdEngine(settings)
        let unknown = try? await stranger.append([1], at: 2, of: Self.account)
        #expect(unknown == nil)
        await stranger.close()
    }

    @Test func `a cluster that is gone is told, and the edit is kept`() async throws {
        var settings = EtcdEngine.Configuration(endpoints: ["http://127.0.0.1:1"])
        settings.timeout = .seconds(1)
        let engine = try EtcdEngine(settings)
        do {
            _ = try await engine.append([1], at: 1, of: Self.account)
            Issue.record("no program listens there")
        } catch {
            #expect(error.code == .unreachable)
        }
        await engine.close()
    }
}
