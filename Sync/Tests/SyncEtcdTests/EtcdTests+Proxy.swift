// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncEtcd
import SyncLog
import SyncMerge
import Testing

/// A proxy between a home and etcd, which ends with the test.
private final class Proxy {
    let endpoint: String
    private let process = Process()

    init(_ etcd: Etcd, _ mode: String, _ file: URL? = nil) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "proxy.py")
        let port = etcd.endpoint.split(separator: ":").last.map(String.init) ?? ""
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path, port, mode] + (file.map { [$0.path] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = String(bytes: output.fileHandleForReading.availableData, encoding: .utf8) ?? ""
        endpoint = "http://127.0.0.1:\(said.trimmingCharacters(in: .whitespacesAndNewlines))"
    }

    deinit {
        // It was born with the signals blocked that are blocked here.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

extension EtcdTests {
    private static func through(
        _ mode: String, _ body: (EtcdEngine, EtcdEngine) async throws -> Void
    ) async throws {
        let etcd = try await Etcd()
        let proxy = try Proxy(etcd, mode)
        let engine = try EtcdEngine(.init(endpoints: [etcd.endpoint]))
        let behind = try EtcdEngine(.init(endpoints: [proxy.endpoint]))
        do {
            try await body(engine, behind)
        } catch {
            Issue.record("\(error)")
        }
        await engine.close()
        await behind.close()
    }

    @Test func `a watch that is cut off wakes the home, which looks again and misses nothing`() async throws {
        try await Self.through("cut") { engine, behind in
            var a = try await SyncMember<EtcdEngine>.create(DeviceKeys(), on: engine)
            let account = a.replica.state.account
            var b = try await SyncMember<EtcdEngine>.follow(account, DeviceKeys(), on: behind)
            do {
                let isWoken = try await behind.wait(account, after: 1, patience: .seconds(30))
                #expect(isWoken)
            } catch let error as SyncEngineError {
                #expect(error.code == .unreachable)
            }
            _ = try await a.send { try $0.epoch().entry }
            let isThere = try await behind.wait(account, after: 1, patience: .seconds(30))
            #expect(isThere)
            try await b.pull()
            #expect(b.replica.state.bytes == a.replica.state.bytes)
        }
    }

    // Rule: a home that is never woken looks by itself | EtcdEngine.wait without its patience | the test doesn't end
    @Test func `a watch that hangs ends with the patience, and the next look finds what came`() async throws {
        try await Self.through("hang") { engine, behind in
            var a = try await SyncMember<EtcdEngine>.create(DeviceKeys(), on: engine)
            let account = a.replica.state.account
            async let woken = behind.wait(account, after: 1, patience: .milliseconds(300))
            _ = try await a.send { try $0.epoch().entry }
            let isWoken = try await woken
            let isThere = try await behind.wait(account, after: 1, patience: .seconds(30))
            // It may have looked before the entry came, or after.
            #expect(isThere)
            _ = isWoken
        }
    }

    // Rule: the engine and the wire see nothing of an item | an edit's part written without sealing | the marker is
    //   found in the traffic
    @Test func `what goes over the wire and what etcd keeps holds nothing of an item`() async throws {
        let etcd = try await Etcd()
        let traffic = etcd.folder.appending(path: "traffic")
        let proxy = try Proxy(etcd, "record", traffic)
        let engine = try EtcdEngine(.init(endpoints: [proxy.endpoint]))
        var a = try await SyncMember<EtcdEngine>.create(DeviceKeys(), on: engine)
        let device = try DeviceKeys()
        _ = try await a.send { try $0.addition(of: device.record) }
        for own in TravellingClass.allCases {
            try a.edit([
                NewOperation(
                    key: Array("marker-of-a-name".utf8), protectionClass: own, time: 1, context: Context(),
                    change: .put(value: Array("marker-of-a-secret".utf8), from: Array("marker-of-a-former".utf8)))
            ])
        }
        try await a.push()
        let isMade = try await a.snapshot(now: 1)
        #expect(isMade)
        let b = try await SyncMember<EtcdEngine>.follow(a.replica.state.account, device, on: engine)
        #expect(b.replica.mergedView == a.replica.mergedView)
        // A key that goes in the clear shows that both are searched as they should.
        #expect(Self.search(etcd.folder, "/log/").count >= 1)
        let wire = try Data(contentsOf: traffic)
        #expect(Self.contains(wire, "zamok/"))
        for marker in ["marker-of-a-name", "marker-of-a-secret", "marker-of-a-former"] {
            #expect(Self.search(etcd.folder, marker).isEmpty)
            #expect(!Self.contains(wire, marker))
        }
        await engine.close()
    }

    /// As it is, and in base64 at each of the three ways in which it can lie.
    private static func contains(_ bytes: Data, _ text: String) -> Bool {
        var forms = [Data(text.utf8)]
        for lead in 0..<3 {
            let encoded = (Data(repeating: 0, count: lead) + Data(text.utf8)).base64EncodedString()
            forms.append(Data(encoded.dropFirst(lead == 0 ? 0 : lead + 1).dropLast(4).utf8))
        }
        return forms.contains { bytes.range(of: $0) != nil }
    }
}
