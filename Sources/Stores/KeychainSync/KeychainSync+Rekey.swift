// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import SyncEngines
import SyncLog

extension KeychainSync {
    /// The log has entries of this device that this home doesn't know: it was put back from a backup, or another copy of it is at work. New keys go on,
    /// and end the other copy's; the copy is told, and has to join anew.
    ///
    /// The keys are kept before they are sent, and what is to be done is known after a crash at any point.
    mutating func rekeyIfCopied() async throws {
        let isCopied = member.replica.notices.contains { if case .ownChainAhead = $0 { true } else { false } }
        let begun = try store.syncRead { try $0.record(RecordName.next) }
        guard isCopied || begun != nil, let own = member.replica.member else { return }
        // The other copy was quicker: this one has ended, which the round keeps before it says so.
        if begun == nil, standing == .ended { return }
        let generation = state.records.count
        session.restart()
        var fresh: DeviceKeys
        if let begun, begun == state.records.last {
            // All but the epoch was done.
            return try await beginEpoch()
        } else if let begun {
            fresh = try store.syncRead { try Self.device(begun, generation, $0) }
        } else {
            guard home.keybag.lockState == .unlocked else {
                throw SyncLogError(
                    .locked, "this home was put back or copied, and needs new keys for sync; unlock, then sync again")
            }
            fresh = try DeviceKeys()
            let made = fresh
            try store.syncWrite { access in
                try Self.keep(made, generation: generation, access)
                try access.keep(made.record.bytes, as: RecordName.next, .afterFirstUnlockThisDeviceOnly)
            }
        }
        if member.replica.state.record(of: own) != fresh.record {
            try await member.rekey(to: fresh)
        } else {
            member.replica.use(fresh)
        }
        var next = state
        next.records.append(fresh.record.bytes)
        let given = next
        state = try store.syncWrite { try keep(given, $0) }
        try await beginEpoch()
    }

    /// The copy has the old epoch's keys.
    private mutating func beginEpoch() async throws {
        try await insist { try $0.epoch().entry }
        try store.syncWrite { try $0.forget(RecordName.next) }
    }
}
