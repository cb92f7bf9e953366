// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// A P-256 key that a TPM created and that only this TPM can use.
/// See `Documentation/Formats/TPMObjects.md, "A key that stays in the TPM"`.
package struct KeyInTPM: Equatable, Sendable {
    /// The size in bytes of a coordinate, of each ECDSA signature value, and of the digest to sign.
    package static let size = 32

    package let identity: TPMIdentity
    /// TPMT_PUBLIC.
    package let publicArea: [UInt8]
    /// TPM2B_PRIVATE without its length.
    package let privateArea: [UInt8]
    /// x and y of the public key, 32 bytes each. Not yet verified to be on the curve.
    package let point: [UInt8]

    /// Throws `SealingError.malformed` if the public area is empty or of another template.
    package init(identity: TPMIdentity, publicArea: [UInt8], privateArea: [UInt8]) throws {
        var reader = ByteReader(publicArea)
        guard try reader.read(Self.template.count) == Self.template else { throw SealingError.malformed }
        point = try reader.coordinate() + reader.coordinate()
        try reader.end()
        self.identity = identity
        self.publicArea = publicArea
        self.privateArea = privateArea
    }

    /// The key's public area, up to its public key. It is exempt from dictionary-attack protection: its `authValue` is
    /// 31 random bytes. Otherwise any client's wrong passcodes would block signing.
    static let template: [UInt8] = {
        let attributes: ObjectAttributes = [
            .fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .noDA, .decrypt, .sign,
        ]
        var writer = ByteWriter()
        writer.integer(TPMCode.ecc)
        writer.integer(TPMCode.sha256)
        writer.integer(attributes.rawValue)
        writer.sized([UInt8]())
        // Neither a symmetric cipher nor a fixed scheme, since the key both signs and agrees; the curve; no KDF.
        for word in [TPMCode.nothing, TPMCode.nothing, TPMCode.p256, TPMCode.nothing] { writer.integer(word) }
        return writer.bytes
    }()
}

extension TPMAddress {
    /// Creates a key under the parent of the known TPM, or else of the TPM that answers. The TPM stores nothing.
    ///
    /// `authorization`: 32 bytes, the last not zero. Even a client with this TPM and all its recorded traffic can't use
    /// the key without it.
    ///
    /// Errors: `.away`, `.silent`, `.garbage`, `.full`, `.refused`, `.otherTPM`, `.cleared`.
    package func makeKey(for authorization: Secret, under known: TPMIdentity?) throws -> KeyInTPM {
        try TPM(try TPMConnection(self), patience: patience).makeKey(for: authorization, under: known)
    }

    /// Signs a digest of 32 bytes with ECDSA; returns r and s, 32 bytes each. Errors: as for `makeKey`,
    /// and `.damagedBlob`.
    package func sign(_ digest: [UInt8], with key: KeyInTPM, _ authorization: Secret) throws -> [UInt8] {
        try TPM(try TPMConnection(self), patience: patience).sign(digest, with: key, authorization)
    }

    /// The ECDH shared secret: x of the shared point, 32 bytes. `peer`: x and y of the peer's public key, 32 bytes
    /// each. Errors: as for `sign`; also `.refused` for a point that is not on the curve.
    package func exchange(_ peer: [UInt8], with key: KeyInTPM, _ authorization: Secret) throws -> Secret {
        try TPM(try TPMConnection(self), patience: patience).exchange(peer, with: key, authorization)
    }
}

extension TPM {
    func makeKey(for authorization: Secret, under known: TPMIdentity?) throws -> KeyInTPM {
        try Self.reading {
            try withRoom {
                if let known {
                    return try TPMParent.with(known, in: self) { try makeKey(authorization, $0, known) }
                }
                let tpm = try TPMIdentity.tpm(self)
                let parent = try TPMParent.make(TPMCode.owner, in: self)
                defer { flush(parent.handle.value) }
                return try makeKey(authorization, parent, TPMIdentity(parent: parent.name, tpm: tpm))
            }
        }
    }

    private func makeKey(
        _ authorization: Secret, _ parent: TPMParent, _ identity: TPMIdentity
    ) throws -> KeyInTPM {
        let (publicArea, privateArea) = try create(
            KeyInTPM.template, try authorization.sensitiveOfKey(), unique: [0, 0, 0, 0], parent)
        return try KeyInTPM(identity: identity, publicArea: publicArea, privateArea: privateArea)
    }

    func sign(_ digest: [UInt8], with key: KeyInTPM, _ authorization: Secret) throws -> [UInt8] {
        var parameters = ByteWriter()
        parameters.sized(digest)
        parameters.integer(TPMCode.ecdsa)
        parameters.integer(TPMCode.sha256)
        // A null ticket: the caller computed the digest, not the TPM.
        parameters.integer(TPMCode.ticketOfDigest)
        parameters.integer(TPMCode.null)
        parameters.sized([UInt8]())
        return try use(key, .sign, authorization, parameters.bytes, [.goesOn]) { answer in
            guard try answer.parameters.integer() == TPMCode.ecdsa,
                try answer.parameters.integer() == TPMCode.sha256
            else { throw SealingError.malformed }
            let numbers = try answer.parameters.coordinate() + answer.parameters.coordinate()
            try answer.parameters.end()
            return numbers
        }
    }

    func exchange(_ peer: [UInt8], with key: KeyInTPM, _ authorization: Secret) throws -> Secret {
        guard peer.count == 2 * KeyInTPM.size else { throw SealingError.cannotSeal }
        var point = ByteWriter()
        point.sized(peer.prefix(KeyInTPM.size))
        point.sized(peer.suffix(KeyInTPM.size))
        var parameters = ByteWriter()
        parameters.sized(point.bytes)
        return try use(key, .exchange, authorization, parameters.bytes, [.goesOn, .hidesAnswer]) { answer in
            try answer.parameters.end()
            guard let point = answer.secret else { throw SealingError.malformed }
            return Secret(try point.withSecretBytes { try $0.firstCoordinate() })
        }
    }

    /// Loads the key for one command and flushes it afterwards.
    private func use<R>(
        _ key: KeyInTPM, _ command: TPMCommand, _ authorization: Secret, _ parameters: [UInt8], _ use: SessionUse,
        _ read: (inout Answer) throws -> R
    ) throws -> R {
        try Self.reading {
            try withRoom {
                try TPMParent.with(key.identity, in: self) { parent in
                    let session = try parent.session(.code, in: self)
                    defer { flush(session.handle) }
                    let object = try load(key.publicArea, key.privateArea, parent, session)
                    defer { flush(object.value) }
                    var call = Call(
                        command: command, handles: [object], authorization: .session(session, use),
                        parameters: parameters)
                    call.proof = TPMSession.Proof(present: authorization)
                    var answer = try run(call)
                    return try read(&answer)
                }
            }
        }
    }
}

extension Secret {
    /// TPMS_SENSITIVE_CREATE for a key that the TPM generates: the `authValue` and no data.
    fileprivate func sensitiveOfKey() throws -> Secret {
        var length = ByteWriter()
        length.integer(UInt16(truncatingIfNeeded: count))
        return Secret(
            try withSecretBytes {
                try SecretBytes(copying: length.bytes).joined(with: $0).joined(with: try SecretBytes(copying: [0, 0]))
            })
    }
}

extension SecretBytes {
    /// x of a TPMS_ECC_POINT as 32 bytes; a TPM omits leading zeros.
    fileprivate borrowing func firstCoordinate() throws -> SecretBytes {
        guard let length = try exposingBytes(0..<2) else { throw SealingError.malformed }
        let count = Int(length[0]) << 8 | Int(length[1])
        guard (1...KeyInTPM.size).contains(count), let x = try part(2..<2 + count) else {
            throw SealingError.malformed
        }
        let zeros = [UInt8](repeating: 0, count: KeyInTPM.size - count)
        return zeros.isEmpty ? x : try SecretBytes(copying: zeros).joined(with: x)
    }
}
