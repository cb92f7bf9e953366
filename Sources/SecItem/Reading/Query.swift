// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainStore

/// A dictionary that was read: what add, copy, update and delete go by.
struct Query {
    /// How many items are wanted.
    enum Limit: Equatable {
        case all
        case atMost(Int)
    }

    /// Whether asking a person is allowed.
    enum Prompting: Equatable {
        case allow
        case fail
        case skip
    }

    var itemClass: ItemClass
    var attributes: Attributes = [:]
    /// nil: not said. `kSecAttrSynchronizableAny` is `.any`.
    var synchronizable: ItemQuery.Synchronizable?
    var accessControl: SecAccessControl?
    var persistentReference: PersistentReference?
    var secret: NSData?
    var requested: ResultRequest = []
    var limit: Limit?
    /// How many match keys there are, the limit included.
    var matchCount = 0
    var hostOrSubdomain: String?
    /// Conditions that only certificates and identities meet.
    var certificateMatch = CertificateMatch()
    /// The object that the item was given as.
    var object: ItemObject?
    var includesTombstones = false
    var prompting = Prompting.allow

    /// Attributes in the sense of the rule that a persistent reference stands alone.
    var namesAttributes: Bool {
        if case .exactly = synchronizable { return true }
        return !attributes.isEmpty || includesTombstones
    }
}
#endif
