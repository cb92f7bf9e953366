// SPDX-License-Identifier: Apache-2.0

import Crypto
public import DataProtection
import Files
import KeychainEngine
public import SyncEngines
public import SyncLog
import SyncMerge

/// A home's membership in an account: its synchronizable items follow the account's log, and changes made here are
/// written to it.
///
/// One process at a time works on it. The stored state is useless without the home's keys, and the log without the
/// account's keys.
public struct KeychainSync: Sendable {
    static let lockName = "keychain.db-sync"
    /// One for all groups.
    static let groupLockName = "keychain.db-share"

    /// The home.
    public let home: Home
    let store: LogStore
    /// Locked as long as this value exists, unless it was opened for reading.
    let lock: OpenFile
    /// This device's copy of the log.
    public internal(set) var member: SyncMember<AnyEngine>
    var state: SyncState
    /// The preferences that also travel; nil if none were ever chosen.
    var domains: PreferenceDomains?
    /// The items that creating, joining or leaving a group moved out of its access group.
    public internal(set) var setAside: SetAside?
    /// The registers that match this home's items.
    var applied = MergedItems()
    let session: OwnSequences
    package var pace = Pace()

    /// The account, the engine's URL and this device's name; nil if the home has no account.
    ///
    /// Errors: `.locked` before the first unlock.
    /// `group`: that of a shared group instead of the account, by its name.
    public static func settings(of home: Home, group: String? = nil) throws -> SyncSettings? {
        let store = try LogStore(home, group)
        guard let bytes = try store.syncRead({ try $0.record(RecordName.state) }) else { return nil }
        let state = try Self.state(bytes)
        return SyncSettings(account: state.account, engine: state.engine, name: state.name)
    }

    static func state(_ bytes: [UInt8]) throws -> SyncState {
        guard let state = try? SyncState(bytes) else {
            throw KeychainError(
                .damaged,
                "what sync keeps in keychain.db is damaged; your items are not. Leave with `zamok sync leave --here`, then join again"
            )
        }
        return state
    }

    /// Opens a home's stored state, and the log as last seen. Doesn't ask the engine.
    ///
    /// `isReading`: for reading only, even while another process makes a round. `group`: the log of that shared group
    /// instead of the account's.
    public static func open(
        _ home: Home, on engine: AnyEngine, isReading: Bool = false, group: String? = nil
    ) throws -> KeychainSync {
        let lock = try hold(home, group, isReading: isReading)
        let store = try LogStore(home, group)
        let kept = try store.syncRead { (access: SyncAccess) throws -> Kept in
            guard let bytes = try access.record(RecordName.state) else { throw none(group) }
            let state = try Self.state(bytes)
            let entries = try state.batches.map { try access.record(RecordName.entries($0)) ?? [] }
            var chunks: [[[UInt8]]]?
            if state.base == 0, state.first > 1, let batch = entries.first {
                try KeptEntries(bytes: batch).readFirst { chunks = try Self.chunks(of: $0, access) }
            }
            return Kept(
                state: state, devices: try state.records.indices.map { try device(state.records[$0], $0, access) },
                base: try base(state, access), chunks: chunks, entries: entries,
                outgoing: try access.record(RecordName.outgoing), domains: try domains(access))
        }
        var replica = try replica(kept)
        let outgoing = try kept.outgoing.map { try Outgoing($0) }
        replica.outgoing = try outgoing.map { try Entry($0.entry, version: replica.state.version) }
        try mustBe(group, replica.state)
        let sync = KeychainSync(home, store, lock, kept.state, replica, engine, kept.domains)
        if let outgoing { sync.session.open(outgoing.first, replica.outgoing?.sequence ?? 0) }
        return sync
    }

    private struct Kept {
        let state: SyncState
        let devices: [DeviceKeys]
        let base: KeptReplica?
        /// The chunks of the snapshot at which the home begins, while there is no stored copy yet.
        let chunks: [[[UInt8]]]?
        let entries: [[UInt8]]
        let outgoing: [UInt8]?
        let domains: PreferenceDomains?

        /// The log's copy after the first kept entry.
        func begun(with entry: [UInt8], _ device: DeviceKeys) throws -> LogReplica {
            guard let chunks else {
                return try LogReplica(genesis: entry, account: state.account, device: device, written: state.written)
            }
            return try LogReplica(
                startingAt: StoredSnapshot(place: state.first, entry: entry, chunks: chunks), account: state.account,
                device: device, written: state.written)
        }
    }

    init(
        _ home: Home, _ store: LogStore, _ lock: OpenFile, _ state: SyncState, _ replica: LogReplica,
        _ engine: AnyEngine, _ domains: PreferenceDomains? = nil
    ) {
        self.home = home
        self.domains = domains
        self.store = store
        self.lock = lock
        self.state = state
        // Stored before it is sent, so that an entry that returns under this device's number is recognised as its own.
        let session = OwnSequences()
        self.session = session
        var replica = replica
        replica.keepsSettled = true
        member = SyncMember(replica: replica, engine: engine) { replica, _ in
            guard let outgoing = replica.outgoing else { return }
            let first = session.note(outgoing.sequence)
            try store.syncWrite {
                try $0.keep(
                    Outgoing(first: first, entry: outgoing.bytes).bytes, as: RecordName.outgoing,
                    .afterFirstUnlockThisDeviceOnly)
            }
        }
        for (key, register) in replica.items.registers {
            for operation in register.operations where operation.place <= appliedPlace(of: operation, on: key) {
                applied.insert(operation, on: key)
            }
        }
    }

    /// Locks sync for one process: another one would write under the same numbers.
    static func hold(_ home: Home, _ group: String? = nil, isReading: Bool = false) throws -> OpenFile {
        let lockName = group == nil ? Self.lockName : groupLockName
        // In an erased home, a remaining file would belong to another home.
        try ItemStore.of(home).syncRead { _ in }
        try home.prepareFile(lockName)
        let file = try OpenFile.open(FileLocation(home.path(of: lockName)), mode: .change, hooks: FileHooks())
        guard try isReading || file.tryLock() else {
            throw SyncEngineError(.busy, "another process syncs this home; wait until it is done, or end it")
        }
        return file
    }

    static func device(_ record: [UInt8], _ generation: Int, _ access: SyncAccess) throws -> DeviceKeys {
        guard let signing = try access.record(RecordName.signing(generation)) else {
            throw KeychainError(
                .damaged,
                "this device's key for sync is gone; leave with `zamok sync leave --here`, then join again")
        }
        var opening: [TravellingClass: OpeningKey] = [:]
        for protectionClass in TravellingClass.allCases {
            do {
                guard let seed = try access.record(RecordName.opening(generation, protectionClass)) else { continue }
                opening[protectionClass] = try OpeningKey(seed: SymmetricKey(data: seed))
            } catch let error as KeychainError {
                guard error.code == .locked else { throw error }
            }
        }
        return try DeviceKeys(
            signing: P256.Signing.PrivateKey(rawRepresentation: signing), opening: opening,
            record: DeviceRecord(record))
    }

    private static func replica(_ kept: Kept) throws -> LogReplica {
        let state = kept.state
        var place = state.first - 1
        var devices = kept.devices[...]
        var replica = try kept.base.flatMap { try Self.replica($0, &devices) }
        for batch in kept.entries {
            try KeptEntries(bytes: batch).read { entry in
                place += 1
                if place <= state.base {
                    replica?.restore(entry, at: place)
                    return
                }
                if replica == nil, let first = devices.first {
                    replica = try kept.begun(with: entry, first)
                } else {
                    try replica?.take(entry, at: place)
                }
                // From the entry on that made the next keys this device's.
                if let member = replica?.member, let next = devices.dropFirst().first,
                    replica?.state.record(of: member) == next.record
                {
                    devices.removeFirst()
                    replica?.use(next)
                }
            }
        }
        guard var replica, replica.state.place == state.place, replica.state.account == state.account else {
            throw KeychainError(
                .damaged,
                "the log that sync keeps in keychain.db is damaged; your items are not. Leave with `zamok sync leave --here`, then join again"
            )
        }
        replica.notices = []
        return replica
    }

    /// The stored copy, with the keys that were this device's at its place; removes earlier keys from `devices`.
    private static func replica(_ base: KeptReplica, _ devices: inout ArraySlice<DeviceKeys>) throws -> LogReplica? {
        while let device = devices.first {
            let replica = try LogReplica(keeping: base, device: device)
            let isIts = replica.member.flatMap { replica.state.record(of: $0) } == device.record
            if isIts || devices.count == 1 { return replica }
            devices.removeFirst()
        }
        return nil
    }

    /// Stores this device's private keys.
    static func keep(_ device: DeviceKeys, generation: Int, _ access: SyncAccess) throws {
        try access.keep(
            Array(device.signing.rawRepresentation), as: RecordName.signing(generation),
            .afterFirstUnlockThisDeviceOnly)
        for (protectionClass, key) in device.opening {
            try access.keep(
                key.seed.exposingBytes, as: RecordName.opening(generation, protectionClass),
                protectionClass.ownAccessibility)
        }
    }

    /// Stores the state, and the entries that are not stored yet.
    func keep(_ given: SyncState, _ access: SyncAccess) throws -> SyncState {
        var state = given
        let replica = member.replica
        if state.place < replica.state.place {
            var batch = state.batches.isEmpty ? state.batches.lowerBound : state.batches.upperBound - 1
            var kept = KeptEntries(bytes: try access.record(RecordName.entries(batch)) ?? [])
            for place in state.place + 1...replica.state.place {
                if kept.bytes.count >= KeptEntries.most {
                    try access.keep(kept.bytes, as: RecordName.entries(batch), .afterFirstUnlockThisDeviceOnly)
                    batch += 1
                    kept = KeptEntries()
                }
                kept.append(replica.bytes(at: place))
            }
            try access.keep(kept.bytes, as: RecordName.entries(batch), .afterFirstUnlockThisDeviceOnly)
            state.batches = state.batches.lowerBound..<batch + 1
            state.place = replica.state.place
        }
        try access.keep(state.bytes, as: RecordName.state, .afterFirstUnlockThisDeviceOnly)
        return state
    }
}

/// The user's settings for a home's account.
public struct SyncSettings: Sendable {
    /// The account's id.
    public let account: Digest32
    /// The engine's URL.
    public let engine: String
    /// This device's name.
    public let name: String
}
