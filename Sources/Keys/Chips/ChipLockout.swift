// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// How a chip counts wrong authorisations of what stands under its lockout, as it says itself.
package struct ChipLockout: Equatable, Sendable {
    /// Whether whoever undoes the count needs an authorisation; without one anybody may who can use the chip.
    package let isGuarded: Bool
    package let isLockedOut: Bool
    package let tries: Int
    package let mostTries: Int
    /// After each of these one try is given back.
    package let seconds: Int

    /// What our command sets: 32 tries, one given back every 10 minutes, and a day after a wrong authorisation of the lockout's own.
    package static let usual: (tries: UInt32, seconds: UInt32, ownSeconds: UInt32) = (32, 600, 86_400)
}

extension ChipWay {
    /// Errors: `.away`, `.silent`, `.garbage`, `.refused`.
    package func lockout() throws -> ChipLockout {
        let properties = try Chip.reading {
            try Chip(try ChipConnection(self), patience: patience).properties(from: ChipCode.permanent)
        }
        guard let flags = properties[ChipCode.permanent], let tries = properties[ChipCode.failedTries],
            let most = properties[ChipCode.mostTries], let seconds = properties[ChipCode.secondsForATry]
        else { throw ChipError.garbage("it doesn't tell how it counts wrong tries") }
        return ChipLockout(
            isGuarded: flags >> 2 & 1 == 1, isLockedOut: flags >> 9 & 1 == 1, tries: Int(tries), mostTries: Int(most),
            seconds: Int(seconds))
    }

    /// Gives the lockout of a chip that is known an authorisation, where it has none, and the usual numbers. `authorization`: as that of `seal`.
    ///
    /// Errors: `.otherChip`, `.cleared`, and the others of `ChipError`; `.refused` where there is one already.
    package func guardLockout(_ authorization: Secret, of identity: ChipIdentity) throws {
        try Chip(try ChipConnection(self), patience: patience).guardLockout(authorization, of: identity)
    }

    /// Undoes the count. Errors: as above; `.wrongAuthorization`.
    package func resetLockout(_ authorization: Secret?, of identity: ChipIdentity) throws {
        try Chip(try ChipConnection(self), patience: patience).resetLockout(authorization, of: identity)
    }
}

extension Chip {
    func guardLockout(_ authorization: Secret, of identity: ChipIdentity) throws {
        try withSession(identity) { session in
            var numbers = ByteWriter()
            for number in [ChipLockout.usual.tries, ChipLockout.usual.seconds, ChipLockout.usual.ownSeconds] {
                numbers.integer(number)
            }
            _ = try run(
                Call(
                    command: .dictionaryAttackParameters, handles: [Handle(ChipCode.lockoutHierarchy)],
                    authorization: .session(session, [.goesOn]), parameters: numbers.bytes))
            var call = Call(
                command: .hierarchyChangeAuth, handles: [Handle(ChipCode.lockoutHierarchy)],
                authorization: .session(session, [.goesOn, .hidesCommand]))
            call.proof = ChipSession.Proof(present: nil, afterwards: authorization)
            call.secret = authorization
            _ = try run(call)
        }
    }

    fileprivate func resetLockout(_ authorization: Secret?, of identity: ChipIdentity) throws {
        try withSession(identity) { session in
            var call = Call(
                command: .dictionaryAttackLockReset, handles: [Handle(ChipCode.lockoutHierarchy)],
                authorization: .session(session, [.goesOn]))
            call.proof = authorization.map { ChipSession.Proof(present: $0) }
            do { _ = try run(call) } catch let error as ChipError {
                guard error.isWrongAuthorization else { throw error }
                throw ChipError.wrongAuthorization
            }
        }
    }

    /// Runs `body` with a session of the chip that is known.
    func withSession<R>(_ identity: ChipIdentity, _ body: (ChipSession) throws -> R) throws -> R {
        try Self.reading {
            try withRoom {
                try ChipParent.with(identity, in: self) { parent in
                    let session = try parent.session(.code, in: self)
                    defer { flush(session.handle) }
                    return try body(session)
                }
            }
        }
    }
}
