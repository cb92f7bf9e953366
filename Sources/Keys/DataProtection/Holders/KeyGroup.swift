// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// Class keys that are kept and destroyed together by a holder (Documentation/Formats/Keybag.md, "Key groups"). Each
/// operation holds a reference to the group. The bytes are wiped with the last reference.
final class KeyGroup: Sendable {
    enum Role: UInt8, Sendable, CaseIterable {
        /// Usable only while unlocked.
        case complete = 1
        /// Usable from the first unlock on.
        case firstUnlock = 2
        /// Always usable. No holder keeps it: it is derived again from the device secret and the epoch.
        case device = 3
    }

    /// An optional value for each role. Not a dictionary, because the first lookup in a process would pay the cost of
    /// hashing its key type.
    struct Each<Value: Sendable>: Sendable {
        private var values: [Value?] = Role.allCases.map { _ in nil }

        init() {}

        var isEmpty: Bool { values.allSatisfy { $0 == nil } }

        subscript(role: Role) -> Value? {
            get { values[Int(role.rawValue) - 1] }
            set { values[Int(role.rawValue) - 1] = newValue }
        }

        mutating func removeAll(where isMeant: (Value) -> Bool) {
            values = values.map { $0.flatMap { isMeant($0) ? nil : $0 } }
        }
    }

    /// The conditions under which a group may be used. A group that doesn't meet them counts as absent.
    struct Validity: Equatable, Sendable {
        var role: Role
        var home: UniqueIdentifier
        var generation: UInt64
        /// The lock count or the leave count of the shared page, depending on the role.
        var count: UInt64
        /// On the boot clock; nil: no deadline.
        var deadline: UInt64?
        var boot: UniqueIdentifier
        /// The code of the keybag slots that the keys belong to; nil fits no keybag.
        var slots: UniqueIdentifier?
    }

    /// A place in the table.
    private struct Entry {
        let kind: UInt8
        let classCode: UInt8
        let isRetired: Bool
        let id: UInt64
        let keyOffset: Int
    }

    let validity: Validity
    /// Header and entries, in guarded memory.
    let payload: SecretBytes
    /// Derived keys that calls need repeatedly, also in guarded memory. They are wiped with the group.
    let derived = Locked<[(name: DerivedKey, key: Secret)]>([])

    private static let magic: UInt32 = 0x7A6B_6731  // zkg1
    private static let headerSize = 80
    private static let entrySize = 44
    static let sizeLimit = headerSize + KeybagFile.slotLimit * entrySize

    private init(_ validity: Validity, _ payload: consuming SecretBytes) {
        self.validity = validity
        self.payload = payload
    }

    /// The group in `payload`; nil if the bytes are not a group.
    static func parse(_ payload: consuming SecretBytes) throws -> KeyGroup? {
        guard let validity = try payload.withBytes(Self.validity) else { return nil }
        return KeyGroup(validity, payload)
    }

    private static func validity(_ span: RawSpan) -> Validity? {
        guard span.bigEndian(at: 0) == magic, let role = span.bigEndian(at: 4, as: UInt8.self).flatMap(Role.init),
            let number = span.bigEndian(at: 6, as: UInt16.self), span.byteCount == headerSize + Int(number) * entrySize,
            let home = identifier(span, 8), let generation = span.bigEndian(at: 24, as: UInt64.self),
            let count = span.bigEndian(at: 32, as: UInt64.self), let deadline = span.bigEndian(at: 40, as: UInt64.self),
            let boot = identifier(span, 48), let slots = identifier(span, 64)
        else { return nil }
        return Validity(
            role: role, home: home, generation: generation, count: count, deadline: deadline == 0 ? nil : deadline,
            boot: boot, slots: slots
        )
    }

    private static func identifier(_ span: RawSpan, _ offset: Int) -> UniqueIdentifier? {
        guard let high = span.bigEndian(at: offset, as: UInt64.self),
            let low = span.bigEndian(at: offset + 8, as: UInt64.self)
        else { return nil }
        return UniqueIdentifier(high: high, low: low)
    }

    /// Makes a group of the keys of `slots`. `key` supplies each key.
    static func make(
        _ validity: Validity, _ slots: [KeybagSlot], key: (KeybagSlot) throws -> SecretBytes
    ) throws -> KeyGroup {
        let table = slots.map {
            [$0.kind.rawValue, $0.keyClass?.code ?? 0, $0.isRetired ? 1 : 0, 0] + bytes(of: $0.id.value)
        }
        return try make(validity, table) { try key(slots[$0]) }
    }

    private static func make(
        _ validity: Validity, _ table: [[UInt8]], key: (Int) throws -> SecretBytes
    ) throws -> KeyGroup {
        // One scope for all keys, which open one after the other.
        try ClearedScope.run {
            let payload = try SecretBytes(count: headerSize + table.count * entrySize) { span in
                put(header(validity, table.count), into: &span, at: 0)
                for (index, entry) in table.enumerated() {
                    let offset = headerSize + index * entrySize
                    put(entry, into: &span, at: offset)
                    try key(index).copy(into: &span, at: offset + entry.count)
                }
            }
            return KeyGroup(validity, payload)
        }
    }

    private static func header(_ validity: Validity, _ number: Int) -> [UInt8] {
        var header = ByteWriter()
        header.integer(magic)
        header.append([validity.role.rawValue, 0])
        header.integer(UInt16(number))
        header.append(validity.home.bytes)
        header.integer(validity.generation)
        header.integer(validity.count)
        header.integer(validity.deadline ?? 0)
        header.append(validity.boot.bytes)
        header.append(validity.slots?.bytes ?? [UInt8](repeating: 0, count: 16))
        return header.bytes
    }

    private static func put(_ bytes: [UInt8], into span: inout MutableRawSpan, at offset: Int) {
        for (index, byte) in bytes.enumerated() {
            span.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
        }
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(number)
        return writer.bytes
    }

    /// The same keys for another keybag, count or deadline, without those that `keeps` rejects.
    func renewed(_ validity: Validity, keeping keeps: (KeybagSlot.Kind, ClassKeyID) -> Bool) throws -> KeyGroup {
        let kept = try payload.withBytes { span in
            Self.entries(span).filter { entry in
                KeybagSlot.Kind(rawValue: entry.kind).map { keeps($0, ClassKeyID(entry.id)) } ?? false
            }
        }
        let table = kept.map { [$0.kind, $0.classCode, $0.isRetired ? 1 : 0, 0] + Self.bytes(of: $0.id) }
        return try Self.make(validity, table) { index in
            guard let key = try payload.part(kept[index].keyOffset..<kept[index].keyOffset + 32) else {
                throw SealingError.malformed
            }
            return key
        }
    }

    /// A copy of a key, for one operation; nil if it isn't in the group.
    func key(_ kind: KeybagSlot.Kind, _ id: ClassKeyID) throws -> SecretBytes? {
        let offset = try payload.withBytes { span -> Int? in
            for offset in stride(from: Self.headerSize, to: span.byteCount, by: Self.entrySize)
            where span.bigEndian(at: offset, as: UInt8.self) == kind.rawValue
                && span.bigEndian(at: offset + 4, as: UInt64.self) == id.value
            { return offset + 12 }
            return nil
        }
        guard let offset else { return nil }
        return try payload.part(offset..<offset + 32)
    }

    /// Whether these are the keys that `file` means: all keys of this role, each with its check value. Holders are not
    /// trusted, so this is checked.
    func fits(_ file: KeybagFile) throws -> Bool {
        guard let slots = validity.slots, slots == file.slotsCode else { return false }
        for slot in file.slots where slot.role == validity.role {
            guard let key = try key(slot.kind, slot.id), try slot.isMeant(key, file.homeIdentifier) else {
                return false
            }
        }
        return true
    }

    private static func entries(_ span: RawSpan) -> [Entry] {
        stride(from: headerSize, to: span.byteCount, by: entrySize).compactMap { offset in
            guard let kind = span.bigEndian(at: offset, as: UInt8.self),
                let code = span.bigEndian(at: offset + 1, as: UInt8.self),
                let retired = span.bigEndian(at: offset + 2, as: UInt8.self),
                let id = span.bigEndian(at: offset + 4, as: UInt64.self)
            else { return nil }
            return Entry(kind: kind, classCode: code, isRetired: retired == 1, id: id, keyOffset: offset + 12)
        }
    }
}
