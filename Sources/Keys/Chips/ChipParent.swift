// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// A storage key in the TPM, the parent of our objects. The TPM derives it from a hierarchy's seed and this template,
/// identical each time, so it needs no persistent storage.
struct ChipParent {
    let handle: Chip.Handle
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
        writer.integer(ChipCode.ecc)
        writer.integer(ChipCode.sha256)
        writer.integer(attributes.rawValue)
        writer.sized([UInt8]())
        for word in [ChipCode.aes, 128, ChipCode.cfb, ChipCode.nothing, ChipCode.p256, ChipCode.nothing] {
            writer.integer(word)
        }
        return writer.bytes
    }()

    private init(handle: UInt32, publicArea: [UInt8]) throws {
        var reader = ByteReader(publicArea)
        guard try reader.read(Self.template.count) == Self.template else {
            throw ChipError.garbage("it tells of another key than was asked for")
        }
        point = try reader.coordinate() + reader.coordinate()
        try reader.end()
        name = ChipName.of(publicArea)
        self.handle = Chip.Handle(handle, name: name)
    }

    /// Creates the key in a hierarchy with TPM2_CreatePrimary. The caller flushes it.
    static func make(_ hierarchy: UInt32, in chip: Chip) throws -> ChipParent {
        var parameters = ByteWriter()
        // `inSensitive`: neither an `authValue` nor data.
        parameters.append([0, 4, 0, 0, 0, 0])
        parameters.sized(template + [0, 32] + Self.zeros + [0, 32] + Self.zeros)
        // Neither `outsideInfo` nor `creationPCR`.
        parameters.append([0, 0, 0, 0, 0, 0])
        var call = Chip.Call(
            command: .createPrimary, handles: [Chip.Handle(hierarchy)], authorization: .empty,
            parameters: parameters.bytes)
        call.makesHandle = true
        var answer = try chip.run(call)
        do {
            return try ChipParent(handle: answer.handle, publicArea: try answer.parameters.sized(limit: 512))
        } catch {
            chip.flush(answer.handle)
            throw error
        }
    }

    /// The same key at its persistent handle, which saves creating it; nil if there is another key or none.
    private static func kept(_ name: [UInt8], in chip: Chip) throws -> ChipParent? {
        let call = Chip.Call(command: .readPublic, handles: [Chip.Handle(ChipCode.storageRoot)])
        do {
            var answer = try chip.run(call)
            let parent = try ChipParent(
                handle: ChipCode.storageRoot, publicArea: try answer.parameters.sized(limit: 512))
            return parent.name == name ? parent : nil
        } catch ChipError.refused, ChipError.garbage {
            return nil
        } catch SealingError.malformed {
            return nil
        }
    }

    /// Calls `body` with the key of this identity. Errors: `.otherChip`, `.cleared`.
    static func with<R>(
        _ identity: ChipIdentity, in chip: Chip, _ body: (ChipParent) throws -> R
    ) throws -> R {
        if let kept = try kept(identity.parent, in: chip) { return try body(kept) }
        let parent = try make(ChipCode.owner, in: chip)
        defer { chip.flush(parent.handle.value) }
        guard parent.name == identity.parent else {
            chip.flush(parent.handle.value)
            throw try ChipIdentity.chip(chip) == identity.chip ? ChipError.cleared : ChipError.otherChip
        }
        return try body(parent)
    }

    enum SessionKind: UInt8 {
        case code = 0
        case policy = 1
    }

    /// Starts a session salted to this key: only the TPM that has the key can compute the session's secrets.
    func session(_ kind: SessionKind, in chip: Chip) throws -> ChipSession {
        let ownNonce = try randomBytes(count: ChipSession.nonceSize)
        let (salt, sent) = try ChipSessionKeys.salt(for: point)
        var encrypted = ByteWriter()
        encrypted.sized(sent.prefix(32))
        encrypted.sized(sent.suffix(32))
        var parameters = ByteWriter()
        parameters.sized(ownNonce)
        parameters.sized(encrypted.bytes)
        parameters.append([kind.rawValue])
        for word in [ChipCode.xor, ChipCode.sha256, ChipCode.sha256] { parameters.integer(word) }
        var call = Chip.Call(
            command: .startAuthSession, handles: [handle, Chip.Handle(ChipCode.null)], parameters: parameters.bytes)
        call.makesHandle = true
        var answer = try chip.run(call)
        let chipNonce = try answer.parameters.sized(limit: 64)
        try answer.parameters.end()
        guard chipNonce.count == ChipSession.nonceSize else { throw SealingError.malformed }
        return try ChipSession(handle: answer.handle, salt: salt, ownNonce: ownNonce, chipNonce: chipNonce)
    }

    private static let zeros = [UInt8](repeating: 0, count: 32)
}

/// Identifies a TPM, and the owner of its storage hierarchy.
package struct ChipIdentity: Equatable, Sendable {
    /// The name of the parent key of all our objects. Clearing the TPM invalidates it.
    package let parent: [UInt8]
    /// The name of the primary key that the same template gives in the endorsement hierarchy. It survives clearing.
    package let chip: [UInt8]

    package init(parent: [UInt8], chip: [UInt8]) {
        self.parent = parent
        self.chip = chip
    }

    static func chip(_ chip: Chip) throws -> [UInt8] {
        let key = try ChipParent.make(ChipCode.endorsement, in: chip)
        chip.flush(key.handle.value)
        return key.name
    }
}

/// TPM names of objects: the hash algorithm and the digest of the public area.
package enum ChipName {
    package static let size = 34

    static func of(_ publicArea: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(ChipCode.sha256)
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
