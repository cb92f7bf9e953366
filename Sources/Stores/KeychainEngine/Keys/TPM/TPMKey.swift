// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import DataProtection
import Foundation
package import SecretMemory
import SecurityTypes

/// A private key that stays in a TPM: its public half, and access to what the TPM needs to use it.
package struct TPMKey: Sendable {
    /// The value of `tkid` for such keys, the same as for Secure Enclave keys on Apple's systems.
    package static let token = "com.apple.setoken"

    package let publicKey: P256.Signing.PublicKey
    private let opened: @Sendable () throws -> TPMPrivateKey

    /// `opened`: called for each use, so that a lock in between takes effect.
    init(_ publicKey: P256.Signing.PublicKey, opened: @escaping @Sendable () throws -> TPMPrivateKey) {
        self.publicKey = publicKey
        self.opened = opened
    }

    /// Errors: `KeyMaterialError.malformed` if the public key is not on the curve.
    package init(_ key: TPMPrivateKey) throws {
        self.init(try Self.publicKey(key.point)) { key }
    }

    /// Makes a key in the home's TPM; nil if there is none. A test signature shows that the key is usable. Errors:
    /// those of a TPM.
    package static func make(in home: Home) throws(KeychainError) -> TPMKey? {
        do {
            guard let made = try home.makeKeyInTPM() else { return nil }
            let key = try TPMKey(made)
            _ = try key.sign(SHA256.hash(data: Data(made.point)), .x962)
            return key
        } catch let error as KeyMaterialError where error == .malformed {
            throw KeychainError(.notAvailable, "the TPM gave a public key that is not on its curve", cause: error)
        } catch { throw KeychainError(error) }
    }

    static func publicKey(_ point: [UInt8]) throws -> P256.Signing.PublicKey {
        do { return try P256.Signing.PublicKey(x963Representation: Data(point)) } catch {
            throw KeyMaterialError.malformed
        }
    }

    /// The content of the keychain item. It is useless without the TPM.
    package func item() throws -> Secret { try opened().item() }

    // MARK: What it does

    /// ECDSA uses the first 256 bits of a longer digest, and a shorter one as the number that it is. The TPM's
    /// signature is verified before it is returned.
    func sign(_ digest: some Digest, _ form: KeyAlgorithm.SignatureForm) throws -> Data {
        let first = Array(digest.prefix(P256.fieldSize))
        let whole = [UInt8](repeating: 0, count: P256.fieldSize - first.count) + first
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try AccessOperation.$current.withValue(.sign, operation: opened).sign(whole))
        guard publicKey.isValidSignature(signature, for: RawDigest(bytes: whole)) else {
            throw DataProtectionError(.tpmFailed, "the TPM gave a signature that is not the key's")
        }
        return form == .x962 ? signature.derRepresentation : signature.rawRepresentation
    }

    /// The shared secret, in ordinary memory, because the caller receives it or a key derived from it.
    func sharedSecret(with peer: P256.Signing.PublicKey) throws -> Data {
        let key = try AccessOperation.$current.withValue(.agree, operation: opened)
        return try Data(exposing: try key.exchange(Array(peer.x963Representation)))
    }
}

extension KeyMaterial {
    /// Whether this is a private key that stays in a TPM, so that its bytes are not available.
    package var isInTPM: Bool { if case .tpm = self { true } else { false } }

    /// The content of the keychain item of the key. Errors: for a key in a TPM that is in the keychain, those of
    /// reading it.
    package func item() throws(KeychainError) -> Secret {
        do {
            if case .tpm(let key) = self { return try key.item() }
            return try Secret(copying: Array(externalRepresentation))
        } catch { throw KeychainError(error) }
    }

    /// Like ``init(_:_:)-(_,Data)``, but the data that a TPM needs stays in guarded memory.
    /// `tpms`: of the home that contains the item.
    package init?(_ attributes: Attributes, secret: Secret, _ tpms: TPMEnvironment = .process) throws {
        if attributes.isInTPM {
            self = .tpm(try TPMKey(try TPMPrivateKey(secret, tpms)))
        } else {
            var bytes = try Data(exposing: secret)
            defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
            try self.init(attributes, bytes)
        }
    }
}

extension KeychainError {
    /// The error when a key in a TPM is requested and there is no TPM.
    package static var noTPM: KeychainError {
        KeychainError(
            .unimplemented,
            "there is no TPM 2.0 here that could keep the key; ZAMOK_TPM names one that is elsewhere than /dev/tpmrm0"
        )
    }

    /// The error when the bytes of a private key in a TPM are requested.
    package static var staysInTPM: KeychainError {
        KeychainError(
            .unimplemented, "the private key is in a TPM, and nothing takes it out; its public half can be exported")
    }
}

extension Attributes {
    /// Whether the item is a private key that stays in a TPM. For an identity: whether its key is; there `tkid` is
    /// the certificate's.
    package var isInTPM: Bool {
        guard self[.keyClass] == .number(KeyMaterial.Role.private.rawValue) else { return false }
        return self[.tokenObject] != nil || self[.tokenID] == .text(TPMKey.token)
    }

    /// Adds the public half of a private key in a TPM, which is readable while the rest is locked. Errors: `.parameter`
    /// if the item contains no such key.
    func withPublicHalf(of secret: Secret?, _ itemClass: ItemClass) throws(KeychainError) -> Attributes {
        guard itemClass == .key, isInTPM || self[.tokenObject] != nil else { return self }
        guard isInTPM, let secret, let key = try? TPMPrivateKey(secret), (try? TPMKey.publicKey(key.point)) != nil
        else {
            throw KeychainError(
                .parameter,
                "a key with kSecAttrTokenIDSecureEnclave is made by SecKeyCreateRandomKey, in the TPM; no bytes are one"
            )
        }
        var result = self
        result[.tokenID] = .text(TPMKey.token)
        result[.tokenObject] = .data(key.point)
        return result
    }

    /// Errors: `.parameter` if a change would replace a key in a TPM by another key, or another key by one in a TPM.
    func checkTPMKey(changedTo new: Attributes, by changes: ItemChanges) throws(KeychainError) {
        guard isInTPM || new.isInTPM || new[.tokenObject] != nil else { return }
        // A caller that read the item and changes another part of it also passes the secret.
        let isSame = changes.secret.map { secret in
            (try? TPMPrivateKey(secret)).map { .data($0.point) } == self[.tokenObject]
        }
        guard isInTPM, new.isInTPM, isSame ?? true, changes.newSecret == nil,
            self[.tokenObject] == new[.tokenObject], self[.tokenID] == new[.tokenID]
        else {
            throw KeychainError(
                .parameter,
                "no other key can take the place of one that is in a TPM, and none becomes one that is there")
        }
    }
}
