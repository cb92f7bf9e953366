// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// A storage key in the TPM, the parent of our objects. The TPM derives it from a hierarchy's seed and this template,
/// identical each time, so it needs no persistent storage.
struct TPMParent {
    let handle: TPM.Handle
    /// Its TPM name, unique to this key among all TPMs.
    let name: [UInt8]
    /// x and y of the public key.
    private let point: [UInt8]

    /// The ECC storage primary key of the TCG's provisioning guidance, up to its public key. It is exempt from
    /// dictionary-attack protection (`noDA`). Otherwise 32 wrong attempts by any client would block everything
    /// under it.
    private static let template: [UInt8] = {
        let attributes: ObjectAttributes = [
            .fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .noDA, .restricted, .decrypt,
        ]
        var writer = ByteWriter()
        writer.integer(TPMCode.ecc)
        writer.integer(TPMCode.sha256)
        writer.integer(attributes.rawValue)
        writer.sized([UInt8]())
        for word in [TPMCode.aes, 128, TPMCode.cfb, TPMCode.nothing, TPMCode.p256, TPMCode.nothing] {
            writer.integer(word)
        }
        return writer.bytes
    }()

    private init(handle: UInt32, publicArea: [UInt8]) throws {
        var reader = ByteReader(publicArea)
        guard try reader.read(Self.template.count) == Self.template else {
            throw TPMError.garbage("it tells of another key than was asked for")
        }
        point = try reader.coordinate() + reader.coordinate()
        try reader.end()
        name = TPMName.of(publicArea)
        self.handle = TPM.Handle(handle, name: name)
    }

    /// Creates the key in a hierarchy with TPM2_CreatePrimary. The caller flushes it.
    static func make(_ hierarchy: UInt32, in tpm: TPM) throws -> TPMParent {
        var parameters = ByteWriter()
        // `inSensitive`: neither an `authValue` nor data.
        parameters.append([0, 4, 0, 0, 0, 0])
        parameters.sized(template + [0, 32] + Self.zeros + [0, 32] + Self.zeros)
        // Neither `outsideInfo` nor `creationPCR`.
        parameters.append([0, 0, 0, 0, 0, 0])
        var call = TPM.Call(
            command: .createPrimary, handles: [TPM.Handle(hierarchy)], authorization: .empty,
            parameters: parameters.bytes)
        call.makesHandle = true
        var answer = try tpm.run(call)
        do {
            return try TPMParent(handle: answer.handle, publicArea: try answer.parameters.sized(limit: 512))
        } catch {
            tpm.flush(answer.handle)
            throw error
        }
    }

    /// The same key at its persistent handle, which saves creating it; nil if there is another key or none.
    private static func kept(_ name: [UInt8], in tpm: TPM) throws -> TPMParent? {
        let call = TPM.Call(command: .readPublic, handles: [TPM.Handle(TPMCode.storageRoot)])
        do {
            var answer = try tpm.run(call)
            let parent = try TPMParent(
                handle: TPMCode.storageRoot, publicArea: try answer.parameters.sized(limit: 512))
            return parent.name == name ? parent : nil
        } catch TPMError.refused, TPMError.garbage {
            return nil
        } catch SealingError.malformed {
            return nil
        }
    }

    /// Calls `body` with the key of this identity. Errors: `.otherTPM`, `.cleared`.
    static func with<R>(
        _ identity: TPMIdentity, in tpm: TPM, _ body: (TPMParent) throws -> R
    ) throws -> R {
        if let kept = try kept(identity.parent, in: tpm) { return try body(kept) }
        let parent = try make(TPMCode.owner, in: tpm)
        defer { tpm.flush(parent.handle.value) }
        guard parent.name == identity.parent else {
            tpm.flush(parent.handle.value)
            throw try TPMIdentity.tpm(tpm) == identity.tpm ? TPMError.cleared : TPMError.otherTPM
        }
        return try body(parent)
    }

    enum SessionKind: UInt8 {
        case code = 0
        case policy = 1
    }

    /// Starts a session salted to this key: only the TPM that has the key can compute the session's secrets.
    func session(_ kind: SessionKind, in tpm: TPM) throws -> TPMSession {
        let ownNonce = try randomBytes(count: TPMSession.nonceSize)
        let (salt, sent) = try TPMSessionKeys.salt(for: point)
        var encrypted = ByteWriter()
        encrypted.sized(sent.prefix(32))
        encrypted.sized(sent.suffix(32))
        var parameters = ByteWriter()
        parameters.sized(ownNonce)
        parameters.sized(encrypted.bytes)
        parameters.append([kind.rawValue])
        for word in [TPMCode.xor, TPMCode.sha256, TPMCode.sha256] { parameters.integer(word) }
        var call = TPM.Call(
            command: .startAuthSession, handles: [handle, TPM.Handle(TPMCode.null)], parameters: parameters.bytes)
        call.makesHandle = true
        var answer = try tpm.run(call)
        let nonceTPM = try answer.parameters.sized(limit: 64)
        try answer.parameters.end()
        guard nonceTPM.count == TPMSession.nonceSize else { throw SealingError.malformed }
        return try TPMSession(handle: answer.handle, salt: salt, ownNonce: ownNonce, nonceTPM: nonceTPM)
    }

    private static let zeros = [UInt8](repeating: 0, count: 32)
}

/// Identifies a TPM, and the owner of its storage hierarchy.
package struct TPMIdentity: Equatable, Sendable {
    /// The name of the parent key of all our objects. Clearing the TPM invalidates it.
    package let parent: [UInt8]
    /// The name of the primary key that the same template gives in the endorsement hierarchy. It survives clearing.
    package let tpm: [UInt8]

    package init(parent: [UInt8], tpm: [UInt8]) {
        self.parent = parent
        self.tpm = tpm
    }

    static func tpm(_ tpm: TPM) throws -> [UInt8] {
        let key = try TPMParent.make(TPMCode.endorsement, in: tpm)
        tpm.flush(key.handle.value)
        return key.name
    }
}

/// TPM names of objects: the hash algorithm and the digest of the public area.
package enum TPMName {
    package static let size = 34

    static func of(_ publicArea: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(TPMCode.sha256)
        writer.append(Digest.sha256(publicArea))
        return writer.bytes
    }
}

extension ByteReader {
    /// A point's coordinate as 32 bytes; a TPM omits leading zeros.
    mutating func coordinate() throws -> [UInt8] {
        let bytes = try sized(limit: 32)
        return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }
}
