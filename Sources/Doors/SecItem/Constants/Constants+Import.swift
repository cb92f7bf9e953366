// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The password in a shared web credential.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"

/// The passphrase of a PKCS#12 file. A string.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"

/// The label of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"

/// The key identifier of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"

/// The trust object of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"

/// The certificates of an imported identity.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"

/// The imported identity.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"
#endif
