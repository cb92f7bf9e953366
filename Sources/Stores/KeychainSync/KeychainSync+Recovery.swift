// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import SyncEngines
public import SyncLog

extension KeychainSync {
    /// Makes the account's recovery code, from which on it is the only one. Nothing of it is kept: who loses the paper makes another.
    public mutating func recoveryCode() async throws -> SyncLog.RecoveryCode {
        try await now()
        let code = SyncLog.RecoveryCode()
        try await insist { try $0.recovery(code) }
        try await now()
        return code
    }

    /// Whether there is a recovery code.
    public var hasRecoveryCode: Bool { member.replica.state.recovery != nil }

    /// Ends the recovery code: it adds no machine from then on, and no later key is sealed to it.
    public mutating func endRecoveryCode() async throws {
        try await now()
        for _ in 0..<Self.tries {
            guard let number = member.replica.state.recovery else {
                throw SyncLogError(
                    .notAMember, "this account has no recovery code; `zamok sync recovery-code` makes one")
            }
            guard try await member.send({ try $0.end(ticket: number) }) else { continue }
            // What was sealed to the code opens with it until new keys begin.
            try await insist { try $0.epoch().entry }
            try await now()
            return
        }
        throw Self.busy
    }

    /// Adds this machine with the account's recovery code, without any other machine.
    ///
    /// Only the log's first entry says that it is this account's: an engine can show an older state of it, which the members' heads tell.
    public static func recover(
        _ home: Home, account: Digest32, with code: SyncLog.RecoveryCode, on engine: AnyEngine, at url: String,
        name: String
    ) async throws -> KeychainSync {
        var sync = try await begin(home, account, on: engine, at: url, name: name)
        let record = sync.member.replica.device.record
        var found = try await SyncMember.follow(account, code.device(in: account), on: engine)
        for _ in 0..<tries {
            if found.replica.state.member(record) != nil {
                try await sync.member.pull()
                try sync.keepLog()
                return sync
            }
            let entry = try found.replica.recoveryWriter().addition(of: record)
            _ = try await engine.append(entry.bytes, at: entry.place, of: account)
            try await found.pull()
        }
        throw busy
    }
}
