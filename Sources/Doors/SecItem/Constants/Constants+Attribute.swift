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

/// Whether there is no password on purpose. A number or Boolean.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"

/// The name that a person reads. Not part of the identity.
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

/// Whether the item may be synchronized; part of the identity. Without it only items that may not are found.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"

/// In a search: both kinds.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"

/// The token that holds the key. A string.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"

/// The token of the Secure Enclave.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"

/// The item's type code. A number.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"
#endif
