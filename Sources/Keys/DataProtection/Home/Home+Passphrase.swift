// SPDX-License-Identifier: Apache-2.0

package import Sealing
package import SecretMemory

extension Home {
    /// The KDF parameters for a new file under a passphrase: those of the passcode, so cheaper where memory is limited,
    /// and in tests that ask for it.
    package var scryptParameters: ScryptParameters { keybag.scryptParameters }

    /// For tests of everything but the KDF: parameters below the limits are accepted.
    package var allowsInsecureKDF: Bool { keybag.allowsInsecureKDF }

    /// Like `Keybag.stretch`.
    package func stretch(
        passphrase: borrowing SecretBytes, salt: [UInt8], parameters: ScryptParameters
    ) throws -> SecretBytes {
        try keybag.stretch(passphrase: passphrase, salt: salt, parameters: parameters)
    }
}

extension Keybag {
    /// The KDF parameters for a new passphrase or password: those of the passcode, so cheaper where memory is limited,
    /// and in tests that ask for it.
    package var scryptParameters: ScryptParameters {
        allowsInsecureKDF ? .insecureForTests : MachineMemory.scryptParameters(place.folder.files)
    }

    /// For tests of everything but the KDF: parameters below the limits are accepted.
    package var allowsInsecureKDF: Bool { place.allowsInsecureKDF }

    /// The 32 bytes that the KDF derives from a passphrase, after conversion to Unicode normalization form C. Errors:
    /// `.invalidArgument` (empty, or longer than 4096 bytes).
    package func stretch(
        passphrase: borrowing SecretBytes, salt: [UInt8], parameters: ScryptParameters
    ) throws -> SecretBytes {
        try Self.stretch(try Passcode(passphrase), salt: salt, parameters: parameters)
    }

    /// One KDF run. Errors: `.outOfMemory`.
    static func stretch(
        _ passcode: borrowing Passcode, salt: [UInt8], parameters: ScryptParameters
    ) throws -> SecretBytes {
        do {
            return try KeyDerivation.scrypt(passcode.bytes, salt: salt, parameters: parameters)
        } catch let error as StretchingFailure {
            throw DataProtectionError(
                .outOfMemory,
                "there is not enough memory: stretching what was typed takes \(parameters.memory >> 20) MiB, which the system does not give; it was not compared with "
                    + "anything, and is not counted; end other programs, or raise the limit of this one (ulimit -v, the container's), and try again",
                cause: error)
        }
    }
}
