// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import Readers
import Sealing
import SyncEngines
public import SyncLog
import SyncMerge

extension RecordName {
    /// Of a group that the person's other machines are to be told of.
    static let toOffer = "offer"
}

/// The registers of an account by which a person's machines get into its groups, class none: that the person is in a
/// group, and the keys that a machine has there.
private enum MachineRegister {
    private static let (group, keys): (UInt8, UInt8) = (0xFC, 0xFB)

    static func offer(_ id: Digest32) -> [UInt8] { [group] + id }

    static func keys(_ id: Digest32, _ number: UInt32) -> [UInt8] {
        [keys] + id + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// The group that a register names; nil for another register.
    static func group(_ key: [UInt8]) -> Digest32? {
        key.first == group && key.count == 33 ? Array(key.dropFirst()) : nil
    }

    /// The machine whose keys a register has in a group; nil for another register.
    static func machine(_ key: [UInt8], in id: Digest32) -> UInt32? {
        guard key.count == 37, key.starts(with: [keys] + id) else { return nil }
        return key.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// A group that another machine of the person is in.
public struct OfferedGroup: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its id.
    public let id: Digest32
    /// The engine's URL, as that machine names it.
    public let engine: String
}

extension KeychainSync {
    /// Tells the person's other machines of the home's groups, and which keys this machine has there. For the account.
    /// - Returns: The groups that other machines are in, and this home is not. Those that it has no room for, since it
    ///   has another group of that name, are left out.
    public mutating func offerGroups() async throws -> [OfferedGroup] {
        var ids: Set<Digest32> = []
        var names: Set<String> = []
        var new: [String] = []
        for name in try Self.groups(of: home) {
            guard let settings = try Self.settings(of: home, group: name) else { continue }
            ids.insert(settings.account)
            names.insert(name)
            var writer = ByteWriter()
            writer.prefixed(Array(name.utf8))
            writer.prefixed(Array(settings.engine.utf8))
            let (isNew, record) = try LogStore(home, name).syncRead { access in
                let state = try access.record(RecordName.state).map { try Self.state($0) }
                return (try access.record(RecordName.toOffer) != nil, state?.records.last)
            }
            if isNew {
                try offer(MachineRegister.offer(settings.account), writer.bytes)
                new.append(name)
            }
            if let record, let own = member.replica.member {
                try offer(MachineRegister.keys(settings.account, own), record)
            }
        }
        try await member.push()
        for name in new { try LogStore(home, name).syncWrite { try $0.note(RecordName.toOffer, false) } }
        var found: [OfferedGroup] = []
        for (key, register) in member.replica.items.registers {
            guard let id = MachineRegister.group(key), !ids.contains(id), case .value(let value) = register.value
            else { continue }
            var reader = ByteReader(value)
            guard let name = try? reader.prefixed(limit: 64), let engine = try? reader.prefixed(limit: 4096) else {
                continue
            }
            let group = OfferedGroup(
                name: String(decoding: name, as: UTF8.self), id: id, engine: String(decoding: engine, as: UTF8.self))
            if (try? Self.mustBeGroupName(group.name)) != nil, names.insert(group.name).inserted { found.append(group) }
        }
        return found.sorted { $0.name < $1.name }
    }

    private mutating func offer(_ key: [UInt8], _ value: [UInt8]) throws {
        let register = member.replica.items[key]
        guard register.value != .value(value) else { return }
        try member.edit([
            NewOperation(
                key: key, protectionClass: .none, time: Self.clock, context: register.context,
                change: .put(value: value, from: nil))
        ])
    }

    /// Tells the person's other machines that it is in a group no more. For the account.
    public mutating func withdraw(_ id: Digest32) async throws {
        try await now()
        let key = MachineRegister.offer(id)
        let own = member.replica.items[key]
        guard own.value != .absent else { return }
        try member.edit([
            NewOperation(key: key, protectionClass: .none, time: Self.clock, context: own.context, change: .delete)
        ])
        try await member.push()
        try await now()
    }

    /// Begins to follow a group that another machine of the person is in. That machine's next round lets this one in,
    /// once ``offerGroups()`` has told it of this one's keys. For the account.
    /// - Returns: The items that were in its access group before, which are set aside.
    @discardableResult
    public func follow(_ group: OfferedGroup, on engine: AnyEngine) async throws -> SetAside? {
        let lock = try Self.hold(home, group.name)
        let store = try LogStore(home, group.name)
        try Self.refuseSecond(store)
        let device = try DeviceKeys()
        let (followed, stored) = try await SyncMember.follow(group.id, device, on: engine) { nil }
        try Self.mustBe(group.name, followed.replica.state)
        let state = SyncState(
            account: group.id, engine: group.engine, name: self.state.name, record: device.record.bytes)
        var sync = KeychainSync(home, store, lock, state, followed.replica, engine)
        try sync.keep(device, stored)
        try Self.keepGroups(home) { $0.insert(group.name) }
        return sync.setAside
    }

    /// Lets the person's other machines into this group, and removes those that its account has no more.
    /// - Parameter account: The home's account, as its last round left it.
    public mutating func takeMachines(of account: KeychainSync) async throws {
        guard standing == .member else { return }
        let (log, items) = (account.member.replica.state, account.member.replica.items)
        var gone: [UInt32] = []
        for (key, register) in items.registers {
            guard let number = MachineRegister.machine(key, in: state.account),
                let last = register.frontier.first, last.author == number, case .put(let value, _) = last.change,
                let record = try? DeviceRecord(value)
            else { continue }
            if log.members.contains(number) {
                guard member.replica.state.mayAdd(record) else { continue }
                _ = try await member.send { try $0.addition(of: record) }
            } else if let there = member.replica.state.member(record), there != member.replica.member {
                gone.append(there)
            }
        }
        if !gone.isEmpty { _ = try await member.remove(gone.sorted()) }
        try keepLog()
    }
}
