// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import GuardChannels
import KeychainEngine
import Logging
import SecItem

/// Runs one of the item functions on the program's items and turns what it throws into a status.
enum Answer {
    /// `result`: where the function stores what it returns; nil: it returns nothing, or the caller doesn't ask.
    static func status(
        _ function: StaticString, _ result: ResultPointer,
        of body: (CurrentItems) throws(KeychainError) -> CFTypeRef?
    ) -> OSStatus {
        let items: CurrentItems
        do { items = try CurrentItems.current } catch {
            unsafe result?.pointee = nil
            guard [.invalidArgument, .io, .notAvailable].contains(error.code) else {
                return told(KeychainError(error), function)
            }
            // Nothing is wrong with what the caller asks for.
            logger.error("\(function): errSecNotAvailable, since there is no place for a home: \(error.message)")
            return errSecNotAvailable
        }
        do {
            let value = try body(items)
            unsafe result?.pointee = value
            return errSecSuccess
        } catch {
            // iOS leaves the caller's variable alone.
            if items.flavour == .macOS { unsafe result?.pointee = nil }
            return told(error, function)
        }
    }

    private static func told(_ error: KeychainError, _ function: StaticString) -> OSStatus {
        logger.debug("\(function): \(error)")
        return error.code.rawValue
    }

    /// The log of SecItem. The error behind a status is logged here at level debug, without secret, account or service.
    static let logger = Logger(label: "zamok.secitem")
}
#endif
