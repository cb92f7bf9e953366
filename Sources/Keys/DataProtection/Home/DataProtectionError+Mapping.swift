// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

extension DataProtectionError {
    static func noHome(_ path: String) -> DataProtectionError {
        DataProtectionError(
            .noHome, "there is no home at \(path) yet; the first command that stores something makes it")
    }

    /// What a person reads of any error that comes up from below; `place` says where.
    static func wrapping(_ error: any Error, _ place: String) -> DataProtectionError {
        switch error {
        case let error as DataProtectionError: error
        case let error as FileError: DataProtectionError(error, place)
        case let error as KeybagFault: DataProtectionError(error, place)
        case let error as SealingError:
            DataProtectionError(.damaged, "a key in \(place) does not open; run: zamok doctor", cause: error)
        case let error as SecretMemoryError:
            DataProtectionError(error.code == .forked ? .forked : .notAvailable, error.message, cause: error)
        case let error as KeyringError:
            DataProtectionError(.io, "the kernel keyring failed: \(error.text)", cause: error)
        default:
            DataProtectionError(.io, "\(error)", cause: error)
        }
    }

    private init(_ error: FileError, _ place: String) {
        let code: Code =
            error.isFull ? .diskFull : error.isReadOnly ? .readOnly : error.isLink ? .unsafeHome : .io
        let what = error.name.hasPrefix("/") ? error.name : "\(place)/\(error.name)"
        let hint = error.isFull ? "; nothing was changed" : ""
        self.init(code, "\(what): \(error.operation.rawValue): \(error.text)\(hint)", cause: error)
    }

    private init(_ fault: KeybagFault, _ place: String) {
        let file = "\(place)/\(KeybagFile.fileName)"
        let restore = "nothing was changed; put the file back from a backup of this home"
        switch fault {
        case .malformed:
            self.init(.damaged, "\(file) is not a whole keybag; \(restore)", cause: fault)
        case .newer:
            self.init(
                .newerFormat, "\(file) was written by a newer version of Zamok; nothing was changed", cause: fault)
        case .parametersRefused:
            self.init(
                .damaged, "the scrypt parameters in \(file) are outside what is accepted; \(restore)", cause: fault)
        case .headerChanged:
            self.init(
                .damaged,
                "the header of \(file) was changed (scrypt parameters, generation or identifiers); \(restore)",
                cause: fault
            )
        case .slotChanged(let slot):
            let part = slot.kind.isPair ? " (public or private key)" : ""
            self.init(.damaged, "the \(slot.name)\(part) in \(file) was changed; \(restore)", cause: fault)
        case .slotsChanged:
            self.init(.damaged, "several keys in \(file) were changed; \(restore)", cause: fault)
        case .slotsExchanged:
            self.init(.damaged, "the keys in \(file) were exchanged, added to or removed; \(restore)", cause: fault)
        case .forged(let slot):
            let what =
                slot.map { "the \($0.name)\($0.kind.isPair ? " (public or private key)" : "")" }
                ?? "the limits, or which keys there are,"
            self.init(
                .damaged,
                "somebody who can read the device secret exchanged \(what) in \(file): what was stored since may be readable to them, and limits may not have held; "
                    + "nothing was changed, so that the traces stay; keep a copy of the home, then put \(KeybagFile.fileName) back from a backup",
                cause: fault
            )
        case .foreign:
            self.init(
                .damaged,
                "\(file) is damaged, or the device secret or the epoch is that of another home, or the home that of another user; nothing was changed",
                cause: fault
            )
        }
    }
}
