// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import Synchronization

/// What a home of the laboratory keeps in its folder, so that it can be killed at any moment. That is its keys (in
/// clear, which no real home has), the log as far as it has it, and its outgoing edits.
final class HomeDisk: Sendable {
    /// What changes together: written whole, before anything is sent.
    struct Outgoing: Codable, Sendable {
        var made = 0
        var written: UInt64 = 0
        var entry: Data?
        var outbox: [[SavedOperation]] = []
    }

    private struct Position {
        var outgoing = Outgoing()
        var place: UInt64 = 0
    }

    let folder: URL
    private let position = Mutex(Position())

    init(_ folder: String) { self.folder = URL(filePath: folder) }

    /// How many edits were made; the next save keeps it.
    var made: Int {
        get { position.withLock { $0.outgoing.made } }
        set { position.withLock { $0.outgoing.made = newValue } }
    }

    private func url(_ name: String) -> URL { folder.appending(path: name) }

    func makeDevice() throws -> DeviceKeys {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let device = try DeviceKeys()
        let seeds = TravellingClass.allCases.compactMap { device.opening[$0].map { Lab.bytes($0.seed) } }
        try replace("device", Data(device.signing.rawRepresentation) + seeds.reduce(Data(), +))
        return device
    }

    func device() throws -> DeviceKeys {
        let bytes = try Data(contentsOf: url("device"))
        guard bytes.count == 128 else { throw SyncLogError(.locked, "no keys in \(folder.path)") }
        let opening = try TravellingClass.allCases.enumerated().map { index, own in
            let seed = bytes.dropFirst(32 + 32 * index).prefix(32)
            return (own, try OpeningKey(seed: SymmetricKey(data: seed)))
        }
        return try DeviceKeys(
            signing: P256.Signing.PrivateKey(rawRepresentation: bytes.prefix(32)),
            opening: Dictionary(uniqueKeysWithValues: opening))
    }

    /// The member as it was when this was last saved.
    func open(on engine: LabEngine) throws -> SyncMember<LabEngine> {
        let device = try device()
        let entries = try entries()
        guard let genesis = entries.first else { throw SyncLogError(.notALog, "no log in \(folder.path)") }
        let outgoing =
            (try? Data(contentsOf: url("outgoing"))).flatMap { try? JSONDecoder().decode(Outgoing.self, from: $0) }
            ?? Outgoing()
        var replica = try LogReplica(genesis: genesis, account: nil, device: device, written: outgoing.written)
        for (index, entry) in entries.enumerated().dropFirst() { try replica.take(entry, at: UInt64(index) + 1) }
        replica.outgoing = try outgoing.entry.map { try Entry(Array($0)) }
        position.withLock { $0 = Position(outgoing: outgoing, place: UInt64(entries.count)) }
        var member = SyncMember(replica: replica, engine: engine) { try self.save($0, $1) }
        for operations in outgoing.outbox { try member.edit(operations.map(\.operation)) }
        return member
    }

    /// The outgoing edits are saved first. An own entry that is in the log can be read again; a lost edit can't.
    func save(_ replica: LogReplica, _ outbox: [[NewOperation]]) throws {
        try position.withLock { position in
            position.outgoing.written = replica.written
            position.outgoing.entry = replica.outgoing.map { Data($0.bytes) }
            position.outgoing.outbox = outbox.map { $0.map(SavedOperation.init) }
            try replace("outgoing", JSONEncoder().encode(position.outgoing))
            var added = Data()
            while position.place < replica.state.place, let bytes = replica.bytes(at: position.place + 1) {
                position.place += 1
                added += lengthBytes(bytes.count) + bytes
            }
            if !added.isEmpty { try append("log", added) }
        }
    }

    private func lengthBytes(_ count: Int) -> Data { Data((0..<4).map { UInt8(count >> (24 - 8 * $0) & 255) }) }

    /// The entries that were kept whole; what was cut off by a kill is taken away.
    func entries() throws -> [[UInt8]] {
        guard let bytes = try? Data(contentsOf: url("log")) else { return [] }
        var entries: [[UInt8]] = []
        var at = 0
        while at + 4 <= bytes.count {
            let count = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard at + 4 + count <= bytes.count else { break }
            entries.append(Array(bytes[at + 4..<at + 4 + count]))
            at += 4 + count
        }
        if at < bytes.count {
            let file = try FileHandle(forWritingTo: url("log"))
            try file.truncate(atOffset: UInt64(at))
            try file.close()
        }
        return entries
    }

    func acknowledge(_ sequence: UInt64) throws { try append("acknowledged", Data("\(sequence)\n".utf8)) }

    func acknowledged() -> [UInt64] {
        let text = (try? String(contentsOf: url("acknowledged"), encoding: .utf8)) ?? ""
        // A line that was cut off was not acknowledged.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { UInt64($0) }
    }

    private func append(_ name: String, _ bytes: Data) throws {
        if !FileManager.default.fileExists(atPath: url(name).path) { try Data().write(to: url(name)) }
        let file = try FileHandle(forWritingTo: url(name))
        try file.seekToEnd()
        try file.write(contentsOf: bytes)
        try file.synchronize()
        try file.close()
    }

    func replace(_ name: String, _ bytes: Data) throws {
        let temporary = url(".\(name).new")
        try bytes.write(to: temporary)
        let file = try FileHandle(forWritingTo: temporary)
        try file.synchronize()
        try file.close()
        try Lab.rename(temporary.path, to: url(name).path)
    }
}

/// An operation of the outbox, as JSON.
struct SavedOperation: Codable, Sendable {
    let key: Data
    let protectionClass: UInt8
    let time: UInt64
    let marks: [[UInt64]]
    var value: Data?
    var from: Data?
    var movedTo: UInt8?

    init(_ operation: NewOperation) {
        key = Data(operation.key)
        protectionClass = operation.protectionClass.rawValue
        time = operation.time
        marks = operation.context.marks.map { [UInt64($0.author), $0.sequence] }
        switch operation.change {
        case .put(let value, let from):
            self.value = Data(value)
            self.from = from.map { Data($0) }
        case .delete: break
        case .moved(let to): movedTo = to.rawValue
        }
    }

    var operation: NewOperation {
        let change: SyncMerge.Operation.Change =
            if let value {
                .put(value: Array(value), from: from.map { Array($0) })
            } else if let to = movedTo.flatMap({ TravellingClass(rawValue: $0) }) { .moved(to: to) } else { .delete }
        return NewOperation(
            key: Array(key), protectionClass: TravellingClass(rawValue: protectionClass) ?? .none, time: time,
            context: Context(marks.map { Context.Mark(author: UInt32($0[0]), sequence: $0[1]) }), change: change)
    }
}
