// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// The state of the TPM's dictionary-attack protection, as the TPM reports it.
package struct ChipLockout: Equatable, Sendable {
    /// Whether the lockout hierarchy has an `authValue`. Without one, any client of the TPM can reset the lockout.
    package let isGuarded: Bool
    package let isLockedOut: Bool
    package let tries: Int
    package let mostTries: Int
    /// The lockout interval: the TPM restores one attempt each time this many seconds pass.
    package let seconds: Int

    /// The parameters that `guardLockout` sets: 32 attempts, one restored every 10 minutes, and a day of recovery after
    /// a wrong authorization of the lockout hierarchy itself.
    package static let usual: (tries: UInt32, seconds: UInt32, ownSeconds: UInt32) = (32, 600, 86_400)
}

extension ChipWay {
    /// Reads the lockout state. Errors: `.away`, `.silent`, `.garbage`, `.refused`.
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

    /// Sets the usual lockout parameters and an `authValue` for the lockout hierarchy of a known TPM that has none.
    /// `authorization`: as for `seal`.
    ///
    /// Errors: `.otherChip`, `.cleared`, and the others of `ChipError`; `.refused` if the hierarchy already has
    /// an `authValue`.
    package func guardLockout(_ authorization: Secret, of identity: ChipIdentity) throws {
        try Chip(try ChipConnection(self), patience: patience).guardLockout(authorization, of: identity)
    }

    /// Resets the dictionary-attack counter. Errors: as for `guardLockout`, and `.wrongAuthorization`.
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

    /// Runs `body` with an HMAC session that is salted to the known TPM.
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
