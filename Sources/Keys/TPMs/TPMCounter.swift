// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// A monotonic counter in an NV index of the TPM. No client can decrease it, and a counter defined in its place begins
/// above it (`Documentation/Formats/TPMObjects.md`, "Counters").
package struct TPMCounter: Equatable, Sendable {
    package static let markSize = 32

    /// Its NV index.
    package let handle: UInt32
    /// Identifies the counter's owner; random, drawn when the counter is made. Any client can read it from the TPM.
    package let mark: [UInt8]

    package init(handle: UInt32, mark: [UInt8]) {
        self.handle = handle
        self.mark = mark
    }

    /// A random handle and mark, not yet defined in the TPM.
    package static func random() throws -> TPMCounter {
        let bytes = try randomBytes(count: 4 + markSize)
        let number = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } & 0x003F_FFFF
        return TPMCounter(handle: TPMCode.ownersIndices | number, mark: Array(bytes.dropFirst(4)))
    }

    /// AUTHWRITE, TPM_NT_COUNTER, AUTHREAD, NO_DA. Reading and incrementing require its `authValue`. A wrong one never
    /// triggers the dictionary-attack lockout.
    private static let attributes: UInt32 = 0x0204_0014
    /// TPMA_NV_WRITTEN: the TPM sets it on the first increment.
    private static let written: UInt32 = 0x2000_0000

    /// TPMS_NV_PUBLIC. The mark occupies `authPolicy`, which no use of the index evaluates.
    func publicArea(isWritten: Bool) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(handle)
        writer.integer(TPMCode.sha256)
        writer.integer(Self.attributes | (isWritten ? Self.written : 0))
        writer.sized(mark)
        writer.integer(UInt16(8))
        return writer.bytes
    }

    func named(isWritten: Bool) -> TPM.Handle {
        TPM.Handle(handle, name: TPMName.of(publicArea(isWritten: isWritten)))
    }
}

/// The policy of a secret that is sealed to a counter: the counter's value is at most `most`.
package struct CounterLimit: Equatable, Sendable {
    package let counter: TPMCounter
    package let most: UInt64

    package init(counter: TPMCounter, most: UInt64) {
        self.counter = counter
        self.most = most
    }

    /// The operands of TPM2_PolicyNV: the number, offset 0 in the counter, TPM_EO_UNSIGNED_LE.
    fileprivate var comparison: (number: [UInt8], rest: [UInt8]) {
        var writer = ByteWriter()
        writer.integer(most)
        return (writer.bytes, [0, 0, 0, 9])
    }

    /// The policy digest after TPM2_PolicyNV and TPM2_PolicyAuthValue.
    var policy: [UInt8] {
        let (number, rest) = comparison
        var first = ByteWriter()
        first.append(repeatElement(0, count: 32))
        first.integer(TPMCommand.policyNV.rawValue)
        first.append(Digest.sha256(number + rest))
        first.append(counter.named(isWritten: true).name)
        var second = ByteWriter()
        second.append(Digest.sha256(first.bytes))
        second.integer(TPMCommand.policyAuthValue.rawValue)
        return Digest.sha256(second.bytes)
    }
}

extension TPMAddress {
    /// Defines a counter, increments it once and returns its value, which exceeds that of every counter the TPM
    /// ever had.
    ///
    /// `authorization`: at most 32 bytes, of which the last is not zero. Errors: `.noRoomForCounter`,
    /// `.counterReplaced` (the index is taken), and the others of `TPMError`.
    package func make(_ counter: TPMCounter, _ authorization: Secret, of identity: TPMIdentity) throws -> UInt64 {
        let tpm = try tpm()
        return try tpm.withSession(identity) { try tpm.make(counter, authorization, $0) }
    }

    /// The counter's value. Errors: `.counterGone`, `.counterReplaced`, and the others of `TPMError`.
    package func read(_ counter: TPMCounter, _ authorization: Secret, of identity: TPMIdentity) throws -> UInt64 {
        let tpm = try tpm()
        return try tpm.withSession(identity) { try tpm.read(counter, authorization, $0) }
    }

    /// Increments the counter if its value is one below `number`; returns the value afterwards. Errors: as for `read`.
    @discardableResult
    package func raise(
        _ counter: TPMCounter, to number: UInt64, _ authorization: Secret, of identity: TPMIdentity
    ) throws -> UInt64 {
        let tpm = try tpm()
        return try tpm.withSession(identity) { try tpm.raise(counter, to: number, authorization, $0) }
    }

    /// Removes the counter if the TPM has it with this mark; returns whether it did. Errors: those of `TPMError`.
    @discardableResult
    package func remove(_ counter: TPMCounter, of identity: TPMIdentity) throws -> Bool {
        let tpm = try tpm()
        return try tpm.withSession(identity) { try tpm.remove(counter, $0) }
    }

    private func tpm() throws -> TPM { TPM(try TPMConnection(self), patience: patience) }
}

extension TPM {
    func make(_ counter: TPMCounter, _ authorization: Secret, _ session: TPMSession) throws -> UInt64 {
        var parameters = ByteWriter()
        parameters.sized(counter.publicArea(isWritten: false))
        var call = Call(
            command: .defineSpace, handles: [Handle(TPMCode.owner)],
            authorization: .session(session, [.goesOn, .hidesCommand]), parameters: parameters.bytes)
        call.secret = authorization
        do { _ = try run(call) } catch TPMError.refused(TPMCode.indexExists) { throw TPMError.counterReplaced }
        try increment(counter.named(isWritten: false), authorization, session)
        return try read(counter, authorization, session)
    }

    func read(_ counter: TPMCounter, _ authorization: Secret, _ session: TPMSession) throws -> UInt64 {
        guard try publicArea(counter) == counter.publicArea(isWritten: true) else { throw TPMError.counterReplaced }
        let handle = counter.named(isWritten: true)
        var call = Call(
            command: .readIndex, handles: [handle, handle], authorization: .session(session, [.goesOn]),
            parameters: [0, 8, 0, 0])
        call.proof = TPMSession.Proof(present: authorization)
        var answer = try asking { try run(call) }
        var value = ByteReader(try answer.parameters.sized(limit: 8))
        try answer.parameters.end()
        let number: UInt64 = try value.integer()
        try value.end()
        return number
    }

    func raise(
        _ counter: TPMCounter, to number: UInt64, _ authorization: Secret, _ session: TPMSession
    ) throws -> UInt64 {
        let present = try read(counter, authorization, session)
        // No client that follows the protocol is further behind, so a lower value is not that of our counter.
        guard present < number, present + 1 == number else { return present }
        try increment(counter.named(isWritten: true), authorization, session)
        return try read(counter, authorization, session)
    }

    private func increment(_ handle: Handle, _ authorization: Secret, _ session: TPMSession) throws {
        var call = Call(command: .increment, handles: [handle, handle], authorization: .session(session, [.goesOn]))
        call.proof = TPMSession.Proof(present: authorization)
        try asking { _ = try run(call) }
    }

    func remove(_ counter: TPMCounter, _ session: TPMSession) throws -> Bool {
        let found: [UInt8]
        do { found = try publicArea(counter) } catch TPMError.counterGone { return false }
        guard let isWritten = [true, false].first(where: { found == counter.publicArea(isWritten: $0) }) else {
            return false
        }
        _ = try run(
            Call(
                command: .undefineSpace, handles: [Handle(TPMCode.owner), counter.named(isWritten: isWritten)],
                authorization: .session(session, [.goesOn])))
        return true
    }

    /// The index's public area as the TPM reports it, unauthenticated.
    private func publicArea(_ counter: TPMCounter) throws -> [UInt8] {
        do {
            var answer = try run(Call(command: .readIndexPublic, handles: [Handle(counter.handle)])).parameters
            return try answer.sized(limit: 512)
        } catch let error as TPMError {
            throw error.isNoSuchHandle ? TPMError.counterGone : error
        }
    }

    /// Maps a wrong authorization of a counter to `.counterReplaced`: another client defined an index in its place.
    private func asking<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as TPMError {
            throw error.isWrongAuthorization ? TPMError.counterReplaced : error
        }
    }

    /// Satisfies the counter's part of a policy session for unsealing. Errors: `.superseded`, and those of `read`.
    func compare(
        _ limit: CounterLimit, _ authorization: Secret, for policy: TPMSession, _ session: TPMSession
    ) throws {
        let (number, rest) = limit.comparison
        var parameters = ByteWriter()
        parameters.sized(number)
        parameters.append(rest)
        let handle = limit.counter.named(isWritten: true)
        var call = Call(
            command: .policyNV, handles: [handle, handle, Handle(policy.handle)],
            authorization: .session(session, [.goesOn]), parameters: parameters.bytes)
        call.proof = TPMSession.Proof(present: authorization)
        do { try asking { _ = try run(call) } } catch TPMError.refused(TPMCode.comparisonFailed) {
            throw TPMError.superseded
        }
        _ = try run(Call(command: .policyAuthValue, handles: [Handle(policy.handle)]))
    }
}
