// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// The state of the TPM's dictionary-attack protection, as the TPM reports it.
package struct TPMLockout: Equatable, Sendable {
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

extension TPMAddress {
    /// Reads the lockout state. Errors: `.away`, `.silent`, `.garbage`, `.refused`.
    package func lockout() throws -> TPMLockout {
        let properties = try TPM.reading {
            try TPM(try TPMConnection(self), patience: patience).properties(from: TPMCode.permanent)
        }
        guard let flags = properties[TPMCode.permanent], let tries = properties[TPMCode.failedTries],
            let most = properties[TPMCode.mostTries], let seconds = properties[TPMCode.secondsForATry]
        else { throw TPMError.garbage("it doesn't tell how it counts wrong tries") }
        return TPMLockout(
            isGuarded: flags >> 2 & 1 == 1, isLockedOut: flags >> 9 & 1 == 1, tries: Int(tries), mostTries: Int(most),
            seconds: Int(seconds))
    }

    /// Sets the usual lockout parameters and an `authValue` for the lockout hierarchy of a known TPM that has none.
    /// `authorization`: as for `seal`.
    ///
    /// Errors: `.otherTPM`, `.cleared`, and the others of `TPMError`; `.refused` if the hierarchy already has
    /// an `authValue`.
    package func guardLockout(_ authorization: Secret, of identity: TPMIdentity) throws {
        try TPM(try TPMConnection(self), patience: patience).guardLockout(authorization, of: identity)
    }

    /// Resets the dictionary-attack counter. Errors: as for `guardLockout`, and `.wrongAuthorization`.
    package func resetLockout(_ authorization: Secret?, of identity: TPMIdentity) throws {
        try TPM(try TPMConnection(self), patience: patience).resetLockout(authorization, of: identity)
    }
}

extension TPM {
    func guardLockout(_ authorization: Secret, of identity: TPMIdentity) throws {
        try withSession(identity) { session in
            var numbers = ByteWriter()
            for number in [TPMLockout.usual.tries, TPMLockout.usual.seconds, TPMLockout.usual.ownSeconds] {
                numbers.integer(number)
            }
            _ = try run(
                Call(
                    command: .dictionaryAttackParameters, handles: [Handle(TPMCode.lockoutHierarchy)],
                    authorization: .session(session, [.goesOn]), parameters: numbers.bytes))
            var call = Call(
                command: .hierarchyChangeAuth, handles: [Handle(TPMCode.lockoutHierarchy)],
                authorization: .session(session, [.goesOn, .hidesCommand]))
            call.proof = TPMSession.Proof(present: nil, afterwards: authorization)
            call.secret = authorization
            _ = try run(call)
        }
    }

    fileprivate func resetLockout(_ authorization: Secret?, of identity: TPMIdentity) throws {
        try withSession(identity) { session in
            var call = Call(
                command: .dictionaryAttackLockReset, handles: [Handle(TPMCode.lockoutHierarchy)],
                authorization: .session(session, [.goesOn]))
            call.proof = authorization.map { TPMSession.Proof(present: $0) }
            do { _ = try run(call) } catch let error as TPMError {
                guard error.isWrongAuthorization else { throw error }
                throw TPMError.wrongAuthorization
            }
        }
    }

    /// Runs `body` with an HMAC session that is salted to the known TPM.
    func withSession<R>(_ identity: TPMIdentity, _ body: (TPMSession) throws -> R) throws -> R {
        try Self.reading {
            try withRoom {
                try TPMParent.with(identity, in: self) { parent in
                    let session = try parent.session(.code, in: self)
                    defer { flush(session.handle) }
                    return try body(session)
                }
            }
        }
    }
}
