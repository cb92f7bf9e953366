// SPDX-License-Identifier: Apache-2.0

import SyncMerge

/// What a member of a shared group may do. Each role includes the ones before it.
public enum GroupRole: UInt8, Comparable, CaseIterable, Sendable {
    /// Opens items.
    case reader = 1
    /// Also edits them.
    case writer
    /// Also changes members.
    case owner

    /// By what they may do.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The persons of a group's log, and whose each machine is (Documentation/Formats/SharedGroup.md). A person is named by
/// the id of its account of sync.
public struct GroupPersons: Hashable, Sendable {
    /// A machine that was ever in the group.
    public struct Machine: Hashable, Sendable {
        /// The person.
        public let person: Digest32
        /// The place of the entry by which it was removed or left; 0 for a member.
        public internal(set) var end: UInt64 = 0
    }

    /// The members.
    public internal(set) var roles: [Digest32: GroupRole] = [:]
    /// By the machine's number in the log.
    public internal(set) var machines: [UInt32: Machine] = [:]
    /// The place at which the present epoch began.
    var epoch: UInt64 = 1

    /// Whether a machine that is gone has the present keys. Nothing may be sealed under them.
    public var needsEpoch: Bool { machines.values.contains { $0.end > epoch } }

    /// The members' machines of a person, ascending.
    public func machines(of person: Digest32) -> [UInt32] {
        machines.filter { $0.value.person == person && $0.value.end == 0 }.keys.sorted()
    }

    /// Whether the person is the only owner.
    public func isLastOwner(_ person: Digest32) -> Bool {
        roles[person] == .owner && roles.values.count { $0 == .owner } == 1
    }

    mutating func add(_ number: UInt32, of person: Digest32) { machines[number] = Machine(person: person) }

    /// A person without a machine is no member any more.
    mutating func end(_ number: UInt32, at place: UInt64) {
        guard let person = machines[number]?.person else { return }
        machines[number]?.end = place
        if machines(of: person).isEmpty { roles[person] = nil }
    }

    /// Whether an author may write this. What it says may still be wrong.
    func allows(_ body: Body, by author: UInt32) -> Bool {
        guard let own = machines[author], own.end == 0, let role = roles[own.person] else { return false }
        switch body {
        case .edits: return role >= .writer && !needsEpoch
        case .snapshot: return role >= .writer
        case .addition, .rekey, .acknowledgement: return true
        case .person(let addition): return role == .owner && roles[addition.person] == nil
        case .role(let person, let new):
            guard role == .owner, let old = roles[person] else { return false }
            return old != new && !isLastOwner(person)
        case .epoch(let body): return body.removed.allSatisfy { mayRemove($0, body.removed, own.person, role) }
        case .leaving: return machines(of: own.person) != [author] || !isLastOwner(own.person)
        case .ticket, .ticketEnd, .application, .recovery, .unattended: return false
        }
    }

    /// One's own machines; an owner also other persons, each with all machines.
    private func mayRemove(_ number: UInt32, _ removed: [UInt32], _ own: Digest32, _ role: GroupRole) -> Bool {
        guard let person = machines[number]?.person else { return false }
        return person == own || role == .owner && machines(of: person).allSatisfy(removed.contains)
    }

    /// What the state of the log ends with.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(epoch, bytes: 8)
        bytes.append(UInt64(roles.count), bytes: 2)
        for (person, role) in roles.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            bytes += person + [role.rawValue]
        }
        bytes.append(UInt64(machines.count), bytes: 4)
        for (number, machine) in machines.sorted(by: { $0.key < $1.key }) {
            bytes.append(UInt64(number), bytes: 4)
            bytes += machine.person
            bytes.append(machine.end, bytes: 8)
        }
        return bytes
    }

    /// Those of no log.
    public init() {}

    init(founder person: Digest32, _ number: UInt32) {
        roles[person] = .owner
        add(number, of: person)
    }

    init(from reader: inout ByteReader) throws(SyncLogError) {
        epoch = try reader.long()
        for _ in 0..<(try reader.count(0...SyncLimits.members)) {
            let person = try reader.take(32)
            roles[person] = try GroupRole(from: &reader)
        }
        for _ in 0..<(try reader.word()) {
            let number = try reader.word()
            machines[number] = Machine(person: try reader.take(32), end: try reader.long())
        }
    }
}

extension GroupRole {
    init(from reader: inout ByteReader) throws(SyncLogError) {
        guard let role = GroupRole(rawValue: try reader.byte()) else { throw .outside }
        self = role
    }
}

/// A person's addition to a group, with its first machine.
public struct PersonAddition: Sendable {
    /// The person.
    public let person: Digest32
    /// What it may do.
    public let role: GroupRole
    /// Its machine.
    public let machine: Addition

    init(from reader: inout ByteReader) throws(SyncLogError) {
        person = try reader.take(32)
        role = try GroupRole(from: &reader)
        machine = try Addition(from: &reader)
    }
}

extension LogWriter {
    /// The first entry of a new group, whose owner is a person with one machine.
    public static func genesis(ofGroupBy person: Digest32, _ device: DeviceKeys) throws -> [UInt8] {
        try genesis(by: device, .groupGenesis, person).bytes
    }

    /// Adds a person to a group, with the machine whose words were compared.
    public func addition(
        of person: Digest32, _ role: GroupRole, _ record: DeviceRecord, keysFrom first: UInt32 = 1
    ) throws -> Entry {
        let machine = Addition.bytes(
            number: state.next, record: record, envelopes: try envelopes(for: record, keysFrom: first))
        return try entry(.person, person + [role.rawValue] + machine)
    }

    /// Changes what a person may do.
    public func role(of person: Digest32, _ role: GroupRole) throws -> Entry {
        try entry(.role, person + [role.rawValue])
    }
}
