// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing

extension PreferencesError {
    /// The error as a user of preferences meets it.
    init(translating error: any Error, key: String? = nil) {
        switch error {
        case let error as PreferencesError: self = error
        case let error as DataProtectionError:
            let (code, message) = Self.meaning(of: error)
            self.init(code, message ?? error.message, key: key, cause: error)
        case let error as ImportError:
            self.init(.invalidArgument, "the file can't be imported: \(error.text)", cause: error)
        case is CancellationError: self.init(.cancelled, "cancelled; nothing was changed")
        default: self.init(.damaged, "preferences.db is damaged; run: zamok doctor", key: key, cause: error)
        }
    }

    private static func meaning(of error: DataProtectionError) -> (Code, String?) {
        switch error.code {
        case .locked:
            (.notReady, "preferences can't be read before the first unlock; unlock first, for example: zamok unlock")
        case .keyDestroyed, .erased: (.keyDestroyed, nil)
        case .damaged: (.damaged, nil)
        case .missingDeviceSecret: (.wrongKey, nil)
        case .restoredCopy: (.restoredCopy, nil)
        case .newerFormat: (.newerFormat, nil)
        case .unsafeHome: (.unsafeHome, nil)
        case .diskFull: (.diskFull, nil)
        case .readOnly: (.readOnly, nil)
        case .io: (.io, nil)
        case .forked: (.forked, nil)
        case .cancelled: (.cancelled, nil)
        default: (.notAvailable, nil)
        }
    }
}
