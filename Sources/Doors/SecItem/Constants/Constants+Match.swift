// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Recorded and without effect: attributes are compared byte by byte.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"

/// Certificates and identities: contains this address, or none at all. A string.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"

/// Internet passwords: the server is this host or lies below it. A string; other classes answer errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"

/// Certificates and identities: issued below one of these names. An array of DER names.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"

/// How many items are found: a number, `kSecMatchLimitOne` or `kSecMatchLimitAll`.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"

/// All matching items; the result is an array.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"

/// The first match alone; the result is that item. The default of SecItemCopyMatching.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// Certificates and identities: fit for this policy. A SecPolicy.
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

/// Certificates and identities: only trusted ones. A Boolean.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"

/// Certificates and identities: valid on this date, or today for NSNull.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"

/// Recorded and without effect.
@safe nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
#endif
