// SPDX-License-Identifier: Apache-2.0

import Crypto
public import DataProtection
import KeychainEngine
import SyncEngines
public import SyncLog

extension KeychainSync {
    /// The number of attempts to write an entry before failing because others take its place.
    static let tries = 64

    /// Makes a ticket with which `machines` machines may apply.
    public mutating func ticket(machines: UInt16) async throws -> FleetTicket {
        try await now()
        let key = P256.Signing.PrivateKey()
        let beginning = try await member.beginning(now: Self.clock)
        for _ in 0..<Self.tries {
            guard
                try await member.send({
                    try $0.ticket(key: key.publicKey, machines: machines, from: beginning)
                })
            else { continue }
            let log = member.replica.state
            guard let number = log.tickets.first(where: { $0.key == Array(key.publicKey.rawRepresentation) })?.number
            else { break }
            let made = FleetTicket(
                account: state.account, number: number, engine: state.engine, place: beginning?.place ?? log.place,
                hash: beginning?.hash ?? log.hash, signing: key)
            try await now()
            return made
        }
        throw Self.busy
    }

    /// Tickets that can still be used.
    public var tickets: [LogState.OpenTicket] { member.replica.state.tickets }

    /// Ends a ticket: no machine can apply with it any more. Machines that applied and are not yet added are not added.
    /// Machines that joined with it stay.
    public mutating func end(ticket number: UInt32) async throws {
        // No round before it, which would add the applicants.
        try await member.pull()
        for _ in 0..<Self.tries {
            guard tickets.contains(where: { $0.number == number }) else {
                throw SyncLogError(
                    .notAMember, "\(number) is no ticket that can be used; `zamok sync tickets` lists them")
            }
            if try await member.send({ try $0.end(ticket: number) }) {
                try await now()
                return
            }
        }
        throw Self.busy
    }

    /// Applies with a ticket. The machine becomes a member once an unlocked member has added it, which its ``now()``
    /// then sees; until then ``isApplicant``. An unfinished application continues with the same keys.
    /// - Throws: `fork` if the engine shows another log than the one that the ticket was made in; `notAccepted` if the
    ///   ticket has ended or is used up, `noSuchAccount` if the engine has no such account.
    public static func join(
        _ home: Home, with ticket: FleetTicket, on engine: AnyEngine, at url: String, name: String
    ) async throws -> KeychainSync {
        var sync = try await begin(home, ticket.account, on: engine, at: url, name: name) {
            Beginning(place: ticket.place, hash: ticket.hash)
        }
        guard sync.member.replica.hash(at: ticket.place) == ticket.hash else {
            try forget(home)
            throw SyncLogError(
                .fork, "the engine shows another log than the one that the ticket was made in; nothing was joined")
        }
        try await sync.apply(with: ticket)
        return sync
    }

    /// Resumes an unfinished joining, or begins one with new keys. The keys are stored before anything is sealed
    /// to them.
    static func begin(
        _ home: Home, _ account: Digest32, on engine: AnyEngine, at url: String, name: String,
        from beginning: () async throws -> Beginning?
    ) async throws -> KeychainSync {
        if let settings = try settings(of: home), settings.account == account {
            var begun = try open(home, on: engine)
            if begun.member.replica.member == nil {
                try await begun.member.pull()
                return begun
            }
        }
        try SyncState.mustBeReadable(engine: url, name: name)
        let lock = try hold(home)
        let store = try LogStore(home, nil)
        try refuseSecond(store)
        let device = try DeviceKeys()
        let (followed, stored) = try await SyncMember.follow(account, device, on: engine, from: beginning)
        try mustBe(nil, followed.replica.state)
        let state = SyncState(account: account, engine: url, name: name, record: device.record.bytes)
        var sync = KeychainSync(home, store, lock, state, followed.replica, engine)
        try sync.keep(device, stored)
        return sync
    }

    private mutating func apply(with ticket: FleetTicket) async throws {
        for _ in 0..<Self.tries {
            let log = member.replica.state
            if member.replica.member != nil || isApplicant { return try keepLog() }
            guard let open = log.tickets.first(where: { $0.number == ticket.number }), open.used < open.machines else {
                throw SyncLogError(
                    .notAccepted,
                    "the ticket has ended, or as many machines as it is for have used it; a member makes another with `zamok sync ticket`. Then `zamok sync leave --here`, and join with that"
                )
            }
            let entry = try LogWriter(after: log, ticket: ticket.number, signing: ticket.signing)
                .application(of: member.replica.device)
            _ = try await member.engine.append(entry.bytes, at: entry.place, of: state.account)
            try await member.pull()
        }
        throw Self.busy
    }

    mutating func keepLog() throws {
        let given = state
        state = try store.syncWrite { try keep(given, $0) }
    }

    /// Whether this machine has applied, and no member has added it yet.
    public var isApplicant: Bool {
        let log = member.replica.state
        return member.replica.member == nil && log.applicants.contains { $0.record == member.replica.device.record }
    }

    /// Adds the machines that applied with a ticket that has not ended. While a class is locked they wait.
    mutating func admitApplicants() async throws {
        while let applicant = member.replica.state.applicants.first(where: { mayJoin($0) }) {
            do {
                _ = try await member.send { try $0.addition(of: applicant.record) }
            } catch let error as SyncLogError where error == SyncLogError(.locked, "") {
                return
            }
        }
    }

    private func mayJoin(_ applicant: LogState.Applicant) -> Bool {
        tickets.contains { $0.number == applicant.ticket }
    }

    /// This machine's standing in the account, as far as the log is known here.
    public var standing: SyncStanding {
        if (try? member.replica.writer()) != nil { return .member }
        if member.replica.member != nil { return .ended }
        let record = member.replica.device.record
        guard let own = member.replica.state.applicants.first(where: { $0.record == record }) else { return .begun }
        return mayJoin(own) ? .waiting : .refused
    }

    /// Throws unless this machine is a member: until it is added it can only wait.
    func mustBeIn() throws {
        switch standing {
        case .member: return
        case .ended: _ = try member.replica.writer()
        case .begun where store.group != nil:
            throw SyncEngineError(
                .waiting, "this machine waits for a round of another machine of yours that is in the group")
        case .begun:
            throw SyncLogError(
                .endedHere,
                "this machine has begun to join, and has not applied yet; run the same `zamok sync join` or `recover` again, or `zamok sync leave --here`"
            )
        case .refused:
            throw SyncLogError(
                .notAccepted,
                "the ticket with which this machine applied has ended before a member added it; `zamok sync leave --here`, then join with another"
            )
        case .waiting:
            throw SyncEngineError(
                .waiting,
                "this machine has applied with a ticket, and no member has added it yet; the next round of a member that is unlocked does. Then: zamok sync now"
            )
        }
    }

    static var busy: SyncEngineError { SyncEngineError(.unreachable, "others write all the time; try again") }
}

/// A machine's standing in an account.
public enum SyncStanding: String, Sendable {
    /// It reads and writes.
    case member
    /// It applied with a ticket, and waits for a member to add it.
    case waiting
    /// Its ticket ended before a member added it.
    case refused
    /// It began to join and has not applied.
    case begun
    /// It was removed, or left, or a copy of it continues.
    case ended
}
