// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// A TPM 2.0 client over one connection: it marshals commands and checks each response before using it.
/// Not thread-safe.
final class TPM {
    private let line: any TPMTransport
    private let patience: Duration
    /// After a timeout, all further commands on this connection fail at once. Each would otherwise wait as long again.
    private var isSilent = false

    init(_ line: any TPMTransport, patience: Duration = TPMAddress.usualPatience) {
        self.line = line
        self.patience = patience
    }

    /// A handle and its TPM name, which enters cpHash: an object's name, or the handle value itself.
    struct Handle {
        let value: UInt32
        let name: [UInt8]

        init(_ value: UInt32, name: [UInt8]? = nil) {
            self.value = value
            self.name = name ?? Self.bytes(value)
        }

        private static func bytes(_ value: UInt32) -> [UInt8] {
            var writer = ByteWriter()
            writer.integer(value)
            return writer.bytes
        }
    }

    /// The authorization of the command's first handle.
    enum Authorization {
        /// The command has no authorization area.
        case none
        /// TPM_RS_PW with the empty password, in plaintext.
        case empty
        case session(TPMSession, SessionUse)
    }

    struct Call {
        let command: TPMCommand
        var handles: [Handle] = []
        var authorization = Authorization.none
        /// The `authValue` that the first handle requires in addition to the session; nil: none.
        var proof: TPMSession.Proof?
        /// The content of the first parameter, if the session encrypts it.
        var secret: Secret?
        var parameters: [UInt8] = []
        var makesHandle = false
    }

    struct Answer {
        var handle: UInt32 = 0
        /// The content of the first response parameter, if the session encrypted it.
        var secret: Secret?
        /// The parameters after `secret`.
        var parameters: ByteReader
    }

    /// Runs `body`, and again if the TPM reports that its memory is full. A socket without a resource manager serves
    /// one connection at a time. Objects and sessions in the TPM are therefore leftovers of programs that ended early.
    /// A running program may still use saved sessions, so they are flushed only if the first flush freed too little.
    func withRoom<R>(_ body: () throws -> R) throws -> R {
        for leftovers in [[TPMCode.transients, TPMCode.loadedSessions], [TPMCode.savedSessions]] {
            do { return try body() } catch let error as TPMError {
                guard error == .full, !line.keepsProgramsApart else { throw error }
            }
            for kind in leftovers {
                for handle in try handles(kind) { flush(handle) }
            }
        }
        return try body()
    }

    func run(_ call: Call) throws -> Answer {
        let turn: TPMSession.Turn? =
            if case .session(let session, let use) = call.authorization { try session.turn(use, call.proof) } else {
                nil
            }
        let answer = try exchange(try encoded(call, turn))
        var reader = ByteReader(answer)
        let (tag, code) = try header(&reader)
        guard code == 0 else { throw TPMError(code: code) }
        var hasSessions = true
        if case .none = call.authorization { hasSessions = false }
        guard tag == (hasSessions ? TPMCode.withSessions : TPMCode.withoutSessions) else {
            throw SealingError.malformed
        }
        let handle: UInt32 = call.makesHandle ? try reader.integer() : 0
        guard hasSessions else {
            return Answer(handle: handle, parameters: ByteReader(try reader.read(reader.remaining)))
        }
        let parameters = try reader.read(Int(try reader.integer(UInt32.self)))
        return try checked(call, turn, handle, parameters, &reader)
    }

    /// The response after its HMAC is verified, with its first parameter decrypted if it was encrypted.
    private func checked(
        _ call: Call, _ turn: TPMSession.Turn?, _ handle: UInt32, _ parameters: [UInt8], _ reader: inout ByteReader
    ) throws -> Answer {
        let nonce = try reader.sized(limit: 64)
        let attributes: UInt8 = try reader.integer()
        let code = try reader.sized(limit: 64)
        try reader.end()
        guard let turn else { return Answer(handle: handle, parameters: ByteReader(parameters)) }
        var covered = ByteWriter()
        covered.integer(UInt32(0))
        covered.integer(call.command.rawValue)
        covered.append(parameters)
        guard
            try turn.accepts(Digest.sha256(covered.bytes), nonce: nonce, attributes: attributes, code: code),
            attributes & ~SessionUse.goesOn.rawValue == turn.use.rawValue & ~SessionUse.goesOn.rawValue
        else { throw TPMError.garbage("it was changed in transit, or it is of another TPM") }
        var rest = ByteReader(parameters)
        guard turn.use.contains(.hidesAnswer) else { return Answer(handle: handle, parameters: rest) }
        let secret = try turn.shown(try rest.sized(limit: TPMCode.largest))
        return Answer(handle: handle, secret: Secret(secret), parameters: rest)
    }

    private func encoded(_ call: Call, _ turn: TPMSession.Turn?) throws -> [UInt8] {
        var parameters = ByteWriter()
        if let secret = call.secret {
            guard let turn, turn.use.contains(.hidesCommand) else { throw SealingError.cannotSeal }
            parameters.sized(try secret.withSecretBytes { try turn.hidden($0) })
        }
        parameters.append(call.parameters)
        var body = ByteWriter()
        for handle in call.handles { body.integer(handle.value) }
        var sessions = ByteWriter()
        switch call.authorization {
        case .none: break
        case .empty:
            sessions.integer(TPMCode.password)
            sessions.append([0, 0, SessionUse.goesOn.rawValue, 0, 0])
        case .session(let session, let use):
            guard let turn else { throw SealingError.cannotSeal }
            var covered = ByteWriter()
            covered.integer(call.command.rawValue)
            covered.append(call.handles.flatMap(\.name) + parameters.bytes)
            sessions.integer(session.handle)
            sessions.sized(turn.ownNonce)
            sessions.append([use.rawValue])
            sessions.sized(try turn.code(Digest.sha256(covered.bytes)))
        }
        if !sessions.bytes.isEmpty { body.prefixed(sessions.bytes) }
        body.append(parameters.bytes)
        var command = ByteWriter()
        command.integer(sessions.bytes.isEmpty ? TPMCode.withoutSessions : TPMCode.withSessions)
        command.integer(UInt32(TPMCode.header + body.bytes.count))
        command.integer(call.command.rawValue)
        command.append(body.bytes)
        return command.bytes
    }

    private func header(_ reader: inout ByteReader) throws -> (tag: UInt16, code: UInt32) {
        let whole = reader.remaining
        let tag: UInt16 = try reader.integer()
        let size: UInt32 = try reader.integer()
        guard Int(size) == whole, [TPMCode.withSessions, TPMCode.withoutSessions].contains(tag) else {
            throw SealingError.malformed
        }
        return (tag, try reader.integer())
    }

    private func exchange(_ command: [UInt8]) throws -> [UInt8] {
        guard !isSilent else { throw TPMError.silent }
        do { return try taken(command) } catch TPMError.silent {
            isSilent = true
            throw TPMError.silent
        }
    }

    /// Sends a command until the TPM returns no code in `TPMCode.again`.
    private func taken(_ command: [UInt8]) throws -> [UInt8] {
        let end = ContinuousClock.now + patience
        var pause: UInt32 = 5
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { throw TPMError.silent }
            let answer = try line.exchange(command, within: left)
            var reader = ByteReader(answer)
            let (_, code) = try header(&reader)
            guard TPMCode.again.contains(code) else { return answer }
            guard left > .milliseconds(Int(pause)) else { throw TPMError.silent }
            TPMConnection.pause(milliseconds: pause)
            pause = min(2 * pause, 500)
        }
    }

    // MARK: What remains in the TPM

    /// Best effort: the next `withRoom` that needs memory flushes what remains.
    func flush(_ handle: UInt32) {
        var parameters = ByteWriter()
        parameters.integer(handle)
        _ = try? run(Call(command: .flushContext, parameters: parameters.bytes))
    }

    private func handles(_ first: UInt32) throws -> [UInt32] {
        let sessions = [TPMCode.loadedSessions, TPMCode.savedSessions]
        let kinds = sessions.contains(first) ? sessions : [first]
        var (answer, count) = try list(TPMCode.listOfHandles, from: first)
        var found: [UInt32] = []
        for _ in 0..<count {
            let handle: UInt32 = try answer.integer()
            if kinds.contains(handle & 0xFF00_0000) { found.append(handle) }
        }
        try answer.end()
        return found
    }

    /// The TPM's properties by number. The response has no HMAC, so they are unauthenticated.
    func properties(from first: UInt32) throws -> [UInt32: UInt32] {
        var (answer, count) = try list(TPMCode.listOfProperties, from: first)
        var found: [UInt32: UInt32] = [:]
        for _ in 0..<count {
            let number: UInt32 = try answer.integer()
            found[number] = try answer.integer()
        }
        try answer.end()
        return found
    }

    private func list(_ kind: UInt32, from first: UInt32) throws -> (ByteReader, count: UInt32) {
        var parameters = ByteWriter()
        for number in [kind, first, 64] { parameters.integer(number) }
        var answer = try run(Call(command: .getCapability, parameters: parameters.bytes)).parameters
        _ = try answer.read(5)
        let count: UInt32 = try answer.integer()
        guard count <= 64 else { throw SealingError.malformed }
        return (answer, count)
    }
}

extension ByteReader {
    /// Bytes after a 16-bit length (TPM2B).
    mutating func sized(limit: Int) throws -> [UInt8] {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw SealingError.malformed }
        return try read(count)
    }
}

extension ByteWriter {
    /// Writes what `sized(limit:)` reads.
    mutating func sized(_ more: some Collection<UInt8>) {
        integer(UInt16(truncatingIfNeeded: more.count))
        append(more)
    }
}
