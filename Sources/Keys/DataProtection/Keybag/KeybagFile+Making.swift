// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

extension KeybagSlot {
    /// A slot with a new key, wrapped.
    static func make(
        _ place: Expected, id: ClassKeyID, under root: borrowing SecretBytes, _ names: KeybagFile.Names
    ) throws -> KeybagSlot {
        var slot = KeybagSlot(
            kind: place.kind, keyClass: place.keyClass, isRetired: false, id: id, publicKey: nil, wrapped: [], check: []
        )
        if place.kind.isPair {
            let pair = try KeyAgreement.generate()
            slot.publicKey = pair.publicKey
            try slot.wrap(pair.privateKey, under: root, names)
        } else {
            try slot.wrap(try SecretBytes.random(count: 32), under: root, names)
        }
        return slot
    }
}

extension ClassKeyID {
    static func random() -> ClassKeyID { ClassKeyID(UInt64.random(in: 1...UInt64.max)) }
}

extension [KeybagSlot] {
    /// New slots for `places`. A pair and its authenticity key have one id.
    static func make(
        _ places: [KeybagSlot.Expected], device: borrowing SecretBytes, passcode: borrowing SecretBytes,
        _ names: KeybagFile.Names
    ) throws -> [KeybagSlot] {
        var slots: [KeybagSlot] = []
        for place in places {
            let pair =
                place.kind == .authenticityKey
                ? slots.first { $0.kind == .classKeyPair && $0.keyClass == place.keyClass } : nil
            let id = pair?.id ?? ClassKeyID.random()
            switch KeybagSlot.root(place.kind, place.keyClass) {
            case .device: slots.append(try .make(place, id: id, under: device, names))
            case .passcode: slots.append(try .make(place, id: id, under: passcode, names))
            }
        }
        return slots
    }
}
