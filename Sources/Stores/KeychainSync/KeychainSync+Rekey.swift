// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import SyncEngines
import SyncLog

extension KeychainSync {
    /// Handles a log with entries of this device that this home doesn't know: it was restored from a backup, or another
    /// copy of it is active. This home continues with new keys, which end the other copy's. The copy is notified, and
    /// must join anew.
    ///
    /// The keys are kept before they are sent, so that a crash at any point can be recovered.
    mutating func rekeyIfCopied() async throws {
        let isCopied = member.replica.notices.contains { if case .ownChainAhead = $0 { true } else { false } }
        let begun = try store.syncRead { try $0.record(RecordName.next) }
        guard isCopied || begun != nil, let own = member.replica.member else { return }
        // The other copy was faster: this one has ended, which the round stores before it reports it.
        if begun == nil, standing == .ended { return }
        let generation = state.records.count
        session.restart()
        var fresh: DeviceKeys
        if let begun, begun == state.records.last {
            // Only the epoch is left to do.
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

    /// Begins an epoch, since the copy has the old epoch's keys.
    private mutating func beginEpoch() async throws {
        try await insist { try $0.epoch().entry }
        try store.syncWrite { try $0.forget(RecordName.next) }
    }
}
