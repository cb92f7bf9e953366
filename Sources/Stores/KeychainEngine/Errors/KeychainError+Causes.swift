// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory
import Statuses

extension KeychainError: BorderError {
    /// The one place where an error from below becomes a keychain error. It never maps *locked* or *damaged* to
    /// another error.
    package init(
        _ error: any Error, about subject: String? = nil, file: String = #fileID, line: Int = #line
    ) {
        if let error = error as? KeychainError {
            self = error
        } else {
            let (code, message) = Self.meaning(of: error)
            self.init(code, message, cause: error, file: file, line: line)
        }
    }

    private static func meaning(of error: any Error) -> (Code, String) {
        switch error {
        case let error as any StatusError: (Code(rawValue: error.asStatus.rawValue), error.message)
        case SealingError.cannotSeal, SealingError.zeroKey: (.internalComponent, "the item could not be sealed")
        case is SealingError: (.damaged, "the item is damaged: it does not open, or its bytes break off")
        case is ConstraintViolation: (.duplicateItem, "an item with the same primary attributes exists already")
        case is MisfiledRow:
            (
                .damaged,
                "an item is filed under index entries that are not its own; run: zamok doctor --rebuild-index"
            )
        case is CancellationError: (.userCancelled, "cancelled")
        default: (.internalComponent, "an internal failure")
        }
    }
}
