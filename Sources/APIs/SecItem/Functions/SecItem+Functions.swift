// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Adds one item to the keychain of the current home.
///
/// May be called from any thread. While the keychain is locked, classes that need an unlocked one return
/// errSecInteractionNotAllowed. The result, if requested (`kSecReturn...`), is data, a reference, attributes, or
/// a dictionary.
///
/// - Parameters:
///   - attributes: The class, the attributes, and the secret as `kSecValueData` (data; none is valid). A string means
///     its UTF-8, as in macOS' file keychain. If `kSecUseDataProtectionKeychain` is true, or the home behaves like iOS,
///     a string is errSecParam.
///   - result: Set to the requested result, or nil; the caller owns it. For an identity in `kSecValueRef`, only a
///     persistent reference is returned.
/// - Returns: errSecSuccess; errSecDuplicateItem if an item of the same identity exists; errSecParam and
///   errSecNoSuchAttr for invalid entries; errSecMissingEntitlement for a group that is not the program's;
///   errSecNotAvailable for `kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly` without a passcode; errSecDataTooLarge,
///   errSecDiskFull; errSecDecode for a damaged item of the same identity.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    unsafe CurrentEngine.value?.add(attributes, result) ?? errSecNotAvailable
}

/// Finds items: the first one, or with `kSecMatchLimit` up to that many, as an array.
///
/// May be called from any thread. Attributes are readable after the first unlock, secrets when their accessibility
/// allows it; otherwise the status is errSecInteractionNotAllowed.
///
/// For an item with an access control, the user is prompted once for each call. That applies to any result, even to its
/// attributes or whether it exists. If no prompt is allowed, the status is errSecInteractionNotAllowed.
///
/// - Parameters:
///   - query: The class, attributes that must be equal, and what to return (`kSecReturn...`).
///   - result: Set to the requested result; nil if none was requested, or the item has no secret. The caller owns it.
/// - Returns: errSecSuccess; errSecItemNotFound if there is none, never for a locked item; errSecDecode for a damaged
///   item; errSecParam, errSecNoSuchAttr, errSecMissingEntitlement as in SecItemAdd.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    unsafe CurrentEngine.value?.copyMatching(query, result) ?? errSecNotAvailable
}

/// Changes all matching items, or none.
///
/// May be called from any thread. Any change needs what reading the secret needs: the class key, and the user's
/// authentication if the item requires it.
///
/// - Parameters:
///   - query: Selects the items, as in SecItemCopyMatching, without a limit.
///   - attributesToUpdate: New attributes and a new `kSecValueData`; any other key is errSecNoSuchAttr.
/// - Returns: errSecSuccess; errSecItemNotFound; errSecDuplicateItem if an item would get another's identity, with
///   everything unchanged; the others as in SecItemAdd.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    CurrentEngine.value?.update(query, attributesToUpdate) ?? errSecNotAvailable
}

/// Deletes all matching items; a limit does not restrict it.
///
/// May be called from any thread. After the first unlock it also works while the keychain is locked.
///
/// - Parameter query: Selects the items, as in SecItemCopyMatching.
/// - Returns: errSecSuccess; errSecItemNotFound; errSecParam, errSecNoSuchAttr, errSecMissingEntitlement as
///   in SecItemAdd.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    CurrentEngine.value?.delete(query) ?? errSecNotAvailable
}

// Shared web credentials belong to a browser and an app of one owner, which exist only on Apple's systems. The
// functions exist so that code compiles, and return errSecUnimplemented (-4).

/// Stores the password of a web site, or deletes it if nil. Not available here: errSecUnimplemented.
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?,
    _ completionHandler: @escaping (CFError?) -> Void
) { completionHandler(unimplemented()) }

/// Asks the user for one of the passwords of a web site. Not available here: errSecUnimplemented.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?, _ completionHandler: @escaping (CFArray?, CFError?) -> Void
) { completionHandler(nil, unimplemented()) }

/// A new password for a web site. Not available here: nil.
public func SecCreateSharedWebCredentialPassword() -> CFString? { nil }

private func unimplemented() -> CFError {
    NSError(status: errSecUnimplemented, "there are no shared web credentials away from Apple's systems")
}

/// The meaning of a status code for the user, in English and in our own words. Programs should compare the
/// code instead.
///
/// - Parameters:
///   - status: Any status.
///   - reserved: nil.
/// - Returns: A sentence; `OSStatus` and the number for an unknown code.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: CurrentEngine.value?.message(of: status) ?? "OSStatus \(status)")
}
#endif
