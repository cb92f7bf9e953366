// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// What the user wrote down to open a home whose TPM is gone: the seed of a key pair, 160 bits.
package struct RecoveryCode: Sendable {
    private static let size = 20
    // Without I, L, O and U, which are mistaken for others.
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    private let seed: Secret

    /// A new random code.
    package static func random() throws -> RecoveryCode {
        RecoveryCode(seed: Secret(try SecretBytes.random(count: size)))
    }

    private init(seed: Secret) { self.seed = seed }

    /// The code that was typed: 32 letters and digits; spaces, hyphens and line ends don't
    /// count. Errors: `.invalidArgument`.
    package init(typed: borrowing SecretBytes) throws {
        let count = typed.count
        seed = try ClearedScope.run {
            let values: [UInt8] = try typed.withBytes { span in
                var values: [UInt8] = []
                values.reserveCapacity(Self.size * 2)
                for index in 0..<min(count, 256) {
                    guard let byte = span.bigEndian(at: index, as: UInt8.self), ![9, 10, 13, 32, 45].contains(byte)
                    else { continue }
                    guard let value = Self.value(byte) else { throw Self.wrong }
                    values.append(value)
                }
                return values
            }
            guard count <= 256, values.count * 5 == Self.size * 8 else { throw Self.wrong }
            // Never generated, and no key.
            guard values.contains(where: { $0 != 0 }) else { throw RecoverySeal.wrongCode }
            return try Secret(copying: Self.regrouped(values, from: 5, to: 8))
        }
    }

    private static var wrong: DataProtectionError {
        DataProtectionError(
            .invalidArgument, "that is no recovery code: it has 32 letters and digits, in groups of four")
    }

    /// The code as text in groups of four, to show to the user once. In ordinary memory, as a terminal needs it.
    package var exposingText: String {
        get throws {
            // Visible to any onlooker at the terminal: there is nothing left to hide.
            let bytes = try seed.withSecretBytes { try $0.exposingBytes(0..<Self.size) } ?? []
            let values = Self.regrouped(bytes, from: 8, to: 5)
            let letters = values.map { Self.letters[Int($0)] }
            return stride(from: 0, to: letters.count, by: 4).map {
                String(decoding: letters[$0..<min($0 + 4, letters.count)], as: UTF8.self)
            }.joined(separator: "-")
        }
    }

    /// The code's letters without the hyphens, as input for other tools.
    package func letters() throws -> Secret {
        try seed.withSecretBytes { seed in
            try ClearedScope.run {
                let bytes = try seed.exposingBytes(0..<Self.size) ?? []
                return try Secret(copying: Self.regrouped(bytes, from: 8, to: 5).map { Self.letters[Int($0)] })
            }
        }
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        let upper = (97...122).contains(byte) ? byte - 32 : byte
        let meant =
            switch upper {
            case UInt8(ascii: "O"): UInt8(ascii: "0")
            case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
            default: upper
            }
        return letters.firstIndex(of: meant).map { UInt8($0) }
    }

    private static func regrouped(_ values: [UInt8], from: Int, to: Int) -> [UInt8] {
        var (bits, count, result) = (0, 0, [UInt8]())
        for value in values {
            bits = bits << from | Int(value)
            count += from
            while count >= to {
                count -= to
                result.append(UInt8(bits >> count & (1 << to - 1)))
                bits &= 1 << count - 1
            }
        }
        return result
    }

    /// The private half of the pair.
    fileprivate func privateKey() throws -> SecretBytes {
        try seed.withSecretBytes { try KeyDerivation.derive(from: $0, salt: [], label: .recoveryKey) }
    }
}

/// Whether there is a recovery code.
package enum RecoveryState: String, Sendable {
    case none
    /// It was shown; whether it was written down is unknown.
    case shown
    /// The user typed it back.
    case typedBack

    init(_ seal: RecoverySeal?) {
        self =
            switch seal?.state {
            case nil: .none
            case .shown: .shown
            case .typedBack: .typedBack
            }
    }
}

/// A device secret, or a bound passcode's value, sealed to the public half of a recovery code's pair. A new secret is
/// sealed again without the code.
struct RecoverySeal: Equatable, Sendable {
    enum State: UInt8, Sendable {
        /// The code was shown; whether it was written down is unknown.
        case shown = 1
        /// It was typed back.
        case typedBack = 2
    }

    let state: State
    let publicKey: [UInt8]
    private let ephemeralKey: [UInt8]
    private let wrapped: [UInt8]
    /// What kind of secret is sealed: one kind is never mistaken for another.
    private let label: KeyLabel

    /// The seal if its code was typed back, so that the user is known to have it. Otherwise throws `.notAvailable`:
    /// without it no secret of a home is sealed to a TPM.
    @discardableResult
    static func requireTypedBack(_ seal: RecoverySeal?) throws(DataProtectionError) -> RecoverySeal {
        guard let seal else {
            throw DataProtectionError(
                .notAvailable,
                "without a recovery code the home is lost with the TPM; make one and type it back first: zamok device recovery"
            )
        }
        guard seal.state == .typedBack else {
            throw DataProtectionError(
                .notAvailable,
                "the recovery code was shown and not typed back, and without it the home is lost with the TPM; type it back first: zamok device recovery --check"
            )
        }
        return seal
    }

    init(
        _ secret: borrowing SecretBytes, to publicKey: [UInt8], _ state: State, label: KeyLabel = .recoverySeal
    ) throws {
        self.state = state
        self.publicKey = publicKey
        self.label = label
        (ephemeralKey, wrapped) = try PublicKeyWrap(label, to: publicKey).wrap(secret)
    }

    init(_ secret: borrowing SecretBytes, to code: RecoveryCode) throws {
        try self.init(secret, to: try KeyAgreement.publicKey(of: try code.privateKey()), .shown)
    }

    init(_ reader: inout ByteReader, _ state: UInt8, label: KeyLabel = .recoverySeal) throws {
        self.label = label
        guard let state = State(rawValue: state) else { throw SealingError.malformed }
        self.state = state
        publicKey = try reader.read(32)
        ephemeralKey = try reader.read(32)
        wrapped = try reader.read(32 + KeyWrap.overhead)
    }

    var encoded: [UInt8] { publicKey + ephemeralKey + wrapped }

    /// Whether it is sealed to this code.
    func isSealed(to code: RecoveryCode) throws -> Bool {
        try KeyAgreement.publicKey(of: try code.privateKey()) == publicKey
    }

    /// The secret. Errors: `.wrongPasscode`.
    func open(_ code: RecoveryCode) throws -> SecretBytes {
        guard try isSealed(to: code) else { throw Self.wrongCode }
        return try PublicKeyWrap(label, to: publicKey).unwrap(
            wrapped, from: ephemeralKey, with: try code.privateKey())
    }

    static var none: DataProtectionError {
        DataProtectionError(.notAvailable, "this home has no recovery code; make one: zamok device recovery")
    }

    static var wrongCode: DataProtectionError {
        DataProtectionError(
            .wrongPasscode, "that is not the recovery code of this home; if a new one was printed since, it counts")
    }
}
