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

        fileprivate init(_ session: ChipSession, _ use: SessionUse) throws {
            self.session = session
            self.use = use
            ownNonce = try randomBytes(count: nonceSize)
            formerNonce = session.chipNonce
        }

        /// The first parameter of the command as it is sent.
        func hidden(_ parameter: borrowing SecretBytes) throws -> [UInt8] {
            let mask = try session.mask(ownNonce, formerNonce, count: parameter.count)
            return try ChipSessionKeys.hidden(parameter, by: mask)
        }

        /// The code of a command.
        func code(_ digest: [UInt8]) throws -> [UInt8] {
            try session.code(digest + ownNonce + formerNonce + [use.rawValue])
        }

        /// Whether an answer is the chip's; its nonce counts from then on.
        func accepts(_ digest: [UInt8], nonce: [UInt8], attributes: UInt8, code: [UInt8]) throws -> Bool {
            guard nonce.count == nonceSize else { return false }
            let message = digest + nonce + ownNonce + [attributes]
            guard
                try session.key.withSecretBytes({ try KeyDerivation.isValid(code, for: message, under: $0) })
            else { return false }
            session.chipNonce = nonce
            return true
        }

        /// The first parameter of an answer that was accepted.
        func shown(_ bytes: [UInt8]) throws -> SecretBytes {
            let mask = try session.mask(session.chipNonce, ownNonce, count: bytes.count)
            return try ChipSessionKeys.shown(bytes, by: mask)
        }
    }

    func turn(_ use: SessionUse) throws -> Turn { try Turn(self, use) }

    private func code(_ message: [UInt8]) throws -> [UInt8] {
        try key.withSecretBytes { try KeyDerivation.authenticationCode(for: message, under: $0) }
    }

    /// Objects have empty authorisations here, so that the session's key alone makes the mask.
    private func mask(_ newer: [UInt8], _ older: [UInt8], count: Int) throws -> SecretBytes {
        try key.withSecretBytes { key in
            try ChipSessionKeys.derive(from: key, purpose: "XOR", newer, older, count: count)
        }
    }
}
