// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The key of an item's accessibility: when its secret can be read.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"

/// Readable while unlocked. The default of all classes but certificates.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"

/// Readable from the first unlock on, while locked again too.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"

/// Always readable. The default of certificates.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"

/// Readable while unlocked; part of no export.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

/// Readable from the first unlock on; part of no export.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"

/// Always readable; part of no export.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"

/// Readable while unlocked; exists only while a passcode is set, and is part of no export.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
#endif
