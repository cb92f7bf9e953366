// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import SyncEngines
public import SyncLog

extension KeychainSync {
    /// Makes the account's recovery code; any previous code ends. The code itself is not kept, so a lost one is
    /// replaced by a new one. `show` gets the code before it takes effect: if `show` fails, the previous code
    /// stays valid.
    @discardableResult
    public mutating func recoveryCode(
        show: (SyncLog.RecoveryCode) throws -> Void = { _ in }
    ) async throws -> SyncLog.RecoveryCode {
        try await now()
        let code = SyncLog.RecoveryCode()
        // If the entry can't be written now, for example while a class is locked, no code is shown.
        _ = try member.replica.writer().recovery(code)
        // Before the code takes effect: from then on the engine keeps what begins there.
        if let beginning = try await member.beginning(now: Self.clock) {
            let mailbox = SideKey.join(id: code.mailbox(in: state.account), step: 1)
            _ = try await member.engine.put(
                code.message(beginning, in: state.account), at: mailbox, of: state.account)
        }
        try show(code)
        try await insist { try $0.recovery(code) }
        try await now()
        return code
    }

    /// Whether there is a recovery code.
    public var hasRecoveryCode: Bool { member.replica.state.recovery != nil }

    /// Ends the recovery code: it adds no machine any more, and no later key is sealed to it.
    public mutating func endRecoveryCode() async throws {
        try await now()
        for _ in 0..<Self.tries {
            guard let number = member.replica.state.recovery else {
                throw SyncLogError(
                    .notAMember, "this account has no recovery code; `zamok sync recovery-code` makes one")
            }
            guard try await member.send({ try $0.end(ticket: number) }) else { continue }
            // What was sealed to the code still opens with it until new keys begin.
            try await insist { try $0.epoch().entry }
            try await now()
            return
        }
        throw Self.busy
    }

    /// Adds this machine with the account's recovery code, without any other machine.
    ///
    /// Only the log's first entry proves that it is this account's. If that is gone, the snapshot that the code's maker
    /// named does. An engine can show an older state of it; the members' heads reveal that.
    public static func recover(
        _ home: Home, account: Digest32, with code: SyncLog.RecoveryCode, on engine: AnyEngine, at url: String,
        name: String
    ) async throws -> KeychainSync {
        let beginning = { () async throws -> Beginning? in
            let mailbox = SideKey.join(id: code.mailbox(in: account), step: 1)
            guard let message = try await engine.get(mailbox, of: account) else {
                throw SyncLogError(
                    .notAccepted,
                    "this recovery code is not the account's, or was made by a zamok that did not yet say where it begins; the engine has no longer the account's first entries. A machine that is left can let this one in: `zamok sync join`"
                )
            }
            return try code.beginning(message, in: account)
        }
        var sync = try await begin(home, account, on: engine, at: url, name: name, from: beginning)
        let record = sync.member.replica.device.record
        var found = try await SyncMember.follow(account, code.device(in: account), on: engine, from: beginning).member
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
