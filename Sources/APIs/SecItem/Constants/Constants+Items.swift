// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The key of an item's class. Needed by every call, unless a persistent reference gives it.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"

/// A password of a service.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"

/// A password of a server.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"

/// An X.509 certificate.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"

/// A cryptographic key.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"

/// A certificate together with its private key.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"

/// The secret, as data.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"

/// The persistent reference, as data of 20 bytes; the older form has 12.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"

/// The object: SecKey, SecCertificate or SecIdentity.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"

/// Asks for the attributes, as a dictionary. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"

/// Asks for the secret, as data. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"

/// Asks for the persistent reference, as data. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

/// Asks for the object: SecKey, SecCertificate or SecIdentity. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"

/// Recorded and without effect: attributes are compared byte by byte.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"

/// Certificates and identities: those with this mail address, or with none at all. A string.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"

/// Internet passwords: the server is this host or lies below it. A string; other classes answer errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"

/// Certificates and identities: those issued below one of these names. An array of DER names.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"

/// How many items are found: a number, `kSecMatchLimitOne` or `kSecMatchLimitAll`.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"

/// All matching items; the result is an array.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"

/// The first match alone; the result is that item. The default of SecItemCopyMatching.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// Certificates and identities that meet a policy: answers errSecUnimplemented. A SecPolicy.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"

/// Certificates and identities: only trusted ones; true answers errSecUnimplemented. A Boolean.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"

/// Certificates and identities: those valid on this date, or today for NSNull.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"

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
