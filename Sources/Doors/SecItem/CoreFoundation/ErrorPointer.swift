// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation

/// Where a function of Apple's shape leaves its error; nil when the caller does not want it.
package typealias ErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>?

extension Optional where Wrapped == UnsafeMutablePointer<Unmanaged<CFError>?> {
    /// Leaves an error for the caller, who takes it over.
    package func fail(_ status: OSStatus, _ message: String) {
        unsafe self?.pointee = Unmanaged.passRetained(NSError(status: status, message))
    }
}
#endif
