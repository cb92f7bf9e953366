// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Adds one item to the keychain of the current home.
///
/// May be called from any thread. While locked, classes that need an unlocked keychain answer
/// errSecInteractionNotAllowed. Result on request (`kSecReturn...`): data, a reference, attributes, or a dictionary.
///
/// - Parameters:
///   - attributes: The class, the attributes, and the secret as `kSecValueData` (data; none is legal). A string stands for its UTF-8, as in
///     macOS' file keychain, unless `kSecUseDataProtectionKeychain` is true or the home reads as iOS does: then it is errSecParam.
///   - result: What was asked for, or nil; the caller owns it. For an identity in `kSecValueRef` only a persistent reference is returned.
/// - Returns: errSecSuccess; errSecDuplicateItem when an item of the same identity exists; errSecParam and
///   errSecNoSuchAttr for entries that do not belong; errSecMissingEntitlement for a group that is not the program's;
///   errSecNotAvailable for `kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly` without a passcode; errSecDataTooLarge,
///   errSecDiskFull; errSecDecode for a damaged item of the same identity.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    unsafe CurrentEngine.value?.add(attributes, result) ?? errSecNotAvailable
}

/// Finds items: the first one, or as many as `kSecMatchLimit` says, and then as an array.
///
/// May be called from any thread. Attributes can be read from the first unlock on, secrets when their accessibility
/// allows it; otherwise the answer is errSecInteractionNotAllowed. An item with an access control asks for the person, once for each call, whatever is wanted
/// of it, even its attributes or whether it is there. If nobody may be asked, the answer is errSecInteractionNotAllowed.
///
/// - Parameters:
///   - query: The class, attributes that must be equal, and what to return (`kSecReturn...`).
///   - result: What was asked for; nil when nothing was, or when the item has no secret. The caller owns it.
/// - Returns: errSecSuccess; errSecItemNotFound when there is none, never for what is locked; errSecDecode for a
///   damaged item; errSecParam, errSecNoSuchAttr, errSecMissingEntitlement as in SecItemAdd.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    unsafe CurrentEngine.value?.copyMatching(query, result) ?? errSecNotAvailable
}

/// Changes all matching items, or none.
///
/// May be called from any thread. Any change needs what reading the secret needs: the class key, and the person if the item asks for one.
///
/// - Parameters:
///   - query: Which items; as in SecItemCopyMatching, without a limit.
///   - attributesToUpdate: New attributes and a new `kSecValueData`; any other key answers errSecNoSuchAttr.
/// - Returns: errSecSuccess; errSecItemNotFound; errSecDuplicateItem when an item would get another's identity, with
///   everything as before; the others as in SecItemAdd.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    CurrentEngine.value?.update(query, attributesToUpdate) ?? errSecNotAvailable
}

/// Deletes all matching items; a limit does not restrict it.
///
/// May be called from any thread, while locked too once the keychain was unlocked.
///
/// - Parameter query: Which items; as in SecItemCopyMatching.
/// - Returns: errSecSuccess; errSecItemNotFound; errSecParam, errSecNoSuchAttr, errSecMissingEntitlement as in SecItemAdd.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    CurrentEngine.value?.delete(query) ?? errSecNotAvailable
}

// Shared web credentials belong to a browser and an app of one owner, which exist only on Apple's systems. The
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

/// What a status code means, in English and in our own words, for a person. Programs should compare the code instead.
///
/// - Parameters:
///   - status: Any status.
///   - reserved: nil.
/// - Returns: A sentence; `OSStatus` and the number for a code that is not known.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: CurrentEngine.value?.message(of: status) ?? "OSStatus \(status)")
}
#endif
