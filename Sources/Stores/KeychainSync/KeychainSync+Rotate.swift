// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import Sealing
import SyncEngines
import SyncLog
import SyncMerge

extension RecordName {
    /// The epoch in which a member was to be removed and everything sealed anew.
    static let rotation = "rotation"
}

extension KeychainSync {
    /// Writes every value again, so that all of them are sealed under the newest keys.
    public mutating func rotate() async throws {
        try await now()
        try await sealAnew()
        try await now()
    }

    /// Whether sealing everything anew after a removal is still to be done.
    public var isRotating: Bool {
        get throws {
            let epoch = try store.syncRead { try Self.rotation($0) }
            return epoch.map { $0 < member.replica.state.epoch } ?? false
        }
    }

    /// Records that it is to be done, so that a later round does it if this process ends before.
    func beginRotation() throws {
        var writer = ByteWriter()
        writer.integer(member.replica.state.epoch)
        let bytes = writer.bytes
        try store.syncWrite { try $0.keep(bytes, as: RecordName.rotation, .afterFirstUnlockThisDeviceOnly) }
    }

    /// Seals everything anew if that is still to be done after a removal, and everything is open. Returns whether
    /// it did.
    mutating func finishRotation() async throws -> Bool {
        guard try isRotating, !member.replica.isWaiting, TravellingClass.allCases.allSatisfy(isOpen)
        else { return false }
        try await sealAnew()
        return true
    }

    /// The epoch before the removal.
    private static func rotation(_ access: SyncAccess) throws -> UInt32? {
        guard let bytes = try access.record(RecordName.rotation) else { return nil }
        var reader = ByteReader(bytes)
        return try reader.integer()
    }

    private mutating func sealAnew() async throws {
        var entries: [[NewOperation]] = [[]]
        var size = 0
        for key in member.replica.items.keys {
            let register = member.replica.items[key]
            guard case .value(let value) = register.value, let present = register.frontier.first else { continue }
            let more = value.count + key.count + 256
            if entries[entries.count - 1].count == SyncLimits.operations || size + more > SyncLimits.value + 8192 {
                entries.append([])
                size = 0
            }
            size += more
            entries[entries.count - 1].append(
                NewOperation(
                    key: key, protectionClass: present.protectionClass, time: present.time, context: register.context,
                    change: .put(value: value, from: nil)))
        }
        for operations in entries where !operations.isEmpty { try member.edit(operations) }
        try await member.push()
        try store.syncWrite { try $0.forget(RecordName.rotation) }
    }
}
