// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import SecretMemory

/// Which items are meant. All conditions must hold.
package struct ItemQuery: Sendable {
    package enum Synchronizable: Sendable, Equatable {
        case any
        case exactly(Bool)
    }

    package var itemClass: ItemClass
    /// Attributes that must be equal; `agrp` among them narrows the groups. Values are coerced already (AttributeTable).
    package var attributes: Attributes = [:]
    /// Ignored with a persistent reference, which finds its item whatever the flag.
    package var synchronizable: Synchronizable = .exactly(false)
    package var persistentReference: PersistentReference?
    /// nil: no limit. 0 finds nothing. Ignored in update and delete.
    package var limit: Int? = 1
    /// Internet passwords: server equal, or ending with "." and this.
    package var hostOrSubdomain: String?
    package var includesTombstones = false
    /// Before the first unlock what can be read then is enough, where something matches: an item that is always readable is given, whatever else there is.
    package var takesReadable = false
    /// Leaves out items whose secret is wanted and asks for a person who has not answered yet.
    package var skipsGuarded = false
    /// Items that ask for a person ask not only before their secret is read, but also before their attributes are, and before they are found at all.
    package var guardsAttributes = false
    /// By which door it came, for the access log.
    package var door = AccessDoor.keychains
    /// How a person is asked when a key in a chip is used. If it is set, such keys are found without their secret, and nobody is asked before they are used.
    package var chipPrompt: (@Sendable () -> PersonPrompt)?

    package init(_ itemClass: ItemClass) { self.itemClass = itemClass }
}

/// An item to add. Defaults (dates, group, accessibility, empty primary keys) are filled in by the store.
package struct NewItem: Sendable {
    package var itemClass: ItemClass
    package var attributes: Attributes = [:]
    /// nil: an item without secret, which is legal.
    package var secret: Secret?
    /// Import keeps `cdat` and `mdat`; otherwise both are now.
    package var keepsDates = false

    package init(_ itemClass: ItemClass) { self.itemClass = itemClass }
}

/// What update changes.
package struct ItemChanges: Sendable {
    package var attributes: Attributes = [:]
    package var secret: Secret?
    /// Makes the new secret of the old one, within the transaction: nobody changes it between. May be called again where somebody has to be asked.
    package var newSecret: (@Sendable (Secret) throws -> Secret)?
    /// In items of this access group a secret that is replaced is kept as a former one. Items that have former ones go on keeping them, whoever
    /// changes them.
    package var keepsPastOfGroup: String?
    package init() {}
}

/// What was found or added.
package struct FoundItem: Sendable {
    package let itemClass: ItemClass
    /// As stored, defaults included, in Apple's names.
    package let attributes: Attributes
    package let persistentReference: PersistentReference
    /// nil when the item has none, or when it was not asked for.
    package let secret: Secret?
    /// Whether the item has a secret, asked for or not.
    package let hasSecret: Bool
    /// The certificate of an identity, when secrets were asked for; `secret` is then the private key.
    package var certificate: Secret?
    /// A key in a chip, where the query leaves such keys closed.
    package var chipKey: ChipKey?
    /// Of the home that the item is from: by it the chip of a key is found.
    package var chips = ChipEnvironment.process
}

/// Which access groups a call may see (ApplicationIdentity).
struct GroupFilter: Sendable {
    /// Nil: every group.
    private let allowed: [String]?

    /// `asked`: the group that a query names. Errors: `.missingEntitlement`.
    init(_ identity: ApplicationIdentity, asked: String?) throws(KeychainError) {
        guard identity.seesAllGroups || !identity.accessGroups.isEmpty else { throw .notEntitled }
        let seesAll = identity.seesAllGroups || identity.accessGroups.contains("*")
        if let asked {
            guard seesAll || identity.accessGroups.contains(where: { $0.utf8.elementsEqual(asked.utf8) }) else {
                throw .notEntitled
            }
            allowed = [asked]
        } else {
            allowed = seesAll ? nil : identity.accessGroups
        }
    }

    /// Compares by bytes, as identity does.
    func accepts(_ group: String) -> Bool { allowed?.contains { $0.utf8.elementsEqual(group.utf8) } ?? true }
}

extension ApplicationIdentity {
    /// Whether the program may look at this group; nil: whether it has any. Errors: `.missingEntitlement`.
    package func checkGroup(_ asked: String?) throws(KeychainError) { _ = try GroupFilter(self, asked: asked) }

    /// The group of a new item; the named one if the program may write to it. Errors: `.missingEntitlement`.
    package func groupForWriting(_ asked: String?) throws(KeychainError) -> String {
        guard let asked else {
            guard let first = accessGroups.first(where: { $0 != "*" }) else { throw .notEntitled }
            return first
        }
        _ = try GroupFilter(self, asked: asked)
        // Items of hardware tokens can be read, not changed.
        guard asked != Self.tokenGroup else { throw .notEntitled }
        return asked
    }

    private static var tokenGroup: String { "com.apple.token" }
}

extension KeychainError {
    static var notEntitled: KeychainError {
        KeychainError(
            .missingEntitlement,
            "this program has no entitlement to the access group; add the group to keychain-access-groups"
        )
    }
}
