// SPDX-License-Identifier: Apache-2.0

public import SyncMerge

/// The first entry: the founders of a log, which is new or continues another one.
public struct Genesis: Sendable {
    /// A founding member.
    public struct Founder: Sendable {
        /// Its number.
        public let number: UInt32
        /// The sequence of its last entry before.
        public let sequence: UInt64
        /// Its public keys.
        public let record: DeviceRecord
        let envelopes: [Envelope]
    }

    /// 0 in a first log.
    public let era: UInt16
    /// The account that it continues; zero in era 0.
    public let account: Digest32
    /// The head of the continued log.
    public let place: UInt64
    /// The hash at that head.
    public let hash: Digest32
    let next: UInt32
    let checks: EpochChecks
    /// In the order of their numbers.
    public let founders: [Founder]

    /// The person that founds a group; nil in an account.
    public let person: Digest32?

    init(_ entry: Entry) throws(SyncLogError) {
        var reader = ByteReader(entry.body)
        person = entry.kind == EntryKind.groupGenesis.rawValue ? try reader.take(32) : nil
        era = UInt16(try reader.short())
        account = try reader.take(32)
        place = try reader.long()
        hash = try reader.take(32)
        next = try reader.word()
        checks = EpochChecks(bytes: try reader.take(96))
        var founders: [Founder] = []
        for _ in 0..<(try reader.count(1...SyncLimits.members)) {
            let number = try reader.word()
            guard number > founders.last?.number ?? 0, number < next else { throw .malformed("numbers out of order") }
            let sequence = try reader.long()
            guard sequence < SyncLimits.places - 1 else { throw .outside }
            let record = try DeviceRecord(reader.take(DeviceRecord.size))
            guard !founders.contains(where: { $0.record.verifyingDigest == record.verifyingDigest }) else {
                throw .malformed("a key twice")
            }
            let envelopes = try Envelope.ofMember(number, keys: 1...1, from: &reader)
            founders.append(Founder(number: number, sequence: sequence, record: record, envelopes: envelopes))
        }
        try reader.end()
        self.founders = founders
        if era == 0 || person != nil {
            guard era == 0, account == Zero.digest, place == 0, hash == Zero.digest, next == 2, founders.count == 1,
                founders[0].number == 1, founders[0].sequence == 0
            else { throw .malformed("a first log that continues another") }
        }
    }
}

/// The content of an entry, by its kind.
public enum Body: Sendable {
    case edits([SealedPart])
    case addition(Addition)
    case epoch(EpochBody)
    case rekey(DeviceRecord, proof: [UInt8])
    case ticket(Ticket)
    case ticketEnd(UInt32)
    case application(DeviceRecord, proof: [UInt8])
    case snapshot(Snapshot)
    case acknowledgement(UInt64)
    case leaving
    case recovery(Addition)
    case unattended(UnattendedTicket)
    case person(PersonAddition)
    case role(Digest32, GroupRole)

    package init(_ kind: EntryKind, _ bytes: [UInt8]) throws(SyncLogError) {
        var reader = ByteReader(bytes)
        switch kind {
        case .genesis, .groupGenesis: throw .malformed("a second genesis")
        case .edits: self = .edits(try SealedPart.list(from: &reader))
        case .addition: self = .addition(try Addition(from: &reader))
        case .epoch: self = .epoch(try EpochBody(from: &reader))
        case .rekey: self = .rekey(try DeviceRecord(reader.take(DeviceRecord.size)), proof: try reader.take(64))
        case .ticket: self = .ticket(try Ticket(from: &reader))
        case .ticketEnd: self = .ticketEnd(try reader.word())
        case .application:
            self = .application(try DeviceRecord(reader.take(DeviceRecord.size)), proof: try reader.take(64))
        case .snapshot: self = .snapshot(try Snapshot(from: &reader))
        case .acknowledgement: self = .acknowledgement(try reader.long())
        case .leaving: self = .leaving
        // One member's entry must not exclude all devices that don't know the version; a later version begins with its
        // own era.
        case .version: throw .malformed("another version of the log")
        case .recovery: self = .recovery(try Addition(from: &reader))
        case .unattended:
            self = .unattended(try UnattendedTicket(from: &reader))
        case .person: self = .person(try PersonAddition(from: &reader))
        case .role: self = .role(try reader.take(32), try GroupRole(from: &reader))
        }
        try reader.end()
    }
}

/// The sealed edits of one class in an entry.
public struct SealedPart: Sendable {
    /// The class whose key seals them.
    public let protectionClass: TravellingClass
    let salt: [UInt8]
    let sealed: [UInt8]

    init(protectionClass: TravellingClass, salt: [UInt8], sealed: [UInt8]) {
        self.protectionClass = protectionClass
        self.salt = salt
        self.sealed = sealed
    }

    fileprivate static func list(from reader: inout ByteReader) throws(SyncLogError) -> [SealedPart] {
        var parts: [SealedPart] = []
        let count = try reader.byte()
        guard 1...3 ~= count else { throw .outside }
        for _ in 0..<count {
            guard let found = TravellingClass(rawValue: try reader.byte()) else { throw .outside }
            if let last = parts.last, last.protectionClass >= found { throw .malformed("classes out of order") }
            let salt = try reader.take(32)
            parts.append(
                SealedPart(
                    protectionClass: found, salt: salt, sealed: try reader.take(lengthOf: 4, 272...SyncLimits.part + 16)
                ))
        }
        return parts
    }

    package static func bytes(_ parts: [SealedPart]) -> [UInt8] {
        var bytes = [UInt8(parts.count)]
        for part in parts {
            bytes.append(part.protectionClass.rawValue)
            bytes += part.salt
            bytes.append(part.sealed, lengthOf: 4)
        }
        return bytes
    }
}

/// A new member.
public struct Addition: Sendable {
    /// Its number.
    public let number: UInt32
    /// Its public keys.
    public let record: DeviceRecord
    let envelopes: [Envelope]

    init(from reader: inout ByteReader) throws(SyncLogError) {
        number = try reader.word()
        record = try DeviceRecord(reader.take(DeviceRecord.size))
        envelopes = try Envelope.ofMember(number, keys: 1...Envelope.mostKeys, from: &reader)
    }

    static func bytes(number: UInt32, record: DeviceRecord, envelopes: [Envelope]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(UInt64(number), bytes: 4)
        return bytes + record.bytes + envelopes.flatMap(\.bytes)
    }
}

/// New keys, and the members that don't get them.
public struct EpochBody: Sendable {
    /// The removed members.
    public let removed: [UInt32]
    /// The new epoch.
    public let epoch: UInt32
    let checks: EpochChecks
    /// The remaining members.
    public let staying: [UInt32]
    let envelopes: [Envelope]

    fileprivate init(from reader: inout ByteReader) throws(SyncLogError) {
        var removed: [UInt32] = []
        for _ in 0..<(try reader.count(0...SyncLimits.members)) {
            let number = try reader.word()
            guard number > removed.last ?? 0 else { throw .malformed("numbers out of order") }
            removed.append(number)
        }
        self.removed = removed
        epoch = try reader.word()
        checks = EpochChecks(bytes: try reader.take(96))
        var staying: [UInt32] = []
        var envelopes: [Envelope] = []
        for _ in 0..<(try reader.count(1...SyncLimits.members)) {
            var peek = reader
            let number = try peek.word()
            guard number > staying.last ?? 0 else { throw .malformed("numbers out of order") }
            staying.append(number)
            envelopes += try Envelope.ofMember(number, keys: 1...1, from: &reader)
        }
        self.staying = staying
        self.envelopes = envelopes
    }

    static func bytes(
        removed: [UInt32], epoch: UInt32, checks: EpochChecks, staying: Int, envelopes: [Envelope]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(UInt64(removed.count), bytes: 2)
        for number in removed { bytes.append(UInt64(number), bytes: 4) }
        bytes.append(UInt64(epoch), bytes: 4)
        bytes += checks.bytes
        bytes.append(UInt64(staying), bytes: 2)
        return bytes + envelopes.flatMap(\.bytes)
    }
}

extension ByteReader {
    /// A count, in two bytes.
    mutating func count(_ limits: ClosedRange<Int>) throws(SyncLogError) -> Int {
        let count = try short()
        guard limits ~= count else { throw .outside }
        return count
    }
}
