// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// Shared web credentials belong to a browser and an app of one owner, which exist on Apple's systems only. The
// functions exist so that code compiles, and answer errSecUnimplemented (-4).

/// Stores, or with nil deletes, the password of a web site.
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?,
    _ completionHandler: @escaping (CFError?) -> Void
) { completionHandler(unimplemented()) }

/// Asks the person for one of the passwords of a web site.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?, _ completionHandler: @escaping (CFArray?, CFError?) -> Void
) { completionHandler(nil, unimplemented()) }

/// A new password for a web site.
public func SecCreateSharedWebCredentialPassword() -> CFString? { nil }

private func unimplemented() -> CFError {
    NSError(status: errSecUnimplemented, "there are no shared web credentials away from Apple's systems")
}
#endif
