// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The contents of the file `keybag` (Documentation/Formats/Keybag.md), before or after its HMAC was checked.
struct KeybagFile: Equatable, Sendable {
    static let fileName = "keybag"
    static let lockName = "keybag.lock"
    static let slotLimit = 256

    var epochSlot: EpochSlot
    /// How the passcode becomes a key; nil without a passcode.
    var stretching: Stretching?
    /// The binding of the passcode to a TPM (`TPMObjects.md`), as stored in the file, after its form was checked;
    /// empty: not bound.
    var binding: [UInt8] = []
    /// Failed attempts in a row after which everything is erased; 0: never.
    var eraseAfter: UInt8
    var homeIdentifier: UniqueIdentifier
    var keybagIdentifier: UniqueIdentifier
    var generation: UInt64
    var slots: [KeybagSlot]
    /// The person's code, under the passcode root, over what only the user changes; 32 bytes.
    var personCode: [UInt8] = []
    /// The number of the device secret that its keys are under; found when the file is read, not stored.
    var deviceSecretNumber: UInt32 = 0
    /// The slots code that a group of these keys carries (Keybag.md, "Key groups"); nil before the HMAC was checked.
    var slotsCode: UniqueIdentifier?

    /// The identifiers that the keys of the slots are bound to.
    struct Names: Equatable, Sendable {
        let home: UniqueIdentifier
        let keybag: UniqueIdentifier
    }

    var names: Names { Names(home: homeIdentifier, keybag: keybagIdentifier) }

    /// How the passcode becomes a key.
    struct Stretching: Equatable, Sendable {
        var parameters: ScryptParameters
        var salt: [UInt8]
    }

    var hasPasscode: Bool { stretching != nil }
    var isBound: Bool { !binding.isEmpty }

    // Iterates by index: `first(where:)` copies each slot, with the four arrays in it.
    func current(_ kind: KeybagSlot.Kind, _ keyClass: KeyClass?) -> KeybagSlot? {
        for index in slots.indices
        where slots[index].kind == kind && slots[index].keyClass == keyClass && !slots[index].isRetired {
            return slots[index]
        }
        return nil
    }

    func slot(_ kind: KeybagSlot.Kind, _ id: ClassKeyID) -> KeybagSlot? {
        for index in slots.indices where slots[index].kind == kind && slots[index].id == id { return slots[index] }
        return nil
    }

    /// The keys under which a file may have been wrapped; an authenticity key has the id of its pair.
    var keysOfFiles: Set<ClassKeyID> { Set(slots.filter(\.isOfFiles).map(\.id)) }
}

/// One wrapped key of a keybag.
struct KeybagSlot: Equatable, Sendable {
    enum Kind: UInt8, Sendable, CaseIterable {
        case classKey = 1
        case classKeyPair = 2
        case authenticityKey = 3
        case metadataKey = 4
        /// A pair: to add an item, a process seals to the public key, without a prompt.
        case accessControlKey = 5

        /// Whether it is an X25519 pair, whose public key is not sealed.
        var isPair: Bool { self == .classKeyPair || self == .accessControlKey }

        /// The label of its KEK.
        var label: KeyLabel {
            switch self {
            case .classKey: .classKeyWrapping
            case .classKeyPair: .classKeyPairWrapping
            case .authenticityKey: .authenticityKeyWrapping
            case .metadataKey: .metadataKeyWrapping
            case .accessControlKey: .accessControlWrapping
            }
        }
    }

    /// Which root a key is wrapped under.
    enum Root: UInt8, Sendable {
        case device = 0
        case passcode = 1
    }

    var kind: Kind
    /// Nil for access-control keys.
    var keyClass: KeyClass?
    var isRetired: Bool
    /// Whether a file may have been wrapped under this class key or pair, wherever that file is now.
    var isOfFiles = false
    var id: ClassKeyID
    /// The public key of a pair.
    var publicKey: [UInt8]?
    /// 40 bytes.
    var wrapped: [UInt8]
    /// The check value, which distinguishes the key from every other one; 16 bytes.
    var check: [UInt8]
    /// The code of a retired slot, under the passcode root; 16 bytes, zero for a current one.
    var code = KeybagSlot.noCode

    static let noCode = [UInt8](repeating: 0, count: 16)

    /// Whether files can be wrapped under it.
    var canBeOfFiles: Bool { kind == .classKey || kind == .classKeyPair }

    var root: Root { Self.root(kind, keyClass) }

    /// The table "Which slots there are".
    static func root(_ kind: Kind, _ keyClass: KeyClass?) -> Root {
        kind == .authenticityKey || keyClass?.protection == ProtectionClass.none ? .device : .passcode
    }

    /// Which group of a holder contains the key; nil for access-control keys, which no holder ever has.
    var role: KeyGroup.Role? {
        if root == .device { return .device }
        if kind == .accessControlKey { return nil }
        return keyClass?.protection == .completeUntilFirstUserAuthentication ? .firstUnlock : .complete
    }

    /// The kinds and classes that have exactly one current slot.
    static func expected(withPasscode: Bool) -> [Expected] {
        let bothWays = { (kind: Kind, protection: ProtectionClass) in
            [Expected(kind, KeyClass(protection)), Expected(kind, KeyClass(protection, thisDeviceOnly: true))]
        }
        var all = bothWays(.classKey, .complete)
        all += bothWays(.classKey, .completeUntilFirstUserAuthentication) + bothWays(.classKey, .none)
        all += bothWays(.classKeyPair, .completeUnlessOpen) + bothWays(.authenticityKey, .completeUnlessOpen)
        all += [
            Expected(.metadataKey, KeyClass(.completeUntilFirstUserAuthentication)),
            Expected(.metadataKey, KeyClass(.none)),
        ]
        if withPasscode { all += [Expected(.classKey, KeyClass(.whenPasscodeSet)), Expected(.accessControlKey, nil)] }
        return all
    }

    /// The place in the keybag in which this key is, or was, the current one.
    var place: Expected { Expected(kind, keyClass) }

    struct Expected: Equatable, Sendable {
        let kind: Kind
        let keyClass: KeyClass?
        init(_ kind: Kind, _ keyClass: KeyClass?) {
            self.kind = kind
            self.keyClass = keyClass
        }
    }

    /// The slot in words, for messages.
    var name: String {
        let what =
            switch kind {
            case .classKey: "class key"
            case .classKeyPair: "class key pair"
            case .authenticityKey: "authenticity key"
            case .metadataKey: "metadata key"
            case .accessControlKey: "access-control key"
            }
        guard let keyClass else { return what }
        return "\(what) of \(keyClass.protection)\(keyClass.isThisDeviceOnly ? ", this device only" : "")"
    }
}
