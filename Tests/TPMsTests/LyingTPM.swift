// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Sealing
import SecretMemory

@testable import TPMs

/// A TPM that knows its own key, and so puts a right code under any answer. What is read after the code was verified
/// meets false answers, too.
final class LyingTPM: TPMTransport {
    let keepsProgramsApart = false
    let identity: TPMIdentity
    private let pair = P256.KeyAgreement.PrivateKey()
    private let publicArea: [UInt8]
    /// What the named command answers besides codes; the handle comes of itself.
    private let lie: (UInt32) -> [UInt8]
    private var session: Session?

    private struct Session {
        let key: Secret
        var nonce: [UInt8]
    }

    /// `lie`: the parameters of the answer to a command.
    init(_ lie: @escaping (UInt32) -> [UInt8]) {
        self.lie = lie
        let point = [UInt8](pair.publicKey.rawRepresentation)
        // The template of parents, as the format's page has it.
        var writer = ByteWriter()
        for word: UInt16 in [0x23, 0x0B] { writer.integer(word) }
        writer.integer(UInt32(0x0003_0472))
        for word: UInt16 in [0, 6, 128, 0x43, 0x10, 3, 0x10] { writer.integer(word) }
        writer.sized(point.prefix(32))
        writer.sized(point.suffix(32))
        publicArea = writer.bytes
        identity = TPMIdentity(parent: TPMName.of(publicArea), tpm: TPMName.of(publicArea))
    }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        var reader = ByteReader(command)
        let tag: UInt16 = try reader.integer()
        _ = try reader.read(4)
        let code: UInt32 = try reader.integer()
        switch TPMCommand(rawValue: code) {
        case .readPublic:
            var body = ByteWriter()
            body.sized(publicArea)
            body.sized(TPMName.of(publicArea))
            body.sized(TPMName.of(publicArea))
            return answer(body.bytes)
        case .startAuthSession: return try begin(&reader)
        case .flushContext: return answer([])
        default: break
        }
        guard tag == TPMCode.withSessions else { return answer(lie(code)) }
        return try coded(code, &reader)
    }

    private func begin(_ reader: inout ByteReader) throws -> [UInt8] {
        _ = try reader.read(8)
        let nonce = try reader.sized(limit: 64)
        var sent = ByteReader(try reader.sized(limit: 128))
        let ephemeral = try sent.sized(limit: 32) + sent.sized(limit: 32)
        let shared = try pair.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: Data(ephemeral)))
        let own = [UInt8](pair.publicKey.rawRepresentation)
        let agreed = unsafe shared.withUnsafeBytes { unsafe [UInt8]($0) }
        let salt = SHA256.hash(
            data: [0, 0, 0, 1] + agreed + Array("SECRET".utf8) + [0]
                + ephemeral.prefix(32) + own.prefix(32))
        let nonceTPM = try randomBytes(count: 32)
        let key = try TPMSessionKeys.derive(
            from: try SecretBytes(copying: Array(salt)), purpose: "ATH", nonceTPM, nonce, count: 32)
        session = Session(key: Secret(key), nonce: nonceTPM)
        var body = ByteWriter()
        body.sized(nonceTPM)
        return answer([2, 0, 0, 0] + body.bytes)
    }

    /// An answer with a right code. Authorisations of objects are all one here: none.
    private func coded(_ code: UInt32, _ reader: inout ByteReader) throws -> [UInt8] {
        guard var session else { return answer([]) }
        _ = try reader.read(4)
        var sessions = ByteReader(try reader.prefixed(limit: 4096))
        _ = try sessions.read(4)
        let theirs = try sessions.sized(limit: 64)
        let use: UInt8 = try sessions.integer()
        session.nonce = try randomBytes(count: 32)
        self.session = session
        var parameters = lie(code)
        if use & SessionUse.hidesAnswer.rawValue != 0, parameters.count > 2 {
            let content = Array(parameters.dropFirst(2))
            let mask = try session.key.withSecretBytes {
                try TPMSessionKeys.derive(
                    from: $0, purpose: "XOR", session.nonce, theirs, count: max(1, content.count))
            }
            parameters =
                parameters.prefix(2) + (try TPMSessionKeys.hidden(try SecretBytes(copying: content), by: mask))
        }
        var covered = ByteWriter()
        covered.integer(UInt32(0))
        covered.integer(code)
        covered.append(parameters)
        let message = Array(SHA256.hash(data: covered.bytes)) + session.nonce + theirs + [use]
        let hmac = try session.key.withSecretBytes { try KeyDerivation.authenticationCode(for: message, under: $0) }
        var body = ByteWriter()
        if code == TPMCommand.load.rawValue { body.append([0x80, 0, 0, 0]) }
        body.integer(UInt32(parameters.count))
        body.append(parameters)
        body.sized(session.nonce)
        body.append([use])
        body.sized(hmac)
        return answer(body.bytes, tag: TPMCode.withSessions)
    }

    private func answer(_ body: [UInt8], tag: UInt16 = TPMCode.withoutSessions) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(tag)
        writer.integer(UInt32(10 + body.count))
        writer.integer(UInt32(0))
        writer.append(body)
        return writer.bytes
    }
}
