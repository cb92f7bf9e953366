// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
public import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A snapshot with its chunks, as an engine stores them. A new member begins there.
public struct StoredSnapshot: Sendable {
    /// The place of its entry.
    public let place: UInt64
    /// The entry's bytes.
    public let entry: [UInt8]
    /// The chunks of the log's state, then of the classes in their order.
    public let chunks: [[[UInt8]]]

    /// An engine's snapshot, not verified yet.
    public init(place: UInt64, entry: [UInt8], chunks: [[[UInt8]]]) {
        self.place = place
        self.entry = entry
        self.chunks = chunks
    }

    /// The number of chunks that an entry states, by stream; nil if it is no snapshot.
    public static func counts(_ entry: [UInt8]) -> [Int]? {
        guard let read = try? Entry(entry), let kind = EntryKind(rawValue: read.kind),
            case .snapshot(let snapshot) = try? Body(kind, read.body)
        else { return nil }
        return snapshot.chunks.map(\.count)
    }

    /// Whether the entry is a snapshot, and names each of the chunks.
    public var isWhole: Bool { (try? LogReplica.verified(self)) != nil }

    /// The codes of the streams in the engine's keys: 0 for the log's state, then the classes.
    public static let streams: [UInt8] = [0] + TravellingClass.allCases.map(\.rawValue)
}

/// Pieces of a state, sealed with the class's key.
enum SnapshotChunks {
    static func cut(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: SyncLimits.chunk).map {
            Array(bytes[$0..<min($0 + SyncLimits.chunk, bytes.count)])
        }
    }

    private static func authenticated(
        _ account: Digest32, _ place: UInt64, _ own: TravellingClass, _ index: Int, _ count: Int
    ) -> [UInt8] {
        var bytes = account
        bytes.append(place, bytes: 8)
        bytes.append(own.rawValue)
        bytes.append(UInt64(index), bytes: 2)
        bytes.append(UInt64(count), bytes: 2)
        return bytes
    }

    /// Gives the same bytes each time, so that an interrupted device stores what is already there.
    static func seal(
        _ state: [UInt8], _ own: TravellingClass, under key: SymmetricKey, account: Digest32, place: UInt64
    ) throws -> [[UInt8]] {
        let pieces = cut(state)
        let salting = HKDF<SHA256>.expand(
            pseudoRandomKey: key, info: KeyLabel.syncChunkSalt.info(), outputByteCount: 32)
        return try pieces.enumerated().map { index, piece in
            let said = authenticated(account, place, own, index, pieces.count)
            let salt = Array(HMAC<SHA256>.authenticationCode(for: said + piece, using: salting))
            let box = try AES.GCM.seal(
                piece, using: SealedPart.key(key, salt: salt, account: account, own),
                nonce: AES.GCM.Nonce(data: Zero.nonce), authenticating: said)
            return salt + Array(box.ciphertext) + Array(box.tag)
        }
    }

    static func open(
        _ chunks: [[UInt8]], _ own: TravellingClass, under key: SymmetricKey, account: Digest32, place: UInt64
    ) throws(SyncLogError) -> [UInt8] {
        var state: [UInt8] = []
        for (index, chunk) in chunks.enumerated() {
            guard chunk.count >= 48, let nonce = try? AES.GCM.Nonce(data: Zero.nonce),
                let box = try? AES.GCM.SealedBox(
                    nonce: nonce, ciphertext: chunk[32..<chunk.count - 16], tag: chunk.suffix(16)),
                let piece = try? AES.GCM.open(
                    box, using: SealedPart.key(key, salt: Array(chunk.prefix(32)), account: account, own),
                    authenticating: authenticated(account, place, own, index, chunks.count))
            else { throw .malformed("a chunk of a snapshot doesn't open") }
            state += piece
        }
        return state
    }

    /// The operations in a state of the items of one class.
    static func operations(
        _ state: [UInt8], _ own: TravellingClass, before end: UInt64
    ) throws(SyncLogError) -> [(key: [UInt8], operation: Operation)] {
        var reader = ByteReader(state)
        var found: [(key: [UInt8], operation: Operation)] = []
        var last: [UInt8] = []
        while reader.remaining > 0 {
            let key = try reader.take(lengthOf: 2, 1...SyncLimits.registerKey)
            guard last.lexicographicallyPrecedes(key) else { throw .malformed("registers out of order") }
            last = key
            for _ in 0..<(try reader.word()) {
                let (place, index) = (try reader.long(), try reader.byte())
                let (author, sequence) = (try reader.word(), try reader.long())
                guard place < end else { throw .outside }
                let kind = try reader.byte()
                let time = try reader.long()
                let context = try PartContent.context(from: &reader, author: author, sequence: sequence)
                let change = try PartContent.change(kind, from: &reader, own)
                found.append(
                    (
                        key,
                        Operation(
                            place: place, author: author, sequence: sequence, protectionClass: own, index: index,
                            time: time, context: context, change: change)
                    ))
            }
        }
        return found
    }
}

extension LogWriter {
    /// A snapshot of the state and of `items`, in which everything before it is opened. The engine must store its
    /// chunks before its entry.
    public func storedSnapshot(of items: MergedItems, time: UInt64) throws -> (entry: Entry, stored: StoredSnapshot) {
        let place = state.place + 1
        var chunks = [SnapshotChunks.cut(state.bytes)]
        for own in TravellingClass.allCases {
            guard let key = keys?[state.epoch, own] else {
                throw SyncLogError(.locked, "a class is locked; a snapshot needs all")
            }
            let state = items.state(of: own, before: state.operationPlace(place))
            chunks.append(try SnapshotChunks.seal(state, own, under: key, account: self.state.account, place: place))
        }
        guard chunks.allSatisfy({ $0.count <= 1024 }) else {
            throw SyncLogError(.tooLarge, "a snapshot has at most 512 MiB of a class")
        }
        let digests = chunks.map { $0.map { Array(SHA256.hash(data: $0)) } }
        let entry = try snapshot(of: items, time: time, chunks: digests)
        return (entry, StoredSnapshot(place: place, entry: entry.bytes, chunks: chunks))
    }
}
