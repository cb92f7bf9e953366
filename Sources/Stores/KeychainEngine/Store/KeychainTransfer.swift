// SPDX-License-Identifier: Apache-2.0

/// The result of an export, an import or an addition of many items.
public struct KeychainTransfer: Sendable, Equatable {
    /// Why an item was left out; more may be added.
    public struct Reason: Hashable, Sendable {
        /// The word for it in reports, "this-device-only" for example.
        public let word: String

        /// It never leaves this device.
        public static let thisDeviceOnly = Reason(word: "this-device-only")
        /// It requires the user each time.
        public static let accessControlled = Reason(word: "access-controlled")
        /// It is locked now.
        public static let locked = Reason(word: "locked")
        /// It is damaged, or the stored one of the same identity is.
        public static let damaged = Reason(word: "damaged")
        /// Its key no longer exists.
        public static let keyDestroyed = Reason(word: "key-destroyed")
        /// It is already stored: the stored item has the same secret, and every attribute of the new one.
        public static let duplicate = Reason(word: "duplicate")
        /// A stored item of the same identity has another secret or other attributes, and is unchanged.
        public static let different = Reason(word: "different")
        /// The program is not entitled to its access group.
        public static let notEntitled = Reason(word: "not-entitled")
        /// This version does not know its class or accessibility, or it breaks a rule.
        public static let refused = Reason(word: "refused")
        /// A part of a backup of a whole user that is not an item: a preference or a file.
        public static let notAnItem = Reason(word: "not-an-item")
    }

    /// How many items were written or added.
    public internal(set) var count = 0
    /// How many replaced a stored item of the same identity.
    public internal(set) var replaced = 0
    /// How many were left out, by reason.
    public internal(set) var leftOut: [Reason: Int] = [:]

    package init() {}

    /// Whether only items that never leave the device were left out, because of their class or because they require
    /// the user.
    public var isWhole: Bool { leftOut.keys.allSatisfy { $0 == .thisDeviceOnly || $0 == .accessControlled } }

    /// Whether everything that was read is now stored, with the same secrets and attributes, and nothing is only in
    /// the source.
    public var isStored: Bool { leftOut.keys.allSatisfy { $0 == .duplicate } }

    mutating func leaveOut(_ reason: Reason) { leftOut[reason, default: 0] += 1 }
}

extension KeychainTransfer.Reason {
    /// Nil for an error that concerns more than one item.
    init?(_ code: KeychainError.Code) {
        switch code {
        case .duplicateItem: self = .duplicate
        case .damaged: self = .damaged
        case .keyDestroyed: self = .keyDestroyed
        case .missingEntitlement: self = .notEntitled
        case .parameter, .dataTooLarge, .noSuchAttribute, .unimplemented: self = .refused
        default: return nil
        }
    }
}
