// SPDX-License-Identifier: Apache-2.0

public import Crypto
import Sealing
public import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The checks of one epoch, one per class. With them a device verifies that its key is the one that all members have.
public struct EpochChecks: Hashable, Sendable {
    /// 96 bytes.
    public let bytes: [UInt8]

    func check(_ protectionClass: TravellingClass) -> ArraySlice<UInt8> {
        bytes[32 * protectionClass.position..<32 * (protectionClass.position + 1)]
    }
}

/// The keys of one epoch.
public struct EpochKeys: Sendable, CustomStringConvertible, CustomReflectable {
    /// The epoch's number, and no key.
    public var description: String { "EpochKeys(\(epoch))" }

    /// Empty: these are keys.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Its number.
    public let epoch: UInt32
    /// The keys by class, without the locked ones.
    public var keys: [TravellingClass: SymmetricKey]

    /// Generates new keys with the system's random generator.
    public init(epoch: UInt32) {
        self.init(
            epoch: epoch,
            keys: Dictionary(uniqueKeysWithValues: TravellingClass.allCases.map { ($0, SymmetricKey(size: .bits256)) }))
    }

    /// Stored keys.
    public init(epoch: UInt32, keys: [TravellingClass: SymmetricKey]) {
        self.epoch = epoch
        self.keys = keys
    }

    /// The checks of all three keys.
    func checks() throws(SyncLogError) -> EpochChecks {
        var bytes: [UInt8] = []
        for protectionClass in TravellingClass.allCases {
            guard let key = keys[protectionClass] else { throw SyncLogError(.locked, "a class is locked") }
            bytes += Self.check(of: key, epoch: epoch, protectionClass)
        }
        return EpochChecks(bytes: bytes)
    }

    static func check(of key: SymmetricKey, epoch: UInt32, _ protectionClass: TravellingClass) -> [UInt8] {
        var info = KeyLabel.syncKeyCheck.info()
        info.append(UInt64(epoch), bytes: 4)
        info.append(protectionClass.rawValue)
        return HKDF<SHA256>.expand(pseudoRandomKey: key, info: info, outputByteCount: 32).exposingBytes
    }
}

/// Epoch keys, sealed to one member under one of its classes.
struct Envelope: Hashable, Sendable {
    static let overhead = 7 + 1120 + 16
    static let mostKeys = 1024

    let member: UInt32
    let protectionClass: TravellingClass
    let count: Int
    let encapsulated: [UInt8]
    let sealed: [UInt8]

    init(from reader: inout ByteReader) throws(SyncLogError) {
        member = try reader.word()
        guard let found = TravellingClass(rawValue: try reader.byte()) else { throw .outside }
        protectionClass = found
        count = try reader.short()
        guard 1...Self.mostKeys ~= count else { throw .outside }
        encapsulated = try reader.take(1120)
        sealed = try reader.take(36 * count + 16)
    }

    /// Reads three envelopes for one member, one per class in their order.
    static func ofMember(
        _ member: UInt32, keys: ClosedRange<Int>, from reader: inout ByteReader
    ) throws(SyncLogError) -> [Envelope] {
        var all: [Envelope] = []
        for protectionClass in TravellingClass.allCases {
            let envelope = try Envelope(from: &reader)
            guard envelope.member == member, envelope.protectionClass == protectionClass, keys ~= envelope.count else {
                throw .malformed("envelopes of a member")
            }
            all.append(envelope)
        }
        return all
    }

    init(
        sealing keys: [(epoch: UInt32, key: SymmetricKey)], to member: UInt32, _ protectionClass: TravellingClass,
        of record: DeviceRecord, account: Digest32, epoch: UInt32
    ) throws {
        var plain: [UInt8] = []
        for (epoch, key) in keys {
            plain.append(UInt64(epoch), bytes: 4)
            plain += key.exposingBytes
        }
        (encapsulated, sealed) = try XWing.seal(
            plain, to: record.sealing(protectionClass), info: Self.info(account, member, protectionClass, epoch))
        count = keys.count
        self.member = member
        self.protectionClass = protectionClass
    }

    /// The keys, by epoch. All failures to open give the same error.
    func open(
        with key: OpeningKey, account: Digest32, epoch: UInt32
    ) throws(SyncLogError) -> [(epoch: UInt32, key: SymmetricKey)] {
        let info = Self.info(account, member, protectionClass, epoch)
        guard let plain = try? XWing.open(sealed, encapsulated: encapsulated, with: key, info: info) else {
            throw SyncLogError(
                .wrongKey, "keys that were sealed to this device don't open; have it removed and join again")
        }
        var reader = ByteReader(plain)
        var keys: [(epoch: UInt32, key: SymmetricKey)] = []
        while reader.remaining > 0 {
            let epoch = try reader.word()
            if let last = keys.last, last.epoch >= epoch { throw .malformed("epochs out of order") }
            keys.append((epoch, SymmetricKey(data: try reader.take(32))))
        }
        return keys
    }

    private static func info(
        _ account: Digest32, _ member: UInt32, _ protectionClass: TravellingClass, _ epoch: UInt32
    ) -> [UInt8] {
        var info = KeyLabel.syncEpochKeys.info(account)
        info.append(UInt64(member), bytes: 4)
        info.append(protectionClass.rawValue)
        info.append(UInt64(epoch), bytes: 4)
        return info
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(UInt64(member), bytes: 4)
        bytes.append(protectionClass.rawValue)
        bytes.append(UInt64(count), bytes: 2)
        return bytes + encapsulated + sealed
    }
}
