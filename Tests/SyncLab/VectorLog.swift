// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncLog
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A log that is written down while it grows: its lines are a vector.
struct VectorLog {
    private(set) var lines: [String] = []
    private(set) var state: LogState
    private(set) var entries: [[UInt8]] = []
    /// The keys that the writers share here; each real device has its own ring.
    private var rings: [String: LogReplica] = [:]
    private(set) var devices: [String: DeviceKeys] = [:]

    /// `person`: that founds a group; nil for an account.
    init(_ title: String, founder: String, of person: Digest32? = nil) throws {
        let device = try DeviceKeys()
        let bytes =
            try person.map { try LogWriter.genesis(ofGroupBy: $0, device) } ?? LogWriter.genesis(by: device).bytes
        state = try LogState(genesis: bytes)
        entries = [bytes]
        devices[founder] = device
        rings[founder] = try LogReplica(genesis: bytes, account: nil, device: device)
        lines = [
            "# \(title)", "# Written by sync-lab from Documentation/Formats/SyncLog.md.", Self.line(founder, device),
            "account \(state.account.hexadecimal)", "entry \(bytes.hexadecimal)",
        ]
    }

    /// A new era, with the copy of its founder.
    init(_ title: String, _ genesis: [UInt8], _ founders: [String: LogReplica]) throws {
        state = try LogState(genesis: genesis)
        entries = [genesis]
        lines = ["# \(title)", "# Written by sync-lab from Documentation/Formats/SyncLog.md."]
        for (name, replica) in founders { join(name, replica) }
        lines += ["account \(state.account.hexadecimal)", "entry \(genesis.hexadecimal)"]
    }

    /// A device that has a copy of its own already.
    mutating func join(_ name: String, _ replica: LogReplica) {
        devices[name] = replica.device
        rings[name] = replica
        lines.append(Self.line(name, replica.device))
    }

    private static func line(_ name: String, _ device: DeviceKeys) -> String {
        let seeds = TravellingClass.allCases.map {
            device.opening[$0].map { $0.seed.exposingBytes.hexadecimal } ?? "-"
        }
        return "device \(name) \(Array(device.signing.rawRepresentation).hexadecimal) \(seeds.joined(separator: " "))"
    }

    /// A device that may join.
    mutating func make(_ name: String, _ keys: DeviceKeys? = nil) throws -> DeviceKeys {
        let device = try keys ?? DeviceKeys()
        devices[name] = device
        lines.append(Self.line(name, device))
        rings[name] = try LogReplica(genesis: entries[0], account: nil, device: device)
        for (index, bytes) in entries.enumerated().dropFirst() {
            try rings[name]?.take(bytes, at: UInt64(index) + 1)
        }
        return device
    }

    /// The replica of a device.
    func replica(_ name: String) throws -> LogReplica {
        guard let replica = rings[name] else { throw SyncLogError(.notAMember, name) }
        return replica
    }

    func writer(_ name: String) throws -> LogWriter {
        let replica = try replica(name)
        return replica.holder != nil && replica.holder == replica.state.recovery
            ? try replica.recoveryWriter() : try replica.writer()
    }

    /// Puts any entry at the next place. Writes whether it counts, and the state after it.
    mutating func append(_ bytes: [UInt8], filledWith filling: UInt8? = nil) throws {
        entries.append(bytes)
        lines.append(filling.map { "filled \(bytes.count) \($0)" } ?? "entry \(bytes.hexadecimal)")
        switch state.take(bytes) {
        case .counted: lines.append("counts")
        case .void(let reason): lines.append("void \(reason.rawValue)")
        }
        lines.append("state \(Array(SHA256.hash(data: state.bytes)).hexadecimal)")
        for name in rings.keys.sorted() {
            do throws(SyncLogError) { try rings[name]?.take(bytes, at: UInt64(entries.count)) } catch {
                note("stops \(name) \(error.code)")
            }
        }
    }

    mutating func append(_ entry: Entry) throws { try append(entry.bytes) }

    /// A device goes on with other keys.
    mutating func rekey(_ name: String) throws {
        let fresh = try DeviceKeys()
        let former = try writer(name)
        devices[name] = fresh
        lines.append(Self.line(name, fresh))
        try append(former.rekey(to: fresh))
        rings[name]?.use(fresh)
    }

    /// What a device with some classes open sees of the whole log.
    mutating func view(_ name: String, _ open: [TravellingClass]) throws {
        guard let device = devices[name] else { return }
        var locked = device
        for protectionClass in TravellingClass.allCases where !open.contains(protectionClass) {
            locked.opening[protectionClass] = nil
        }
        var replica = try LogReplica(genesis: entries[0], account: state.account, device: locked)
        for (index, bytes) in entries.enumerated().dropFirst() { try replica.take(bytes, at: UInt64(index) + 1) }
        let classes = open.map { "\($0.rawValue)" }.joined()
        lines.append("view \(name) \(classes) \(replica.mergedView.hexadecimal)")
        if open.count == 3 {
            for protectionClass in TravellingClass.allCases {
                let bytes = replica.items.state(of: protectionClass, before: .max)
                lines.append("items \(name) \(protectionClass.rawValue) \(bytes.hexadecimal)")
            }
        }
    }

    mutating func note(_ line: String) { lines.append(line) }

    var text: String { lines.joined(separator: "\n") + "\n" }
}
