// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine

/// The name of a guest, which the guard gives it: 1 to 64 letters, digits, `.`, `_` and `-` of ASCII, the first a
/// letter or digit.
public struct GuestName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Nil for any other text.
    public init?(_ text: String) {
        let isAllowed = { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        let others = Array("._-".utf8)
        guard (1...64).contains(text.utf8.count), text.utf8.first.map(isAllowed) == true,
            text.utf8.allSatisfy({ isAllowed($0) || others.contains($0) })
        else { return nil }
        self.text = text
    }

    /// The name.
    public var description: String { text }
}

/// What a guest may do with the items of an access group.
public struct GrantActions: OptionSet, Hashable, Sendable {
    /// The bits, as they are stored.
    public let rawValue: UInt16

    /// A set of these bits. Unknown ones permit nothing.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Read secrets and attributes.
    public static let read = Self(rawValue: 1 << 1)
    /// Add items.
    public static let add = Self(rawValue: 1 << 2)
    /// Change items, and see their attributes.
    public static let change = Self(rawValue: 1 << 3)
    /// Delete items, and see their attributes.
    public static let delete = Self(rawValue: 1 << 4)

    /// Everything.
    public static let all: Self = [.read, .add, .change, .delete]

    /// The actions as words of the command, in a fixed order.
    public var words: [String] { Self.named.filter { contains($0.action) }.map(\.word) }

    private static let named: [(action: Self, word: String)] = [
        (.read, "read"), (.add, "add"), (.change, "change"), (.delete, "delete"),
    ]
}

/// A permission that a person gave: what one guest may do with the items of one access group.
public struct Grant: Hashable, Sendable {
    /// The guest.
    public let guest: GuestName
    /// The access group: 1 to 256 bytes without control characters.
    public let group: String
    /// The actions, at least one.
    public let actions: GrantActions
    /// How long, how often, and whether a person is asked.
    package let limits: GrantLimits

    /// Nil for a group that can't be granted: empty, longer than 256 bytes, with control characters, `*` (all
    /// groups), or the group of the grants themselves. Nil also without a known action.
    public init?(guest: GuestName, group: String, actions: GrantActions) {
        self.init(guest: guest, group: group, actions: actions, .none)
    }

    /// With limits. Nil as of the other.
    package init?(guest: GuestName, group: String, actions: GrantActions, _ limits: GrantLimits) {
        guard (1...256).contains(group.utf8.count), group != "*", !group.utf8.elementsEqual(Self.ownGroup.utf8),
            group.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !actions.intersection(.all).isEmpty
        else { return nil }
        self.guest = guest
        self.group = group
        self.actions = actions.intersection(.all)
        self.limits = limits
    }

    /// The access group whose items are the grants.
    package static let ownGroup = ApplicationIdentity.grantsGroup
}
