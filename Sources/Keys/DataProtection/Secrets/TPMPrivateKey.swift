// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory
import TPMs

/// What a TPM needs to use a private key that it generated and that never leaves it
/// (`Documentation/Formats/TPMObjects.md`, `A key that stays in the TPM`).
package struct TPMPrivateKey: Sendable {
    private static let version: UInt8 = 1
    private static let sizeLimit = 2048
    private static let authorizationSize = 32

    /// The TPM's address when the key was generated.
    let way: TPMAddress
    private let key: KeyInTPM
    private let authorization: Secret
    private let environment: TPMEnvironment

    private init(way: TPMAddress, key: KeyInTPM, authorization: Secret, _ environment: TPMEnvironment) {
        self.way = way
        self.key = key
        self.authorization = authorization
        self.environment = environment
    }

    /// The public key in X9.63 form, 65 bytes. It isn't checked to be on the curve.
    package var point: [UInt8] { [4] + key.point }

    // MARK: As an item has it

    /// The key of an item. `environment`: of the home that the item is from. Errors: `.damaged`, `.newerFormat`.
    package init(_ item: Secret, _ environment: TPMEnvironment = .process) throws(DataProtectionError) {
        do {
            self = try item.withSecretBytes { try Self.decoded($0, environment) }
        } catch let error as DataProtectionError { throw error } catch {
            throw DataProtectionError(
                .damaged, "what the item holds is no key that a TPM made; the private key itself is not lost by it",
                cause: error)
        }
    }

    private static func decoded(_ item: borrowing SecretBytes, _ environment: TPMEnvironment) throws -> TPMPrivateKey {
        guard item.count <= sizeLimit, let found = try item.exposingBytes(0..<1)?.first, found != 0 else {
            throw SealingError.malformed
        }
        guard found == version else {
            throw DataProtectionError(
                .newerFormat, "the item's key was made by a newer version of Zamok; nothing was changed")
        }
        let end = item.count - authorizationSize
        guard end > 1, let open = try item.exposingBytes(1..<end), let secret = try item.part(end..<item.count) else {
            throw SealingError.malformed
        }
        var reader = ByteReader(open)
        let part = try TPMPart(&reader)
        try reader.end()
        guard part.sealed.measurements == .none else { throw SealingError.malformed }
        return TPMPrivateKey(
            way: part.way,
            key: try KeyInTPM(
                identity: part.sealed.identity, publicArea: part.sealed.publicArea,
                privateArea: part.sealed.privateArea), authorization: Secret(secret), environment)
    }

    /// The bytes for an item. Errors: `.notAvailable` after fork, `.outOfMemory`.
    package func item() throws(DataProtectionError) -> Secret {
        let part = TPMPart(
            way: way,
            sealed: SealedToTPM(
                identity: key.identity, measurements: .none, publicArea: key.publicArea, privateArea: key.privateArea))
        do {
            return Secret(
                try authorization.withSecretBytes {
                    try SecretBytes(copying: [Self.version] + part.encoded).joined(with: $0)
                })
        } catch { throw DataProtectionError(error, about: "the key") }
    }

    // MARK: Operations of the TPM

    /// Signs a digest of 32 bytes: r and s of ECDSA, 32 bytes each. Errors: those of a TPM; `.damaged`.
    package func sign(_ digest: [UInt8]) throws(DataProtectionError) -> [UInt8] {
        try used { way throws in try way.sign(digest, with: key, authorization) }
    }

    /// The shared secret of ECDH: x of the shared point, 32 bytes. `peer`: the peer's public key in X9.63 form.
    /// Errors: as `sign`.
    package func exchange(_ peer: [UInt8]) throws(DataProtectionError) -> Secret {
        try used { way throws in try way.exchange(Array(peer.dropFirst()), with: key, authorization) }
    }

    private func used<R>(_ body: (TPMAddress) throws -> R) throws(DataProtectionError) -> R {
        do {
            let way = try environment.way() ?? way
            do { return try body(way) } catch let error as TPMError { throw DataProtectionError(key: error, way) }
        } catch { throw DataProtectionError(error, about: "the key") }
    }

    fileprivate static func make(
        over way: TPMAddress, under known: TPMIdentity?, _ environment: TPMEnvironment
    ) throws -> TPMPrivateKey {
        // The last byte is not zero, since TPMs drop trailing zeros.
        let secret = try SecretBytes.random(count: authorizationSize - 1).joined(with: try SecretBytes(copying: [1]))
        let authorization = Secret(secret)
        do {
            let key = try way.makeKey(for: authorization, under: known)
            return TPMPrivateKey(way: way, key: key, authorization: authorization, environment)
        } catch let error as TPMError { throw DataProtectionError(key: error, way) }
    }
}

/// The environment variables by which a home names a TPM.
package struct TPMEnvironment: Sendable {
    /// The variables of the process, for keys that are from no home.
    package static let process = TPMEnvironment(value: Home.Configuration().environment)

    fileprivate let value: @Sendable (String) -> String?

    /// The address that the variables name, which overrides the one from when the key was generated; nil: none is
    /// named. Errors: `.invalidArgument`.
    fileprivate func way() throws -> TPMAddress? {
        var configuration = Home.Configuration()
        configuration.environment = value
        return try HomeLocation(configuration).tpmAddress()
    }
}

extension Keybag {
    /// The home's variables that name a TPM.
    package var tpmEnvironment: TPMEnvironment { TPMEnvironment(value: place.environment) }
}

extension Home {
    /// Generates a private key in the TPM that has the device secret; else in the one that the environment names; else
    /// in the machine's. Nil: there is none.
    ///
    /// Errors: those of a TPM that is named, or known already: no other TPM generates a key for this home.
    package func makeKeyInTPM() throws(DataProtectionError) -> TPMPrivateKey? {
        do {
            let file = keybag.place.deviceSecret
            let environment = keybag.tpmEnvironment
            if case .tpm(let named, let sealed) = try file.record()?.form {
                return try TPMPrivateKey.make(over: file.way ?? named, under: sealed.identity, environment)
            }
            if let way = file.way { return try TPMPrivateKey.make(over: way, under: nil, environment) }
            do { _ = try TPMAddress.usual.isThere() } catch TPMError.away(let number) where TPMError.isAbsence(number) {
                return nil
            }
            return try TPMPrivateKey.make(over: .usual, under: nil, environment)
        } catch let error as TPMError {
            throw DataProtectionError(key: error, .usual)
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }
}

extension DataProtectionError {
    /// The error for the user when the TPM at `way` doesn't use a key that it generated. Nothing vouches for the answer
    /// of a TPM that refuses, so no message states that the key is gone for good.
    fileprivate init(key error: TPMError, _ way: TPMAddress) {
        let tpm = "the TPM \(way)"
        let (code, message): (Code, String) =
            switch error {
            case .away(let number):
                (
                    .tpmUnreachable,
                    "\(tpm) can't be reached (\(TPMError.text(number))), and only there the private key can be used; \(TPMAddress.variable) names another way to it"
                )
            case .otherTPM:
                (
                    .otherTPM,
                    "\(tpm) is not the one that made the private key, which can be used in that one alone; nothing was changed"
                )
            case .cleared:
                (
                    .tpmCleared,
                    "\(tpm) says that it was cleared since it made the private key; if that is so, the key is gone, and its certificates need a new one"
                )
            case .lockedOut:
                (
                    .tpmLockedOut,
                    "\(tpm) is in dictionary-attack lockout after too many wrong tries; nothing was changed; try again later"
                )
            case .damagedBlob:
                (.damaged, "\(tpm) does not take what the item has of the private key: it is damaged")
            default: Self.told(error, way)
            }
        self.init(code, message, cause: error)
    }

    private static func told(_ error: TPMError, _ way: TPMAddress) -> (Code, String) {
        let told = DataProtectionError(error, way)
        return (told.code, told.message)
    }
}
