// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// An access list of macOS's file keychain: dropped, or refused in the iOS flavour.
@safe nonisolated(unsafe) public let kSecAttrAccess: CFString = "acls"

/// Protection and constraints in one object. A SecAccessControl.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"

/// The group of programs that share the item. A string; default: the program's first group.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"

/// The group of items on tokens.
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"

/// The account, part of a password's identity.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"

/// A comment.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"

/// When the item was added. Set by the keychain.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"

/// The creator's code. A number.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"

/// What kind of item it is, in words.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"

/// Generic passwords: bytes that the app gives a meaning to.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"

/// Whether the item should be hidden from lists. A number or Boolean.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"

/// Whether the item has no password on purpose. A number or Boolean.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"

/// The name that the user sees. Not part of the identity.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"

/// When the item was last changed. Set by the keychain.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"

/// Internet passwords: the path; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path"

/// The older spelling of `kSecAttrPersistentReference`.
@safe nonisolated(unsafe) public let kSecAttrPersistantReference: CFString = "persistref"

/// The internal name of the persistent reference.
@safe nonisolated(unsafe) public let kSecAttrPersistentReference: CFString = "persistref"

/// Internet passwords: the port; a number; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port"

/// Internet passwords: the security domain; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"

/// Internet passwords: the server; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"

/// Generic passwords: the service; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce"

/// Which view the item would synchronize in. A string.
@safe nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = "vwht"

/// Whether the item may be synchronized; part of the identity. Without this key only items that may not be are found.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"

/// In a search: both kinds.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"

/// The token that holds the key. A string.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"

/// The token of the Secure Enclave.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"

/// The item's type code. A number.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"

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

/// The older way to give the reason of a prompt. A string.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"

/// The keychain that all users share. Known to tvOS only; refused here.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"

/// The key of an internet password's authentication scheme.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"

/// Distributed password authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"

/// The server's default scheme.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDefault: CFString = "dflt"

/// A form in a web page.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"

/// HTTP basic authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"

/// HTTP digest authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"

/// Microsoft Network authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeMSN: CFString = "msna"

/// NTLM.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"

/// Remote passphrase authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
#endif
