// SPDX-License-Identifier: Apache-2.0

package import Crypto
import Sealing
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The kind of an entry.
public enum EntryKind: UInt8, CaseIterable, Sendable {
    case genesis = 1
    case edits
    case addition
    case epoch
    case rekey
    case ticket
    case ticketEnd
    case application
    case snapshot
    case acknowledgement
    case leaving
    case version
    case recovery
    case unattended
    case groupGenesis = 16
    case person
    case role
}

/// A parsed entry; only its form is verified.
public struct Entry: Sendable {
    /// The log's version.
    public var version: UInt8 = 1
    /// Its kind; a number, since unknown kinds occur.
    public var kind: UInt8
    /// The account's id; zero in a genesis.
    public var account: Digest32
    /// Its place.
    public var place: UInt64
    /// The hash of the entry before.
    public var previous: Digest32
    /// The epoch.
    public var epoch: UInt32
    /// The author's number.
    public var author: UInt32
    /// The entry's number among the author's entries.
    public var sequence: UInt64
    /// The hash of the author's last entry that counted.
    public var last: Digest32
    /// The body.
    public var body: [UInt8]
    /// ECDSA, r and s.
    public var signature: [UInt8] = []

    package init(
        kind: EntryKind, account: Digest32, place: UInt64, previous: Digest32, epoch: UInt32, author: UInt32,
        sequence: UInt64, last: Digest32, body: [UInt8]
    ) {
        self.kind = kind.rawValue
        self.account = account
        self.place = place
        self.previous = previous
        self.epoch = epoch
        self.author = author
        self.sequence = sequence
        self.last = last
        self.body = body
    }

    /// Reads an entry of at most 1 MiB.
    public init(_ bytes: [UInt8], version: UInt8 = 1) throws(SyncLogError) {
        guard bytes.count <= SyncLimits.entry else { throw SyncLogError(.tooLarge, "an entry has at most 1 MiB") }
        var reader = ByteReader(bytes)
        guard try reader.take(4) == Array("zsyn".utf8) else { throw .malformed("not an entry") }
        self.version = try reader.byte()
        guard self.version == version else { throw .malformed("another version of the log") }
        kind = try reader.byte()
        guard try reader.short() == 0 else { throw .malformed("bytes that are zero are not") }
        account = try reader.take(32)
        place = try reader.long()
        previous = try reader.take(32)
        epoch = try reader.word()
        author = try reader.word()
        sequence = try reader.long()
        last = try reader.take(32)
        let length = try reader.word()
        guard Int(length) == bytes.count - SyncLimits.header - SyncLimits.signature else { throw .outside }
        body = try reader.take(Int(length))
        signature = try reader.take(SyncLimits.signature)
    }

    /// Everything before the signature, by which an author recognises its own entry.
    public var signed: [UInt8] {
        var bytes = Array("zsyn".utf8) + [version, kind, 0, 0] + account
        bytes.append(place, bytes: 8)
        bytes += previous
        bytes.append(UInt64(epoch), bytes: 4)
        bytes.append(UInt64(author), bytes: 4)
        bytes.append(sequence, bytes: 8)
        bytes += last
        bytes.append(body, lengthOf: 4)
        return bytes
    }

    /// The bytes that the engine keeps.
    public var bytes: [UInt8] { signed + signature }

    package mutating func sign(with key: P256.Signing.PrivateKey) throws {
        signature = Array(try key.signature(for: KeyLabel.syncEntry.info() + signed).rawRepresentation)
    }

    package func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: KeyLabel.syncEntry.info() + signed)
    }

    /// The hash of an entry's bytes. For bytes that are too large it depends only on account and place.
    public static func hash(_ bytes: [UInt8], account: Digest32, place: UInt64) -> Digest32 {
        guard bytes.count > SyncLimits.entry else { return KeyLabel.syncHash.digest(bytes) }
        var number: [UInt8] = []
        number.append(place, bytes: 8)
        return KeyLabel.syncOversize.digest(account, number)
    }
}

/// Why an entry is void; the first reason that applies, in this order.
public enum VoidReason: UInt8, Error, Sendable, CaseIterable {
    case tooLarge = 1
    case malformed
    case anotherAccount
    case anotherPlace
    case unknownAuthor
    case endedAuthor
    case badSignature
    /// With a valid signature: proof of a fork.
    case anotherLog
    case outOfSequence
    case anotherEpoch
    case notAllowed
}
