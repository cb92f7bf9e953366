// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Keychains
import UserPreferences

extension CommandFailure {
    /// Users and preferences use the numbers of the keychain.
    static func ofUsers(_ error: any Error) -> CommandFailure? {
        switch error {
        case let error as PreferencesError: of(error)
        case let error as AppUsersError: of(error)
        default: nil
        }
    }

    private static func of(_ error: PreferencesError) -> CommandFailure {
        let message = error.message.printable + (error.key.map { " (\($0.printable))" } ?? "")
        switch error.code {
        case .invalidArgument, .wrongType: return usage(message)
        case .notReady: return status(-25_308, message)
        case .corrupt, .damaged, .wrongKey: return status(-26_275, message)
        case .keyDestroyed: return status(-25_316, message)
        case .tooLarge: return status(-25_302, message)
        case .diskFull: return status(-34, message)
        case .fileExists: return status(-25_299, message)
        case .cancelled: return status(-128, message)
        default: return below(error.cause, message) ?? status(-36, message)
        }
    }

    private static func of(_ error: AppUsersError) -> CommandFailure {
        let message = error.message.printable
        switch error.code {
        case .noSuchUser: return status(-25_300, message)
        case .nameTaken: return status(-25_299, message)
        case .invalidArgument: return usage(message)
        case .damaged: return status(-26_275, message)
        case .newerFormat: return status(-25_295, message)
        case .cancelled: return status(-128, message)
        default: return below(error.cause, message) ?? status(-25_291, message)
        }
    }

    /// By the error underneath; nil if there is none that says more.
    private static func below(_ cause: (any Error)?, _ message: String) -> CommandFailure? {
        guard let cause, let known = CommandFailure(cause) else { return nil }
        return CommandFailure(exitStatus: known.exitStatus, message: message)
    }
}
