// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import SecretMemory

/// Selects items. All conditions must hold.
package struct ItemQuery: Sendable {
    package enum Synchronizable: Sendable, Equatable {
        case any
        case exactly(Bool)
    }

    package var itemClass: ItemClass
    /// Attributes that must be equal; `agrp` among them restricts the groups. The values are coerced
    /// already (`AttributeTable`).
    package var attributes: Attributes = [:]
    /// Ignored with a persistent reference, which finds its item regardless of the flag.
    package var synchronizable: Synchronizable = .exactly(false)
    package var persistentReference: PersistentReference?
    /// Nil: no limit. 0 finds nothing. Ignored in update and delete.
    package var limit: Int? = 1
    /// For internet passwords: the server is this text, or ends with "." and this text.
    package var hostOrSubdomain: String?
    package var includesTombstones = false
    /// Before the first unlock, accepts an incomplete result if something matches: an always readable item is returned,
    /// even if others may match too.
    package var takesReadable = false
    /// Leaves out items whose secret is wanted and requires an answer that the user has not given yet.
    package var skipsGuarded = false
    /// Items that require the user prompt not only before their secret is read, but also before their attributes are
    /// read or they are found.
    package var guardsAttributes = false
    /// For a guard: the guest's call forbids a prompt. A store doesn't read it, because it gets a `PersonPrompt`.
    package var promptsNoPerson = false
    /// The API that the query came through, for the access log.
    package var source = AccessSource.keychains
    /// How the user is prompted when a key in a TPM is used. If it is set, such keys are found without their secret,
    /// and the user is not prompted before they are used.
    package var tpmPrompt: (@Sendable () -> PersonPrompt)?

    package init(_ itemClass: ItemClass) { self.itemClass = itemClass }
}

/// The changes of an update.
package struct ItemChanges: Sendable {
    package var attributes: Attributes = [:]
    package var secret: Secret?
    /// Computes the new secret from the old one, inside the transaction, so that no other writer changes it in between.
    /// May be called again if the user must be prompted.
    package var newSecret: (@Sendable (Secret) throws -> Secret)?
    /// In items of this access group, a replaced secret is kept as a former one. Items with former secrets keep them
    /// regardless of which program changes them.
    package var keepsPastOfGroup: String?
    package init() {}
}

/// The access groups that a call may see (`ApplicationIdentity`).
struct GroupFilter: Sendable {
    /// Nil for every group.
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
    /// Checks that the program may access this group; for nil, that it may access any. Errors: `.missingEntitlement`.
    package func checkGroup(_ asked: String?) throws(KeychainError) { _ = try GroupFilter(self, asked: asked) }

    /// The group of a new item: the named one, which the program must be entitled to, or the program's first group.
    /// Errors: `.missingEntitlement`.
    package func groupForWriting(_ asked: String?) throws(KeychainError) -> String {
        guard let asked else {
            guard let first = accessGroups.first(where: { $0 != "*" }) else { throw .notEntitled }
            return first
        }
        _ = try GroupFilter(self, asked: asked)
        // Items of hardware tokens are read-only.
        guard asked != Self.tokenGroup else { throw .notEntitled }
        try checkGrants(asked)
        return asked
    }

    private static var tokenGroup: String { "com.apple.token" }

    /// The access group of guards' grants. Items of it can be found and deleted like others, but are written by the
    /// program of this identifier alone, which is `GrantStore`: no import and no update may make a grant.
    package static let grantsGroup = "zamok.guard"

    /// Checks that the program may write to an item of this group, as far as grants go. Errors: `.missingEntitlement`.
    func checkGrants(_ group: String?) throws(KeychainError) {
        guard let group, group.utf8.elementsEqual(Self.grantsGroup.utf8), applicationIdentifier != Self.grantsGroup
        else { return }
        throw KeychainError(
            .missingEntitlement, "the access group \(group) is that of guards' grants; see zamok guard allow")
    }
}

extension KeychainError {
    static var notEntitled: KeychainError {
        KeychainError(
            .missingEntitlement,
            "this program has no entitlement to the access group; add the group to keychain-access-groups"
        )
    }
}
