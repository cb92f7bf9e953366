// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// An LAContext that was, or is to be, authenticated.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"

/// Whether a prompt may be shown: one of the three values below.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"

/// A prompt may be shown. The default.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"

/// No prompt: an item that needs one answers errSecInteractionNotAllowed.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"

/// No prompt: items that need one are left out. SecItemCopyMatching only.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"

/// Chooses the data-protection keychain. The only one here, so it changes nothing.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"

/// Refused with errSecParam.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"

/// A file keychain of macOS: dropped, or refused in the iOS flavour.
@safe nonisolated(unsafe) public let kSecUseKeychain: CFString = "u_Keychain"

/// The older way to forbid a prompt. A Boolean.
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"

/// The older way to tell the reason of a prompt. A string.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"

/// The keychain that all users share. Known to tvOS only; refused here.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
#endif
