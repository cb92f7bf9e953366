// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import KeychainEngine
import LocalAuthentication
import LocalAuthenticationEngine
import SecItem

/// A dictionary that was read: what add, copy, update and delete go by.
struct Query {
    /// How many items are wanted.
    enum Limit: Equatable {
        case all
        case atMost(Int)
    }

    var itemClass: ItemClass
    var attributes: Attributes = [:]
    /// nil: not said. `kSecAttrSynchronizableAny` is `.any`.
    var synchronizable: ItemQuery.Synchronizable?
    var accessControl: SecAccessControl?
    var persistentReference: PersistentReference?
    var secret: NSData?
    /// Whether a text counts as a secret.
    var takesText = false
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
    /// Whether a person may be asked.
    var mayAsk = true
    /// Items that would ask are left out.
    var skipsGuarded = false
    /// Why a person is asked.
    var reason: String?
    var context: LAContext?

    /// How a person is asked.
    var prompt: PersonPrompt {
        var prompt = PersonPrompt(context?.authentication, reason: reason)
        // An app's own kind of context may say so by itself.
        prompt.isAllowed = mayAsk && context?.interactionNotAllowed != true
        return prompt
    }

    /// Attributes in the sense of the rule that a persistent reference stands alone.
    var namesAttributes: Bool {
        if case .exactly = synchronizable { return true }
        return !attributes.isEmpty || includesTombstones
    }
}
#endif
