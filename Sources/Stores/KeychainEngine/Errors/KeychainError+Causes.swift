// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

extension KeychainError {
    /// The one place where an error from below becomes a keychain error. Never folds *locked* or *damaged* into
    /// another.
    package init(_ error: any Error, file: String = #fileID, line: Int = #line) {
        switch error {
        case let error as KeychainError: self = error
        case let error as DataProtectionError:
            self.init(Code(error.code), error.message, cause: error, file: file, line: line)
        case let error as SealingError:
            self.init(Code(error), "the item is damaged: \(error)", cause: error, file: file, line: line)
        case let error as SecretMemoryError:
            self.init(Code(error.code), error.message, cause: error, file: file, line: line)
        case is ConstraintViolation:
            self.init(
                .duplicateItem, "an item with the same primary attributes exists already", cause: error, file: file,
                line: line
            )
        case is MisfiledRow:
            self.init(
                .damaged,
                "an item is filed under index entries that are not its own; run: zamok doctor --rebuild-index",
                cause: error, file: file, line: line)
        case is CancellationError:
            self.init(.userCancelled, "cancelled", cause: error, file: file, line: line)
        default:
            self.init(.internalComponent, "an internal failure", cause: error, file: file, line: line)
        }
    }
}

extension KeychainError.Code {
    /// The status for a state of the home; total, and held so by a test.
    package init(_ code: DataProtectionError.Code) {
        self = Self.byDataProtectionCode[code] ?? .internalComponent
    }

    fileprivate init(_ error: SealingError) {
        self = error == .cannotSeal || error == .zeroKey ? .internalComponent : .damaged
    }

    fileprivate init(_ code: SecretMemoryError.Code) {
        switch code {
        case .outOfMemory: self = .outOfMemory
        case .cancelled: self = .userCancelled
        case .noTerminal: self = .interactionRequired
        case .lineTooLong: self = .dataTooLarge
        default: self = .notAvailable
        }
    }

    static let byDataProtectionCode: [DataProtectionError.Code: Self] = [
        .locked: .locked,
        .wrongPasscode: .authenticationFailed,
        .tooManyAttempts: .authenticationFailed,
        .noPasscode: .notAvailable,
        .passcodeExists: .parameter,
        .damaged: .damaged,
        .keyDestroyed: .keyDestroyed,
        .missingDeviceSecret: .notAvailable,
        .erased: .keyDestroyed,
        .restoredCopy: .notAvailable,
        .newerFormat: .invalidKeychain,
        .unsafeHome: .notAvailable,
        .invalidArgument: .parameter,
        .notAvailable: .notAvailable,
        .notLocked: .inputOutput,
        .forked: .notAvailable,
        .cancelled: .userCancelled,
        .noTerminal: .interactionRequired,
        .interactionNotAllowed: .locked,
        .invalidContext: .authenticationFailed,
        .diskFull: .diskFull,
        .readOnly: .readOnly,
        .io: .inputOutput,
        .outOfMemory: .outOfMemory,
        .noHome: .noSuchKeychain,
    ]
}

/// Runs `body`; whatever it throws becomes a keychain error.
func telling<R: ~Copyable>(
    file: String = #fileID, line: Int = #line, _ body: () throws -> R
) throws(KeychainError) -> R {
    do { return try body() } catch { throw KeychainError(error, file: file, line: line) }
}
