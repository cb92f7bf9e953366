// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import KeychainEngine
import Readers
import Sealing
import SyncEngines
public import SyncLog
import SyncMerge

extension RecordName {
    /// The names of the home's groups; a record of the account, which stays when that is left.
    static let groups = "\(SyncAccess.groups)names"
    /// The keys of other persons' machines with which words were compared.
    static let known = "\(SyncAccess.groups)known"
}

/// The register with a person's name, as an owner calls it.
enum PersonName {
    private static let kind: UInt8 = 0xFD

    static func key(_ person: Digest32) -> [UInt8] { [kind] + person }
}

/// A person in a shared group.
public struct GroupMember: Sendable, Hashable {
    /// The id of its account of sync.
    public let person: Digest32
    /// As an owner calls it; not proven.
    public let name: String
    /// What it may do.
    public let role: GroupRole
    /// The number of its machines in the group.
    public let machines: Int
    /// Whether it is this home's.
    public let isThis: Bool
}

/// An item that a former member could read, and that was not changed since.
public struct ExposedItem: Sendable, Hashable {
    /// Its title.
    public let title: String
    /// When it was last changed, in ms since 1970.
    public let changed: UInt64
    /// The names of the persons that could read it.
    public let readers: [String]
}

extension KeychainSync {
    /// The names of a home's shared groups, ascending.
    /// - Throws: `.locked` before the first unlock.
    public static func groups(of home: Home) throws -> [String] {
        try LogStore(home, nil).syncRead { try groups($0) }
    }

    private static func groups(_ access: SyncAccess) throws -> [String] {
        let bytes = try access.record(RecordName.groups) ?? []
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    static func keepGroups(_ home: Home, _ change: (inout Set<String>) -> Void) throws {
        try LogStore(home, nil).syncWrite { access in
            var names = Set(try groups(access))
            change(&names)
            let bytes = Array(names.sorted().map { Array($0.utf8) }.joined(separator: [0]))
            try access.keep(bytes, as: RecordName.groups, .afterFirstUnlockThisDeviceOnly)
        }
    }

    /// Throws unless a log is what it has to be: that of a group or of an account.
    static func mustBe(_ group: String?, _ log: LogState) throws {
        guard (group == nil) == (log.group == nil) else {
            throw SyncLogError(
                .notALog,
                group == nil
                    ? "this is the log of a shared group, not of an account; `zamok share accept` takes an invitation to it"
                    : "this is the log of an account, not of a shared group; nothing was taken over")
        }
    }

    /// - Throws: `.parameter` unless it can name a group: 1...64 small letters, digits, dots, dashes and underlines.
    public static func mustBeGroupName(_ name: String) throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)
        guard 1...64 ~= name.utf8.count, name.utf8.allSatisfy(letters.contains), name.utf8.first != 46 else {
            throw KeychainError(
                .parameter, "a group's name has 1 to 64 small letters, digits, dashes, underlines and dots inside")
        }
    }

    /// This home's person with the keys of this machine.
    private static func person(of home: Home) throws -> HandshakePerson {
        try LogStore(home, nil).syncRead { access in
            guard let bytes = try access.record(RecordName.state) else {
                throw KeychainError(
                    .itemNotFound,
                    "a person in a group is an account of sync, and this home has none; found one first: zamok sync create ENGINE-URL"
                )
            }
            let state = try state(bytes)
            let last = state.records.count - 1
            let device = try device(state.records[last], last, access)
            guard device.opening.count == TravellingClass.allCases.count else {
                throw KeychainError(.locked, "the home is locked, and a group needs all its classes; zamok unlock")
            }
            return HandshakePerson(state.account, device)
        }
    }

    /// Founds a shared group, whose owner is this home's person. Its items have the access group `shared.NAME`.
    /// - Throws: `.itemNotFound` if the home has no account of sync, `.duplicateItem` if it has a group of that name.
    public static func createGroup(
        _ group: String, _ home: Home, on engine: AnyEngine, at url: String, as name: String
    ) async throws -> KeychainSync {
        try mustBeGroupName(group)
        let (person, device) = (try person(of: home), try DeviceKeys())
        let genesis = try LogWriter.genesis(ofGroupBy: person.id, device)
        var sync = try await found(
            home, genesis, device, on: engine, at: url, name: name, group: group)
        try keepGroups(home) { $0.insert(group) }
        try sync.store.syncWrite { try $0.note(RecordName.toOffer, true) }
        try await sync.call(person.id, name)
        return sync
    }

    /// Joins a group by an invitation whose id is `id`, with ``invite(_:patience:as:role:confirm:)`` at the other side.
    ///
    /// `from`: the person that the user expects; nil if words are to be compared in any case. `confirm` gets the words,
    /// and whether they were compared with this machine of that person before. No name that others gave is taken for
    /// that: they could call themselves like another person.
    public static func acceptGroup(
        _ group: String, _ home: Home, id account: Digest32, on engine: AnyEngine, at url: String, name: String,
        invitation id: [UInt8], patience: Duration, from inviting: String? = nil,
        confirm: (String, _ isKnown: Bool) throws -> Bool
    ) async throws -> KeychainSync {
        try mustBeGroupName(group)
        var seen: [UInt8]?
        let known = try knownMachines(home)
        let sync = try await join(
            home, account: account, on: engine, at: url, name: name, id: id, patience: patience,
            for: try person(of: home), group: group
        ) { words, answered in
            seen = answered.approverKey
            return try confirm(words, inviting != nil && seen.flatMap { known[$0] } == inviting)
        }
        try keepGroups(home) { $0.insert(group) }
        try sync.store.syncWrite { try $0.note(RecordName.toOffer, true) }
        if let inviting { try remember(seen, inviting, home) }
        return sync
    }

    /// Takes a person in that accepts the invitation `id`, once the words are compared. They are not asked for if they
    /// were compared with this machine of that person before, under this name.
    /// - Throws: `notAccepted` if this home's person is no owner, or the other one is a member.
    public mutating func invite(
        _ id: [UInt8], patience: Duration, as name: String, role: GroupRole,
        confirm: (String, _ isKnown: Bool) throws -> Bool
    ) async throws {
        try mustOwn()
        let (members, known) = (persons, try Self.knownMachines(home))
        var invited: Digest32?
        var seen: [UInt8]?
        let compare = { (words: String, key: [UInt8]?) throws -> Bool in
            seen = key
            return try confirm(words, key.flatMap { known[$0] } == name)
        }
        let person = try Self.person(of: home)
        _ = try await approve(id, patience: patience, as: person, confirm: compare) { writer, record, person in
            guard let person, !members.contains(where: { $0.person == person }) else {
                throw SyncLogError(.notAccepted, "that person is in the group already; nothing was added")
            }
            invited = person
            return try writer.addition(of: person, role, record)
        }
        try Self.remember(seen, name, home)
        if let invited { try await call(invited, name) }
    }

    /// The keys of the machines with which words were compared, and their persons' names: a hand-shake that they sign
    /// needs no words. Another person must not get in by them in the place of the one that is meant.
    private static func knownMachines(_ home: Home) throws -> [[UInt8]: String] {
        try LogStore(home, nil).syncRead { access in
            guard let bytes = try access.record(RecordName.known) else { return [:] }
            var (known, reader) = ([[UInt8]: String](), ByteReader(bytes))
            while reader.remaining > 0 {
                known[try reader.read(64)] = String(decoding: try reader.prefixed(limit: 4096), as: UTF8.self)
            }
            return known
        }
    }

    private static func remember(_ key: [UInt8]?, _ name: String, _ home: Home) throws {
        guard let key else { return }
        var known = try knownMachines(home)
        known[key] = name
        var writer = ByteWriter()
        for (key, name) in known.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.append(key)
            writer.prefixed(Array(name.utf8))
        }
        try LogStore(home, nil).syncWrite {
            try $0.keep(writer.bytes, as: RecordName.known, .afterFirstUnlockThisDeviceOnly)
        }
    }

    private mutating func call(_ person: Digest32, _ name: String) async throws {
        let key = PersonName.key(person)
        try member.edit([
            NewOperation(
                key: key, protectionClass: .none, time: Self.clock, context: member.replica.items[key].context,
                change: .put(value: DeviceName.value(name, signsInWith: nil), from: nil))
        ])
        try await member.push()
        try await now()
    }

    private var group: GroupPersons { member.replica.state.group ?? GroupPersons() }

    /// This home's person.
    private var own: Digest32? { member.replica.member.flatMap { group.machines[$0]?.person } }

    /// What this home may do in its group; nil in an account, or where it is no member.
    public var role: GroupRole? { own.flatMap { group.roles[$0] } }

    /// Whether this home may send edits.
    var mayEdit: Bool { store.group == nil || role.map { $0 >= .writer } ?? false }

    private func mustOwn() throws(SyncLogError) {
        guard role == .owner else {
            throw SyncLogError(
                .notAccepted, "only an owner of the group may do that; you are a \(role?.word ?? "stranger")")
        }
    }

    /// The members, by name.
    public var persons: [GroupMember] {
        group.roles.map { person, role in
            GroupMember(
                person: person, name: name(of: person), role: role, machines: group.machines(of: person).count,
                isThis: person == own)
        }.sorted { ($0.name, $0.person.hexadecimal) < ($1.name, $1.person.hexadecimal) }
    }

    /// The last name that a present owner gave; without one the first.
    private func name(of person: Digest32) -> String {
        let given = member.replica.items[PersonName.key(person)].operations
        let owners = given.filter { operation in
            group.machines[operation.author].flatMap { group.roles[$0.person] } == .owner
        }
        guard case .put(let value, _) = (owners.last ?? given.first)?.change else {
            return "person \(person.hexadecimal.prefix(8))"
        }
        return DeviceName.read(value).name
    }

    /// The member that a user names: by its name, or the beginning of its id.
    /// - Throws: `notAMember` unless it is exactly one.
    public func person(named name: String) throws(SyncLogError) -> GroupMember {
        let found = persons.filter { $0.name == name || name.count >= 8 && $0.person.hexadecimal.hasPrefix(name) }
        guard found.count == 1, let person = found.first else {
            throw SyncLogError(
                .notAMember,
                found.isEmpty
                    ? "no member is called \(name.printable); `zamok share members` lists them"
                    : "several members are called \(name.printable); name one by the beginning of its id")
        }
        return person
    }

    /// The name of the person that wrote an entry; nil if that was no machine of the group.
    public func author(at place: UInt64) -> String? {
        guard let bytes = member.replica.bytes(at: place), let entry = try? Entry(bytes) else { return nil }
        return group.machines[entry.author].map { name(of: $0.person) }
    }

    /// What a home does in each round of a group: no edit is sealed under keys that a machine has which is gone.
    mutating func settleGroup() async throws {
        guard store.group != nil else { return }
        for _ in 0..<Self.tries where group.needsEpoch { _ = try await member.send { try $0.epoch().entry } }
    }

    /// Changes what a member may do.
    public mutating func setRole(of person: GroupMember, to role: GroupRole) async throws {
        try await now()
        try mustOwn()
        guard group.roles[person.person] != role else {
            throw SyncLogError(.notAccepted, "\(person.name.printable) is \(role.word) already")
        }
        guard !group.isLastOwner(person.person) else { throw Self.lastOwner }
        try await insist { try $0.role(of: person.person, role) }
        try await now()
    }

    /// Removes a member with all machines, and begins an epoch without it. No entry of it can prevent that.
    public mutating func remove(_ person: GroupMember) async throws {
        guard !person.isThis else {
            throw SyncLogError(.notAMember, "a member doesn't remove itself: `zamok share leave` does that")
        }
        for _ in 0..<Self.tries {
            try await member.pull(without: Set(group.machines(of: person.person)))
            forgetDeadOutgoing()
            try mustOwn()
            let machines = group.machines(of: person.person)
            if machines.isEmpty {
                try keepLog()
                try await now()
                return
            }
            // It may have added a machine meanwhile, so that the entry would not count.
            do { _ = try await member.remove(machines) } catch let error as SyncLogError {
                guard error.code == .wouldNotCount else { throw error }
            }
        }
        throw Self.busy
    }

    /// Leaves the group with all machines of this person, and forgets it here. The items stay, set aside. A person that
    /// was removed leaves nothing, so only that is done.
    public mutating func leaveGroup() async throws {
        do { try await now() } catch let error as SyncLogError where error.code == .endedHere {
            guard isRemoved else { throw error }
            setAside = try Self.forget(home, group: store.group)
            return try Self.keepGroups(home) { $0.remove(store.group ?? "") }
        }
        if let own, group.isLastOwner(own), group.roles.count > 1 { throw Self.lastOwner }
        let others = own.map { group.machines(of: $0) }?.filter { $0 != member.replica.member } ?? []
        if !others.isEmpty { _ = try await member.remove(others) }
        try await leave()
        try Self.keepGroups(home) { $0.remove(store.group ?? "") }
    }

    /// Whether this machine was removed from the log, or left it.
    var isRemoved: Bool { member.replica.member.map { member.replica.state.record(of: $0) == nil } ?? false }

    /// Forgets a group here, without a change to it. The items stay, set aside.
    /// - Throws: `.itemNotFound` if the home is in no such group.
    @discardableResult
    public static func forgetGroup(_ group: String, _ home: Home) throws -> SetAside? {
        let lock = try hold(home, group)
        defer { withExtendedLifetime(lock) {} }
        let isThere = try settings(of: home, group: group) != nil
        guard try isThere || groups(of: home).contains(group) else { throw none(group) }
        let aside = try isThere ? forget(home, group: group) : nil
        try keepGroups(home) { $0.remove(group) }
        return aside
    }

    private static var lastOwner: SyncLogError {
        SyncLogError(
            .notAccepted,
            "the group would have no owner; make another member one first: zamok share role NAME PERSON owner")
    }

    /// The group's items that were not changed since a member that could read them was removed or left.
    public var exposed: [ExposedItem] {
        var found: [ExposedItem] = []
        for (key, register) in member.replica.items.registers where store.has(key: key) {
            guard case .value(let value) = register.value, let last = register.frontier.first,
                let item = try? TravellingItem(value, key: key)
            else { continue }
            let place = last.place & (SyncLimits.places - 1)
            let readers = Set(group.machines.values.filter { $0.end > place }.map { name(of: $0.person) })
            guard !readers.isEmpty else { continue }
            found.append(ExposedItem(title: item.title, changed: last.time, readers: readers.sorted()))
        }
        return found.sorted { ($0.title, $0.changed) < ($1.title, $1.changed) }
    }
}

extension GroupRole {
    /// For the user.
    public var word: String {
        switch self {
        case .reader: "reader"
        case .writer: "writer"
        case .owner: "owner"
        }
    }
}
