// SPDX-License-Identifier: Apache-2.0

package import DataProtection

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

    /// By the bytes, as identity compares.
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
        // What hardware tokens offer can be read, not changed.
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
