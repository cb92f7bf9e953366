// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Keeps key groups in the kernel's keyring of this user, where every process of the user finds them until one locks.
/// Nothing is kept on this side but serial numbers: each operation reads the key again.
final class KernelKeyringHolder: KeyHolder {
    private struct Known {
        var serial: Int32
        var size: Int
        var generation: UInt64
    }
    private let known = Locked<[KeyGroup.Role: Known]>([:])

    static func name(_ home: UniqueIdentifier, _ generation: UInt64, _ role: KeyGroup.Role) -> String {
        "\(prefix(home))\(generation):\(role.rawValue)"
    }
    private static func prefix(_ home: UniqueIdentifier) -> String { "zamok:\(home.hexadecimal):" }

    /// Why the system doesn't let us use it; nil where it does.
    static func refusal() -> KeyringError? {
        do throws(KeyringError) {
            _ = try KernelKeyring.userKeyring()
            return nil
        } catch {
            return error
        }
    }

    func publish(_ group: KeyGroup) throws { try publish(group, now: nil) }

    /// `now` on the boot clock. The kernel's own time-out follows the wall clock and is there only so that a group that nobody reads
    /// any more goes away; what counts is the deadline inside.
    func publish(_ group: KeyGroup, now: UInt64?) throws {
        let validity = group.validity
        let name = Self.name(validity.home, validity.generation, validity.role)
        let former = try KernelKeyring.find(name)
        let key = try KernelKeyring.add(name, group.payload, expiringIn: timeout(validity, now))
        if let former, former != key { try? KernelKeyring.revoke(former, freeingName: false) }
        // Seen as every other process will see it; where that fails, this holder is no use.
        guard try KernelKeyring.find(name) == key,
            try KernelKeyring.read(key, expected: group.payload.count)?.isEqual(to: group.payload) == true
        else {
            try? KernelKeyring.revoke(key)
            throw KeyringError.invisible
        }
        known.withLock {
            $0[validity.role] = Known(serial: key, size: group.payload.count, generation: validity.generation)
        }
    }

    private func timeout(_ validity: KeyGroup.Validity, _ now: UInt64?) -> UInt32? {
        guard let deadline = validity.deadline, let now else { return nil }
        return UInt32(clamping: (deadline > now ? deadline - now : 0) / 1_000_000_000 + 60)
    }

    func group(_ role: KeyGroup.Role, _ home: UniqueIdentifier, generation: UInt64) throws -> KeyGroup? {
        if let known = known.withLock({ $0[role] }), known.generation == generation,
            let payload = try KernelKeyring.read(known.serial, expected: known.size)
        {
            return try KeyGroup.parse(payload)
        }
        guard let serial = try KernelKeyring.find(Self.name(home, generation, role)),
            let payload = try KernelKeyring.read(serial, expected: 512)
        else { return nil }
        known.withLock { $0[role] = Known(serial: serial, size: payload.count, generation: generation) }
        return try KeyGroup.parse(payload)
    }

    func destroy(_ role: KeyGroup.Role, _ home: UniqueIdentifier) throws {
        try destroy(role, home) { _ in true }
    }

    /// Destroys the groups of a role whose generation `isMeant`.
    func destroy(_ role: KeyGroup.Role, _ home: UniqueIdentifier, where isMeant: (UInt64) -> Bool) throws {
        var failure: KeyringError?
        for (serial, name) in try KernelKeyring.keys() where name.hasPrefix(Self.prefix(home)) {
            let rest = name.dropFirst(Self.prefix(home).count).split(separator: ":")
            guard rest.count == 2, rest[1] == "\(role.rawValue)", let generation = UInt64(rest[0]), isMeant(generation)
            else {
                continue
            }
            do { try KernelKeyring.revoke(serial) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
