// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import Synchronization

/// The engine of this program. It enters itself before `main` (CSecItemStart), so nothing here has to know it.
package enum CurrentEngine {
    private static let entered = Mutex<(any Engine)?>(nil)

    package static func enter(_ engine: any Engine) { entered.withLock { $0 = engine } }

    /// nil in a program that was linked with this module alone, without the others of its product; that is said once, aloud.
    static var value: (any Engine)? {
        if let engine = entered.withLock({ $0 }) { return engine }
        sayMissing
        return nil
    }

    /// The same, with an error for the caller.
    static func value(_ error: ErrorPointer) -> (any Engine)? {
        if let engine = value { return engine }
        unsafe error.fail(errSecNotAvailable, missing)
        return nil
    }

    private static let missing = """
        SecItem: the module SecItemEngine is not linked into this program, so there is no keychain; \
        link the whole product Security (or SecItem) of zamok
        """
    private static let sayMissing: Void = FileHandle.standardError.write(Data((missing + "\n").utf8))
}
#endif
