// SPDX-License-Identifier: Apache-2.0

/// A guest and what it is granted. Judges each call by the grants alone, never by what the guest says of itself.
public struct Guest: Hashable, Sendable {
    /// The name that the guard gave it.
    public let name: GuestName
    /// Its grants, in the order in which they were given. Items without a group are added to the first that permits it.
    public let grants: [Grant]

    /// A guest with those of the grants that are its own.
    public init(_ name: GuestName, grants: [Grant]) {
        self.name = name
        self.grants = grants.filter { $0.guest == name }
    }

    /// The groups of all grants, in their order.
    public var groups: [String] { grants.map(\.group) }

    /// The groups in which the guest may do any of the actions, in the order of the grants.
    ///
    /// - Parameters:
    ///   - actions: One of these is enough.
    ///   - group: The group that the call names; nil: it names none.
    ///
    /// Empty: the call is refused. Groups are compared by their bytes.
    public func groups(for actions: GrantActions, named group: String? = nil) -> [String] {
        grants.filter { grant in
            !grant.actions.isDisjoint(with: actions) && (group.map { $0.utf8.elementsEqual(grant.group.utf8) } ?? true)
        }.map(\.group)
    }

    /// The groups from which the guest may move items to `target`. A move takes the item away, and shows it to readers
    /// of the target. So it needs `read`, `change` and `delete` in the one group and `add` in the other.
    public func groups(movingTo target: String) -> [String] {
        guard !groups(for: .add, named: target).isEmpty else { return [] }
        return grants.filter { $0.actions.isSuperset(of: [.read, .change, .delete]) }.map(\.group)
    }
}
