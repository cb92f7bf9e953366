// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The codes of Documentation/Formats/Keybag.md other than the HMAC over the whole file: the person's code, those of
/// retired slots, and the one that groups carry.
extension KeybagFile {
    /// Computes all codes again, after a change by the user.
    mutating func sign(_ roots: borrowing KeyRoots, person root: borrowing SecretBytes) throws {
        let key = try Self.personKey(root)
        for index in slots.indices {
            slots[index].code = slots[index].isRetired ? try code(ofRetired: slots[index], key) : KeybagSlot.noCode
        }
        personCode = try KeyDerivation.authenticationCode(for: coveredByPerson, under: key)
        try nameSlots(under: try roots.authenticationKey())
    }

    /// Sets the slots code, which groups of these keys carry. `key`: the key of the HMAC, which was verified or is
    /// about to be computed.
    mutating func nameSlots(under key: borrowing SecretBytes) throws {
        slotsCode = UniqueIdentifier(
            bytes: try Self.tag(4, names.home.bytes + names.keybag.bytes + currentSlots, under: key))
    }

    /// Whether the person's code verifies.
    func isSigned(person root: borrowing SecretBytes) throws -> Bool {
        try KeyDerivation.isValid(personCode, for: coveredByPerson, under: try Self.personKey(root))
    }

    /// Checks every key and code with the right passcode root. Every key opens under its root and has its check value,
    /// every public key is that of its private key, and every code verifies. Otherwise a process that could compute the
    /// HMAC modified the keybag.
    func checkAll(_ roots: borrowing KeyRoots, person root: borrowing SecretBytes) throws {
        for slot in slots {
            switch slot.role {
            case .device: _ = try slot.key(under: roots.device, names)
            case nil: continue
            default: try slot.checkPair(try slot.key(under: root, names))
            }
        }
        try checkOutsideGroups(person: root)
    }

    /// What `checkAll` checks besides the keys of groups: the keys that no group has, and every code.
    func checkOutsideGroups(person root: borrowing SecretBytes) throws {
        let person = try Self.personKey(root)
        for slot in slots {
            if slot.role == nil { try slot.checkPair(try slot.key(under: root, names)) }
            if slot.isRetired, try code(ofRetired: slot, person) != slot.code { throw KeybagFault.forged(slot) }
        }
        guard try KeyDerivation.isValid(personCode, for: coveredByPerson, under: person) else {
            throw KeybagFault.forged(nil)
        }
    }

    private static func personKey(_ root: borrowing SecretBytes) throws -> SecretBytes {
        try KeyDerivation.expand(from: root, label: .keybagPerson)
    }

    private func code(ofRetired slot: KeybagSlot, _ key: borrowing SecretBytes) throws -> [UInt8] {
        try Self.tag(2, names.home.bytes + names.keybag.bytes + slot.identity + slot.check, under: key)
    }

    private var currentSlots: [UInt8] { slots.filter { !$0.isRetired }.flatMap { $0.identity + $0.check } }

    private var coveredByPerson: [UInt8] {
        let parameters = stretching?.parameters
        var writer = ByteWriter()
        writer.append([1, version, flags, eraseAfter])
        writer.append(names.home.bytes + names.keybag.bytes)
        writer.append([
            parameters?.logRounds ?? 0, UInt8(parameters?.blockSize ?? 0), UInt8(parameters?.parallelism ?? 0),
        ])
        writer.append(stretching?.salt ?? [UInt8](repeating: 0, count: 16))
        writer.integer(UInt16(slots.count { !$0.isRetired }))
        writer.append(currentSlots)
        if isBound { writer.prefixed(binding) }
        return writer.bytes
    }
}

extension KeybagSlot {
    /// The key in this slot of an authentic keybag. Throws `KeybagFault.forged` if it was wrapped under another root
    /// than `root`, or is not the intended key.
    func key(under root: borrowing SecretBytes, _ names: KeybagFile.Names) throws -> SecretBytes {
        do { return try unwrap(under: root, names) } catch is SealingError { throw KeybagFault.forged(self) }
    }

    /// Throws `KeybagFault.forged` unless the public key is that of `key`.
    func checkPair(_ key: borrowing SecretBytes) throws {
        guard let publicKey else { return }
        do {
            guard try KeyAgreement.publicKey(of: key) == publicKey else { throw KeybagFault.forged(self) }
        } catch is SealingError {
            throw KeybagFault.forged(self)
        }
    }

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
