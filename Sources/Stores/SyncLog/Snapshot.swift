// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
public import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of the log and the items at a place. Older entries are removed once all members have acknowledged it.
public struct Snapshot: Hashable, Sendable {
    /// The author's claim of when it was made, in milliseconds since 1970; nothing depends on it.
    public let time: UInt64
    /// SHA-256 of the state of the log before this entry.
    public let logDigest: Digest32
    /// Codes of the items' state, by class.
    public let codes: [TravellingClass: [UInt8]]
    /// SHA-256 of the chunks: of the log's state, then of the three classes.
    public let chunks: [[Digest32]]

    init(time: UInt64, logDigest: Digest32, codes: [TravellingClass: [UInt8]], chunks: [[Digest32]]) {
        self.time = time
        self.logDigest = logDigest
        self.codes = codes
        self.chunks = chunks
    }

    init(from reader: inout ByteReader) throws(SyncLogError) {
        time = try reader.long()
        logDigest = try reader.take(32)
        var codes: [TravellingClass: [UInt8]] = [:]
        for protectionClass in TravellingClass.allCases { codes[protectionClass] = try reader.take(32) }
        self.codes = codes
        var chunks: [[Digest32]] = []
        for stream in 0..<4 {
            var digests: [Digest32] = []
            for _ in 0..<(try reader.count((stream == 0 ? 1 : 0)...1024)) { digests.append(try reader.take(32)) }
            chunks.append(digests)
        }
        self.chunks = chunks
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(time, bytes: 8)
        bytes += logDigest
        for protectionClass in TravellingClass.allCases { bytes += codes[protectionClass] ?? Zero.digest }
        for digests in chunks {
            bytes.append(UInt64(digests.count), bytes: 2)
            bytes += digests.flatMap { $0 }
        }
        return bytes
    }

    /// The code of the items' state under one class.
    static func code(
        of items: MergedItems, before place: UInt64, _ protectionClass: TravellingClass, under key: SymmetricKey
    ) -> [UInt8] {
        code(of: items.state(of: protectionClass, before: place), under: key)
    }

    static func code(of state: [UInt8], under key: SymmetricKey) -> [UInt8] {
        let own = HKDF<SHA256>.expand(pseudoRandomKey: key, info: KeyLabel.syncState.info(), outputByteCount: 32)
        return Array(HMAC<SHA256>.authenticationCode(for: state, using: own))
    }
}
