// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import DataProtection
import Foundation
package import SecretMemory
import SecurityTypes

/// A private key that stays in a chip: its public half, and the way to what the chip needs to use it.
package struct ChipKey: Sendable {
    /// What stands in `tkid` of such keys, as on Apple's systems of those in the Secure Enclave.
    package static let token = "com.apple.setoken"

    package let publicKey: P256.Signing.PublicKey
    private let opened: @Sendable () throws -> ChipPrivateKey

    /// `opened`: called anew for each use, so that a lock in between counts.
    init(_ publicKey: P256.Signing.PublicKey, opened: @escaping @Sendable () throws -> ChipPrivateKey) {
        self.publicKey = publicKey
        self.opened = opened
    }

    /// Errors: `KeyMaterialError.malformed`: the public key is not on the curve.
    package init(_ key: ChipPrivateKey) throws {
        self.init(try Self.publicKey(key.point)) { key }
    }

    /// Makes one in the chip of a home; nil: there is none. It has signed once already, so that it can be used. Errors: those of a chip.
    package static func make(in home: Home) throws(KeychainError) -> ChipKey? {
        do {
            guard let made = try home.makeKeyInChip() else { return nil }
            let key = try ChipKey(made)
            _ = try key.sign(SHA256.hash(data: Data(made.point)), .x962)
            return key
        } catch let error as KeyMaterialError where error == .malformed {
            throw KeychainError(.notAvailable, "the chip gave a public key that is not on its curve", cause: error)
        } catch { throw KeychainError(error) }
    }

    static func publicKey(_ point: [UInt8]) throws -> P256.Signing.PublicKey {
        do { return try P256.Signing.PublicKey(x963Representation: Data(point)) } catch {
            throw KeyMaterialError.malformed
        }
    }

    /// What a keychain's item holds of it. Nobody can use it without the chip.
    package func item() throws -> Secret { try opened().item() }

    // MARK: What it does

    /// ECDSA takes the first 256 bits of a longer digest, and a shorter one as the number that it is. What the chip gave is looked at before anybody gets it.
    func sign(_ digest: some Digest, _ form: KeyAlgorithm.SignatureForm) throws -> Data {
        let first = Array(digest.prefix(P256.fieldSize))
        let whole = [UInt8](repeating: 0, count: P256.fieldSize - first.count) + first
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try AccessOperation.$current.withValue(.sign, operation: opened).sign(whole))
        guard publicKey.isValidSignature(signature, for: RawDigest(bytes: whole)) else {
            throw DataProtectionError(.chipFailed, "the chip gave a signature that is not the key's")
        }
        return form == .x962 ? signature.derRepresentation : signature.rawRepresentation
    }

    /// What both sides know, in ordinary memory: the caller gets it, or what is derived from it.
    func sharedSecret(with peer: P256.Signing.PublicKey) throws -> Data {
        let key = try AccessOperation.$current.withValue(.agree, operation: opened)
        return try Data(exposing: try key.exchange(Array(peer.x963Representation)))
    }
}

extension KeyMaterial {
    /// Whether it is a private key that stays in a chip, so that nothing gives its bytes.
    package var isInChip: Bool { if case .chip = self { true } else { false } }

    /// What a keychain's item holds of the key. Errors: of a key in a chip that is in the keychain, those of reading it.
    package func item() throws(KeychainError) -> Secret {
        do {
            if case .chip(let key) = self { return try key.item() }
            return try Secret(copying: Array(externalRepresentation))
        } catch { throw KeychainError(error) }
    }

    /// As ``init(_:_:)-(_,Data)``; what a chip needs stays in guarded memory.
    /// `chips`: of the home that the item is from.
    package init?(_ attributes: Attributes, secret: Secret, _ chips: ChipEnvironment = .process) throws {
        if attributes.isInChip {
            self = .chip(try ChipKey(try ChipPrivateKey(secret, chips)))
        } else {
            var bytes = try Data(exposing: secret)
            defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
            try self.init(attributes, bytes)
        }
    }
}

extension KeychainError {
    /// For whoever wants a key in a chip where there is none.
    package static var noChip: KeychainError {
        KeychainError(
            .unimplemented,
            "there is no chip (TPM 2.0) here that could keep the key; ZAMOK_TPM names one that is elsewhere than /dev/tpmrm0"
        )
    }

    /// For whoever wants the bytes of a private key that stays in a chip.
    package static var staysInChip: KeychainError {
        KeychainError(
            .unimplemented, "the private key is in a chip, and nothing takes it out; its public half can be exported")
    }
}

extension Attributes {
    /// Whether the item is a private key that stays in a chip; of an identity, whether its key is: there `tkid` is the certificate's.
    package var isInChip: Bool {
        guard self[.keyClass] == .number(KeyMaterial.Role.private.rawValue) else { return false }
        return self[.tokenObject] != nil || self[.tokenID] == .text(ChipKey.token)
    }

    /// Of a private key in a chip: with the public half, which is known while the rest is locked. Errors: `.parameter`: the item holds no such key.
    func withPublicHalf(of secret: Secret?, _ itemClass: ItemClass) throws(KeychainError) -> Attributes {
        guard itemClass == .key, isInChip || self[.tokenObject] != nil else { return self }
        guard isInChip, let secret, let key = try? ChipPrivateKey(secret), (try? ChipKey.publicKey(key.point)) != nil
        else {
            throw KeychainError(
                .parameter,
                "a key with kSecAttrTokenIDSecureEnclave is made by SecKeyCreateRandomKey, in the chip; no bytes are one"
            )
        }
        var result = self
        result[.tokenID] = .text(ChipKey.token)
        result[.tokenObject] = .data(key.point)
        return result
    }

    /// Errors: `.parameter`: a change would make another key of one in a chip, or one in a chip of another.
    func checkChipKey(changedTo new: Attributes, by changes: ItemChanges) throws(KeychainError) {
        guard isInChip || new.isInChip || new[.tokenObject] != nil else { return }
        // Who read the item, and changes something else of it, gives its secret too.
        let isSame = changes.secret.map { secret in
            (try? ChipPrivateKey(secret)).map { .data($0.point) } == self[.tokenObject]
        }
        guard isInChip, new.isInChip, isSame ?? true, changes.newSecret == nil,
            self[.tokenObject] == new[.tokenObject], self[.tokenID] == new[.tokenID]
        else {
            throw KeychainError(
                .parameter,
                "no other key can take the place of one that is in a chip, and none becomes one that is there")
        }
    }
}
