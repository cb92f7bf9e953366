// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Where a function in Apple's style stores its error; nil if the caller doesn't want it.
package typealias ErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>?

extension Optional where Wrapped == UnsafeMutablePointer<Unmanaged<CFError>?> {
    /// Stores an error, which the caller then owns.
    package func fail(_ status: OSStatus, _ message: String) {
        unsafe self?.pointee = Unmanaged.passRetained(NSError(status: status, message))
    }
}

/// Makes an error.
///
/// - Parameters:
///   - allocator: Ignored.
///   - domain: The domain of the code.
///   - code: The error number.
///   - userInfo: More information, under the keys of NSError.
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    let values = userInfo as? [String: Any]
    return NSError(domain: domain as String? ?? "", code: code, userInfo: values)
}

/// The domain of status codes.
@safe nonisolated(unsafe) public let kCFErrorDomainOSStatus: CFErrorDomain! = NSString(string: NSOSStatusErrorDomain)

/// The domain of errno.
@safe nonisolated(unsafe) public let kCFErrorDomainPOSIX: CFErrorDomain! = NSString(string: NSPOSIXErrorDomain)

/// The `userInfo` key of the error's description.
@safe nonisolated(unsafe) public let kCFErrorLocalizedDescriptionKey: CFString! = NSString(
    string: NSLocalizedDescriptionKey)

/// The error's code.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// The error's domain.
public func CFErrorGetDomain(_ error: CFError) -> CFString! { NSString(string: error.domain) }

/// The error's `userInfo`.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo as NSDictionary }

/// The error's description.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { NSString(string: error.localizedDescription) }

extension NSError {
    /// An error with a status code, in Apple's domain for them.
    package convenience init(status: OSStatus, _ message: String) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: message])
    }
}
#endif
