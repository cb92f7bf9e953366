// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Readers
import Sealing
package import Statuses

extension PreferencesError: BorderError {
    /// The `PreferencesError` for any error; `key` is the key in use.
    package init(
        _ error: any Error, about key: String? = nil, file: String = #fileID, line: Int = #line
    ) {
        if let error = error as? PreferencesError {
            self = error
        } else {
            let (code, message) = Self.meaning(of: error)
            self.init(code, message, key: key, cause: error, file: file, line: line)
        }
    }

    private static func meaning(of error: any Error) -> (Code, String) {
        switch error {
        case let error as DataProtectionError:
            return (code(of: error), error.message)
        case let error as ReadingError:
            let code: Code = error.code == .tooLarge ? .tooLarge : .unknownFormat
            return (code, "the file can't be imported: \(text(of: error))")
        case let error as any StatusError: return (.home, error.message)
        case let error as Files.FileError: return meaning(of: DataProtectionError(error, about: nil))
        case is CancellationError: return (.cancelled, "cancelled; nothing was changed")
        case is SealingError: return (.damaged, "a sealed preference is damaged; run: zamok doctor")
        default: return (.internalFailure, "\(error)")
        }
    }

    private static func code(of error: DataProtectionError) -> Code {
        switch error.code {
        case .locked: .notReady
        case .keyDestroyed, .erased: .keyDestroyed
        case .damaged: .damaged
        case .missingDeviceSecret: .wrongKey
        case .restoredCopy: .restoredCopy
        case .newerFormat: .newerFormat
        case .unsafeHome: .unsafeHome
        case .diskFull: .diskFull
        case .readOnly: .readOnly
        case .io: .io
        case .forked: .forked
        case .cancelled: .cancelled
        case .notAvailable: .notAvailable
        default: .home
        }
    }

    static let otherEncoding =
        "it is text in another encoding than UTF-8; write it anew, for example with: plutil -convert binary1 FILE, or iconv -t UTF-8"

    /// The message for a file of which nothing was imported.
    private static func text(of error: ReadingError) -> String {
        switch error.code {
        case .unknownForm: "it is neither a property list nor a keyed archive"
        case .otherEncoding: otherEncoding
        case .malformed: "it is damaged or cut short"
        case .tooLarge: "it has more than 64 levels, a million values or 64 MiB"
        case .cyclic: "it refers to itself"
        case .noDate: "one of its dates is invalid, or lies outside the years 1 to 9999"
        case .noDictionary: "its outermost value is not a dictionary with names as keys"
        }
    }
}

extension PreferencesError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .notReady: .locked
        case .corrupt, .damaged, .wrongKey: .damaged
        case .keyDestroyed: .keyDestroyed
        case .wrongType, .invalidArgument: .parameter
        case .tooLarge: .dataTooLarge
        case .restoredCopy, .unsafeHome, .notAvailable, .forked: .notAvailable
        case .newerFormat: .invalidKeychain
        case .diskFull: .diskFull
        case .readOnly: .readOnly
        case .io: .inputOutput
        case .cancelled: .userCancelled
        case .fileExists: .duplicateItem
        case .unknownFormat: .unknownFormat
        case .home: nil
        case .internalFailure: .internalComponent
        }
    }
}
