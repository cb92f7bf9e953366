// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// An HMAC or policy session with a TPM, salted to one of its keys. Only the holder of that key's private half can
/// decrypt the session's parameters or compute its HMACs (TPM 2.0 Library, Part 1, 19 to 21).
final class TPMSession {
    static let nonceSize = 32

    let handle: UInt32
    private let key: Secret
    /// `nonceTPM` of the last response.
    private var nonceTPM: [UInt8]

    /// `salt`: the output of KDFe.
    init(handle: UInt32, salt: Secret, ownNonce: [UInt8], nonceTPM: [UInt8]) throws {
        self.handle = handle
        key = try salt.withSecretBytes { salt in
            Secret(try TPMSessionKeys.derive(from: salt, purpose: "ATH", nonceTPM, ownNonce, count: 32))
        }
        self.nonceTPM = nonceTPM
    }

    /// One command in the session: encrypts and authenticates the command, then verifies and decrypts the response.
    struct Turn {
        let session: TPMSession
        let use: SessionUse
        let ownNonce: [UInt8]
        private let formerNonce: [UInt8]
        /// The session key followed by the entity's `authValue`: before the command, and after it.
        private let key: Secret
        private let keyAfterwards: Secret

        fileprivate init(_ session: TPMSession, _ use: SessionUse, _ proof: Proof?) throws {
            self.session = session
            self.use = use
            ownNonce = try randomBytes(count: nonceSize)
            formerNonce = session.nonceTPM
            key = try session.key(with: proof?.present)
            keyAfterwards = try session.key(with: proof?.afterwards ?? proof?.present)
        }

        /// The first command parameter, encrypted.
        func hidden(_ parameter: borrowing SecretBytes) throws -> [UInt8] {
            let mask = try Self.mask(key, ownNonce, formerNonce, count: parameter.count)
            return try TPMSessionKeys.hidden(parameter, by: mask)
        }

        /// The HMAC of a command.
        func code(_ digest: [UInt8]) throws -> [UInt8] {
            let message = digest + ownNonce + formerNonce + [use.rawValue]
            return try key.withSecretBytes { try KeyDerivation.authenticationCode(for: message, under: $0) }
        }

        /// Whether a response's HMAC is valid. If it is, its nonce becomes the session's `nonceTPM`.
        func accepts(_ digest: [UInt8], nonce: [UInt8], attributes: UInt8, code: [UInt8]) throws -> Bool {
            guard nonce.count == nonceSize else { return false }
            let message = digest + nonce + ownNonce + [attributes]
            guard
                try keyAfterwards.withSecretBytes({ try KeyDerivation.isValid(code, for: message, under: $0) })
            else { return false }
            session.nonceTPM = nonce
            return true
        }

        /// The first parameter, decrypted, of a response that `accepts` verified.
        func shown(_ bytes: [UInt8]) throws -> SecretBytes {
            let mask = try Self.mask(keyAfterwards, session.nonceTPM, ownNonce, count: bytes.count)
            return try TPMSessionKeys.shown(bytes, by: mask)
        }

        private static func mask(
            _ key: Secret, _ newer: [UInt8], _ older: [UInt8], count: Int
        ) throws -> SecretBytes {
            try key.withSecretBytes { key in
                try TPMSessionKeys.derive(from: key, purpose: "XOR", newer, older, count: count)
            }
        }
    }

    /// Proves knowledge of an entity's `authValue`, which enters the HMAC and encryption keys and is never sent.
    struct Proof {
        let present: Secret?
        /// The `authValue` after the command; nil: unchanged.
        var afterwards: Secret?
    }

    func turn(_ use: SessionUse, _ proof: Proof? = nil) throws -> Turn { try Turn(self, use, proof) }

    private func key(with authorization: Secret?) throws -> Secret {
        guard let authorization else { return key }
        return try key.withSecretBytes { key in
            Secret(try authorization.withSecretBytes { try key.joined(with: $0) })
        }
    }
}
