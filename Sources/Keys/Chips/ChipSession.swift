// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// A session with a chip, salted to one of its keys: whoever doesn't have that key's private half can neither read what is hidden in
/// the session nor make its codes (TPM 2.0 Library, Part 1, 19 to 21).
final class ChipSession {
    static let nonceSize = 32

    let handle: UInt32
    private let key: Secret
    /// The chip's last word.
    private var chipNonce: [UInt8]

    /// `salt`: what the salt was made of, as KDFe gave it.
    init(handle: UInt32, salt: Secret, ownNonce: [UInt8], chipNonce: [UInt8]) throws {
        self.handle = handle
        key = try salt.withSecretBytes { salt in
            Secret(try ChipSessionKeys.derive(from: salt, purpose: "ATH", chipNonce, ownNonce, count: 32))
        }
        self.chipNonce = chipNonce
    }

    /// One command in the session: hides and codes what goes there, checks and shows what comes back.
    struct Turn {
        let session: ChipSession
        let use: SessionUse
        let ownNonce: [UInt8]
        private let formerNonce: [UInt8]
        /// The session's key, with the authorisation of what the command is for, and of what it is afterwards.
        private let key: Secret
        private let keyAfterwards: Secret

        fileprivate init(_ session: ChipSession, _ use: SessionUse, _ proof: Proof?) throws {
            self.session = session
            self.use = use
            ownNonce = try randomBytes(count: nonceSize)
            formerNonce = session.chipNonce
            key = try session.key(with: proof?.present)
            keyAfterwards = try session.key(with: proof?.afterwards ?? proof?.present)
        }

        /// The first parameter of the command as it is sent.
        func hidden(_ parameter: borrowing SecretBytes) throws -> [UInt8] {
            let mask = try Self.mask(key, ownNonce, formerNonce, count: parameter.count)
            return try ChipSessionKeys.hidden(parameter, by: mask)
        }

        /// The code of a command.
        func code(_ digest: [UInt8]) throws -> [UInt8] {
            let message = digest + ownNonce + formerNonce + [use.rawValue]
            return try key.withSecretBytes { try KeyDerivation.authenticationCode(for: message, under: $0) }
        }

        /// Whether an answer is the chip's; its nonce counts from then on.
        func accepts(_ digest: [UInt8], nonce: [UInt8], attributes: UInt8, code: [UInt8]) throws -> Bool {
            guard nonce.count == nonceSize else { return false }
            let message = digest + nonce + ownNonce + [attributes]
            guard
                try keyAfterwards.withSecretBytes({ try KeyDerivation.isValid(code, for: message, under: $0) })
            else { return false }
            session.chipNonce = nonce
            return true
        }

        /// The first parameter of an answer that was accepted.
        func shown(_ bytes: [UInt8]) throws -> SecretBytes {
            let mask = try Self.mask(keyAfterwards, session.chipNonce, ownNonce, count: bytes.count)
            return try ChipSessionKeys.shown(bytes, by: mask)
        }

        private static func mask(
            _ key: Secret, _ newer: [UInt8], _ older: [UInt8], count: Int
        ) throws -> SecretBytes {
            try key.withSecretBytes { key in
                try ChipSessionKeys.derive(from: key, purpose: "XOR", newer, older, count: count)
            }
        }
    }

    /// That whoever asks knows the authorisation of what is asked for: it enters codes and masks, and never goes over the way.
    struct Proof {
        let present: Secret?
        /// What it is after the command; nil: the same.
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
