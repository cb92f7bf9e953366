// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory
package import Statuses

extension DataProtectionError {
    static func noHome(_ path: String) -> DataProtectionError {
        DataProtectionError(
            .noHome, "there is no home at \(path) yet; the first command that stores something makes it")
    }

    /// Converts an error from a lower layer into one for users. `place` is the folder or file that was worked on.
    package init(_ error: any Error, about place: String?, file: String = #fileID, line: Int = #line) {
        if let error = error as? DataProtectionError {
            self = error
        } else {
            let (code, message) = Self.meaning(of: error, place ?? "")
            self.init(code, message, cause: error, file: file, line: line)
        }
    }

    private static func meaning(of error: any Error, _ place: String) -> (Code, String) {
        switch error {
        case let error as FileError: meaning(of: error)
        case let error as KeybagFault: meaning(of: error, "\(place)/\(KeybagFile.fileName)")
        case is SealingError: (.damaged, "a key in \(place) does not open; run: zamok doctor")
        case let error as SecretMemoryError: (Code(error.code), error.message)
        case let error as KeyringError: (.io, "the kernel keyring failed: \(error.text)")
        default: (.internalFailure, "\(error)")
        }
    }

    private static func meaning(of error: FileError) -> (Code, String) {
        let code: Code =
            error.isFull ? .diskFull : error.isReadOnly ? .readOnly : error.isLink ? .unsafeHome : .io
        let hint = error.isFull ? "; nothing was changed" : ""
        return (code, "\(error.path): \(error.operation.rawValue): \(error.text)\(hint)")
    }

    private static func meaning(of fault: KeybagFault, _ file: String) -> (Code, String) {
        let restore = "nothing was changed; put the file back from a backup of this home"
        return switch fault {
        case .malformed: (.damaged, "\(file) is not a whole keybag; \(restore)")
        case .newer: (.newerFormat, "\(file) was written by a newer version of Zamok; nothing was changed")
        case .parametersRefused:
            (.damaged, "the scrypt parameters in \(file) are outside what is accepted; \(restore)")
        case .headerChanged:
            (
                .damaged,
                "the header of \(file) was changed (scrypt parameters, generation or identifiers); \(restore)"
            )
        case .slotChanged(let slot): (.damaged, "\(name(of: slot)) in \(file) was changed; \(restore)")
        case .slotsChanged: (.damaged, "several keys in \(file) were changed; \(restore)")
        case .slotsExchanged: (.damaged, "the keys in \(file) were exchanged, added to or removed; \(restore)")
        case .forged(let slot):
            (
                .damaged,
                "a program that can read the device secret exchanged "
                    + (slot.map(name(of:)) ?? "the limits, or which keys there are,")
                    + " in \(file): what was stored since may be readable to them, and limits may not have held; "
                    + "nothing was changed, so that the traces stay; keep a copy of the home, then put \(KeybagFile.fileName) back from a backup"
            )
        case .foreign:
            (
                .damaged,
                "\(file) is damaged, or the device secret or the epoch is that of another home, or the home that of another user; nothing was changed"
            )
        }
    }

    private static func name(of slot: KeybagSlot) -> String {
        "the \(slot.name)\(slot.kind.isPair ? " (public or private key)" : "")"
    }
}

extension DataProtectionError: BorderError {}

extension DataProtectionError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        // During the limiter's delay or the TPM's lockout, the passcode is not checked at all.
        case .locked, .interactionNotAllowed, .tooManyAttempts, .tpmLockedOut: .locked
        case .wrongPasscode, .invalidContext: .authenticationFailed
        case .noPasscode, .missingDeviceSecret, .restoredCopy, .unsafeHome, .notAvailable, .forked: .notAvailable
        case .passcodeExists, .invalidArgument: .parameter
        case .tpmUnreachable, .tpmTimedOut, .tpmFailed, .otherTPM, .tpmCleared, .otherMeasurements: .notAvailable
        case .rolledBack, .counterGone, .counterReplaced: .notAvailable
        case .damaged: .damaged
        case .keyDestroyed, .erased: .keyDestroyed
        case .newerFormat: .invalidKeychain
        case .noHome: .itemNotFound
        case .notLocked, .io: .inputOutput
        case .cancelled: .userCancelled
        case .noTerminal: .interactionRequired
        case .diskFull: .diskFull
        case .readOnly: .readOnly
        case .outOfMemory: .outOfMemory
        case .internalFailure: .internalComponent
        }
    }
}

extension DataProtectionError.Code {
    fileprivate init(_ code: SecretMemoryError.Code) {
        self =
            switch code {
            case .forked: .forked
            case .outOfMemory: .outOfMemory
            case .cancelled: .cancelled
            case .noTerminal: .noTerminal
            case .lineTooLong: .invalidArgument
            case .terminal, .unreadable: .io
            default: .notAvailable
            }
    }
}
