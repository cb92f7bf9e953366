// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import KeychainEngine
import SecItem

/// Which of the four functions reads a dictionary; each reads it a little differently.
enum ItemCall: Equatable {
    case add
    case copyMatching
    case update
    case delete
}

extension Entries {
    /// Removes what macOS removes from a dictionary before its data-protection keychain reads it.
    mutating func prune(for call: ItemCall) {
        for key in Self.alwaysPruned { remove(key) }
        if call != .copyMatching { for key in Self.prunedMatches { remove(key) } }
        if call == .update || call == .delete { for key in Self.prunedReturns { remove(key) } }
        if call != .add { remove(Key.valueData) }
        if values[Key.persistentReference] != nil { remove(Key.synchronizable) }
    }

    private static let alwaysPruned = [
        AttributeName.modificationDate.text, "nleg", "u_Keychain", "m_SearchList", "acls",
    ]

    private static let prunedReturns = ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"]

    /// A fixed list: other match keys stay, and are refused outside a search.
    private static let prunedMatches = [
        "m_Policy", "m_ItemList", "m_SearchList", "m_Issuers", "m_EmailAddressIfPresent", "m_SubjectContains",
        "m_CaseInsensitive", "m_TrustedOnly", "m_ValidOnDate", "m_Limit", "m_LimitOne", "m_LimitAll",
    ]
}

/// The keys that the reader itself uses.
enum Key {
    static let itemClass = "class"
    static let valueData = "v_Data"
    static let persistentReference = "v_PersistentRef"
    static let reference = "v_Ref"
    static let synchronizable = AttributeName.synchronizable.text
    static let synchronizableAny = "syna"
    static let accessControl = AttributeName.accessControl.text
    static let accessible = AttributeName.accessible.text
    static let accessGroup = AttributeName.accessGroup.text
    static let dataProtectionFlag = "nleg"
    static let user = AttributeName.user.text
    static let tombstone = AttributeName.tombstone.text
    static let digest = AttributeName.digest.text
    static let sharingGroup = AttributeName.sharingGroup.text
    static let issuer = AttributeName.issuer.text
    static let tokenID = AttributeName.tokenID.text
    static let permanent = "perm"
    static let keyClass = AttributeName.keyClass.text
    static let keyType = AttributeName.type.text
    static let keySize = AttributeName.keySize.text
    static let privateAttributes = "private"
    static let publicAttributes = "public"
    static let certificateData = "certdata"
}

extension ItemCall {
    /// For tests: the status of reading a dictionary, as a query or item and, for update, as changes. No keychain is
    /// used.
    func statusOfReading(_ dictionary: NSDictionary, isMac: Bool) -> OSStatus {
        do {
            var entries = try Entries(dictionary)
            if isMac { entries.prune(for: self) }
            let query = try QueryReader.read(entries, for: self)
            if self == .update { _ = try ChangesReader.read(entries, of: query.itemClass) }
            return errSecSuccess
        } catch {
            return error.code.rawValue
        }
    }
}
#endif
