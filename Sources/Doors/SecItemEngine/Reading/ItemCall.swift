// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import SecItem

/// Which of the four functions reads a dictionary; each reads it a little differently.
enum ItemCall: Equatable {
    case add
    case copyMatching
    case update
    case delete
}

extension Entries {
    /// What macOS takes out of a dictionary before its data-protection keychain reads it.
    mutating func prune(for call: ItemCall) {
        for key in Self.alwaysPruned { remove(key) }
        if call != .copyMatching { for key in Self.prunedMatches { remove(key) } }
        if call == .update || call == .delete { for key in Self.prunedReturns { remove(key) } }
        if call != .add { remove(Key.valueData) }
        if values[Key.persistentReference] != nil { remove(Key.synchronizable) }
    }

    private static let alwaysPruned = ["mdat", "nleg", "u_Keychain", "m_SearchList", "acls"]

    private static let prunedReturns = ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"]

    /// A fixed list: other match keys stay, and are refused outside a search.
    private static let prunedMatches = [
        "m_Policy", "m_ItemList", "m_SearchList", "m_Issuers", "m_EmailAddressIfPresent", "m_SubjectContains",
        "m_CaseInsensitive", "m_TrustedOnly", "m_ValidOnDate", "m_Limit", "m_LimitOne", "m_LimitAll",
    ]
}

/// The keys that the reader itself asks for.
enum Key {
    static let itemClass = "class"
    static let valueData = "v_Data"
    static let persistentReference = "v_PersistentRef"
    static let reference = "v_Ref"
    static let synchronizable = "sync"
    static let synchronizableAny = "syna"
    static let accessControl = "accc"
    static let accessible = "pdmn"
    static let accessGroup = "agrp"
    static let dataProtectionFlag = "nleg"
    static let user = "musr"
    static let tombstone = "tomb"
    static let digest = "sha1"
    static let sharingGroup = "ggrp"
    static let issuer = "issr"
    static let tokenID = "tkid"
    static let permanent = "perm"
    static let keyClass = "kcls"
    static let keyType = "type"
    static let keySize = "bsiz"
    static let privateAttributes = "private"
    static let publicAttributes = "public"
    static let certificateData = "certdata"
}
#endif
