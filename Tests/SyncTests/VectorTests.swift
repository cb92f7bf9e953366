// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import Testing
import UserPreferences

@testable import KeychainSync

/// Reads the vectors that sync-lab wrote, and the one that the reader in Python wrote.
@Suite struct VectorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/Sync")

    static let names = [
        "items", "void", "membership", "snapshot", "fork", "handshake", "newcomer", "era", "preferences", "refused",
        "python", "group",
    ]

    // Rule: what counts and the state of the log follow from the bytes alone | any check of LogState+Counting taken out
    //   | the vector `void` has another reason
    // Rule: what is due at a place waits until everything before it is opened | LogReplica.settle without its look at
    //   what waits | the view of a device with one class open, in the vector snapshot, is another
    @Test(arguments: names) func `the log of a vector comes to what it says`(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(name).txt"), encoding: .utf8)
        var reader = VectorReader()
        for line in text.split(separator: "\n") where !line.hasPrefix("#") { try reader.read(line) }
        #expect(reader.compared > 0)
    }

    /// Whether the modules that the reader in Python needs are installed.
    static let hasPython: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "from cryptography.hazmat.primitives.asymmetric import mlkem"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: hasPython, "python3 has no ML-KEM: cryptography 48 is not installed"))
    func `the reader in Python comes to the same`() throws {
        try Self.checkInPython(Self.names.map { Self.folder.appending(path: "\($0).txt").path })
    }

    /// Has the reader in Python compare what files say.
    static func checkInPython(_ files: [String]) throws {
        let reader = folder.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "SyncReader/sync_reader.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", reader.path, "check"] + files
        let output = Pipe()
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(bytes: said, encoding: .utf8) ?? "")")
    }
}

private struct VectorReader {
    private var devices: [String: DeviceKeys] = [:]
    private var account: [UInt8] = []
    private var entries: [[UInt8]] = []
    private var state: LogState?
    private var verdict: LogState.Verdict?
    private var messages: [[UInt8]] = []
    private var chunks: [Int: [[UInt8]]] = [:]
    private var start = 0
    private(set) var compared = 0

    mutating func read(_ line: Substring) throws {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let rest = words.dropFirst().joined(separator: " ")
        switch words[0] {
        case "device": try device(words)
        case "account": account = try bytes(rest)
        case "entry": try take(bytes(rest))
        case "filled":
            let count = try #require(Int(words[1]))
            try take([UInt8](repeating: try #require(UInt8(words[2])), count: count))
        case "counts": same(code, 0)
        case "void": same(code, UInt8(rest))
        case "fork": #expect(verdict?.isProofOfFork == true)
        case "state": same(state.map { Array(SHA256.hash(data: $0.bytes)) }, try bytes(rest))
        case "view":
            let classes = words[words.count - 2].compactMap { UInt8(String($0)).flatMap(TravellingClass.init) }
            let name = words[1..<words.count - 2].joined(separator: " ")
            same(try replica(name, classes).mergedView, try bytes(words[words.count - 1]))
        case "preference":
            let name = words[2]
            let items = try replica(words[1], TravellingClass.allCases).items
            guard case .value(let value) = items[PreferenceDomains.key(Array(name.utf8))].value else {
                same(words[3], "absent")
                return
            }
            let taken = TravellingPreference.value(value).flatMap { Preferences.value(ofSynced: $0, for: name) }
            same(taken.map { $0.shownBytes.hexadecimal } ?? "refused", words[3])
        case "items":
            let protectionClass = try #require(UInt8(words[words.count - 2]).flatMap(TravellingClass.init))
            let name = words[1..<words.count - 2].joined(separator: " ")
            let items = try replica(name, TravellingClass.allCases).items
            same(items.state(of: protectionClass, before: .max), try bytes(words[words.count - 1]))
        case "chunk": chunks[stream(words[1]), default: []].append(try bytes(words[2]))
        case "refuse":
            var spoiled = chunks
            spoiled[stream(words[1])]?[0] = try bytes(words[2])
            compared += 1
            #expect(throws: SyncLogError(.unknownSnapshot, "")) { try begin(spoiled, DeviceKeys()) }
        case "start": start = entries.count
        case "begun":
            let classes = words[2].compactMap { UInt8(String($0)).flatMap(TravellingClass.init) }
            var device = try #require(devices[words[1]])
            for own in TravellingClass.allCases where !classes.contains(own) { device.opening[own] = nil }
            var replica = try begin(chunks, device)
            for place in start..<entries.count { try replica.take(entries[place], at: UInt64(place) + 1) }
            same(replica.mergedView, try bytes(words[3]))
            same(replica.state.bytes, state?.bytes)
        case "head":
            let state = try #require(state)
            same(Words.head(account: state.account, place: state.place, hash: state.hash), rest)
        case "statement":
            let statement = try HeadStatement(bytes(rest), by: 1, in: try #require(state))
            same(statement.hash, state?.hash)
        case "message", "words", "stops", "note": break
        default: Issue.record("unknown line \(words[0])")
        }
    }

    private func stream(_ word: String) -> Int { StoredSnapshot.streams.firstIndex { "\($0)" == word } ?? 9 }

    /// Begins at the last entry before `start`.
    private func begin(_ chunks: [Int: [[UInt8]]], _ device: DeviceKeys) throws -> LogReplica {
        let place = start == 0 ? entries.count : start
        return try LogReplica(
            startingAt: StoredSnapshot(
                place: UInt64(place), entry: entries[place - 1], chunks: (0..<4).map { chunks[$0] ?? [] }),
            account: account, device: device)
    }

    private var code: UInt8? {
        switch verdict {
        case .counted: 0
        case .void(let reason): reason.rawValue
        case nil: nil
        }
    }

    private mutating func device(_ words: [String]) throws {
        let name = words[1..<words.count - 4].joined(separator: " ")
        let seeds = try words.suffix(3).map { try bytes($0) }
        let opening = try zip(TravellingClass.allCases, seeds).map { protectionClass, seed in
            (protectionClass, try OpeningKey(seed: SymmetricKey(data: seed)))
        }
        devices[name] = try DeviceKeys(
            signing: P256.Signing.PrivateKey(rawRepresentation: bytes(words[words.count - 4])),
            opening: Dictionary(uniqueKeysWithValues: opening))
    }

    private mutating func take(_ bytes: [UInt8]) throws {
        entries.append(bytes)
        if state == nil {
            let state = try LogState(genesis: bytes)
            same(state.account, account)
            self.state = state
        } else {
            verdict = state?.take(bytes)
        }
    }

    private func replica(_ name: String, _ open: [TravellingClass]) throws -> LogReplica {
        var device = try #require(devices[name])
        for protectionClass in TravellingClass.allCases where !open.contains(protectionClass) {
            device.opening[protectionClass] = nil
        }
        var replica = try LogReplica(genesis: entries[0], account: account, device: device)
        for (index, bytes) in entries.enumerated().dropFirst() { try replica.take(bytes, at: UInt64(index) + 1) }
        return replica
    }

    private mutating func same<T: Equatable>(_ mine: T?, _ theirs: T?) {
        compared += 1
        #expect(mine == theirs)
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        let digits = Array(text.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16))
        }
    }
}
