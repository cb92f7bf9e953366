// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// Keeps key groups in this user's kernel keyring, where every process of the user finds them until one locks. Only
/// serial numbers, sizes and generations are kept in this process: each operation reads the key again.
final class KernelKeyringHolder: Sendable {
    private struct Known {
        var serial: Int32
        var size: Int
        var generation: UInt64
    }
    private let known = Locked(KeyGroup.Each<Known>())

    static func name(_ home: UniqueIdentifier, generation: UInt64, role: KeyGroup.Role) -> String {
        "\(prefix)\(home.hexadecimal):\(generation):\(role.rawValue)"
    }
    /// The name of the key that contains a home's location.
    static func placeName(_ home: UniqueIdentifier) -> String { "\(prefix)\(home.hexadecimal):place" }
    private static let prefix = "zamok:"

    /// Why the system doesn't let this process use the keyring; nil where it does.
    static func refusal() -> KeyringError? {
        do throws(KeyringError) {
            _ = try KernelKeyring.userKeyring()
            return nil
        } catch {
            return error
        }
    }

    /// Keeps `groups`, all of one home, in place of earlier ones: all of them, or none if the kernel has no room. `now`
    /// is on the boot clock.
    ///
    /// First this makes keyrings of the groups' names. Then it links the keys into those keyrings, with their timeouts
    /// already set. If a lock came before, `isGood` is false. A lock that comes later revokes the keyring, and nothing
    /// can be linked into it any more. So a process that is killed in here leaves no key after a lock, and none after
    /// its deadline.
    func publish(
        _ groups: [KeyGroup], at place: RecordedHome?, now: UInt64, while isGood: (KeyGroup) -> Bool
    ) throws {
        guard let home = groups.first?.validity.home else { return }
        var made: [Made] = []
        var placeKey: Int32?
        var isLinked = false
        do {
            if let place = try place?.keyToMake(home) { placeKey = try KernelKeyring.make(Self.placeName(home), place) }
            for group in groups {
                let validity = group.validity
                let name = Self.name(validity.home, generation: validity.generation, role: validity.role)
                let ring = try KernelKeyring.makeRing(name)
                made.append(Made(ring: ring, former: try KernelKeyring.find(name), name: name, group: group))
            }
            isLinked = true
            if let placeKey { try KernelKeyring.link(placeKey) }
            for made in made { try KernelKeyring.link(made.ring) }
            for index in made.indices { try made[index].fill(isGood, now) }
            // A key that is in the user's keyring itself would be found first.
            for made in made { made.revokeFormer() }
            for made in made { try made.check() }
        } catch {
            if let placeKey { KernelKeyring.drop(placeKey) }
            for made in made { made.drop() }
            // Some of the earlier groups may already have lost their places. None is left.
            if isLinked { for made in made { made.revokeFormer() } }
            throw error
        }
        if let placeKey { KernelKeyring.letGo(placeKey) }
        for made in made {
            known.withLock { $0[made.group.validity.role] = made.letGo() }
        }
    }

    /// A group that is being published.
    private struct Made {
        /// The keyring for its key.
        let ring: Int32
        let former: Int32?
        let name: String
        let group: KeyGroup
        var key: Int32?

        init(ring: Int32, former: Int32?, name: String, group: KeyGroup) {
            (self.ring, self.former, self.name, self.group) = (ring, former, name, group)
        }

        /// Links the key into the keyring; throws if a lock came in between.
        mutating func fill(_ isGood: (KeyGroup) -> Bool, _ now: UInt64) throws {
            guard isGood(group) else { throw KeyringError.overtaken }
            let key = try KernelKeyring.make(name, group.payload)
            self.key = key
            if let seconds = timeout(group.validity, now) { try KernelKeyring.expire(key, in: seconds) }
            try KernelKeyring.link(key, into: ring)
        }

        /// Reads the key as every other process will. If that fails, this holder is useless.
        func check() throws {
            guard let key, try KernelKeyring.find(name) == key,
                try KernelKeyring.read(key, expected: group.payload.count)?.isEqual(to: group.payload) == true
            else { throw KeyringError.invisible }
        }

        func revokeFormer() {
            if let former, former != key { try? KernelKeyring.revoke(former, freeingName: false) }
        }

        func drop() {
            KernelKeyring.drop(ring)
            if let key { KernelKeyring.drop(key) }
        }

        /// Leaves the key and its keyring to the user's keyring.
        func letGo() -> Known? {
            KernelKeyring.letGo(ring)
            guard let key else { return nil }
            KernelKeyring.letGo(key)
            return Known(serial: key, size: group.payload.count, generation: group.validity.generation)
        }
    }

    /// The timeout in seconds. The kernel counts from the last whole second of the wall clock, so the key expires at
    /// the first whole second from the deadline on. That clock can be set, so the deadline in the payload counts too.
    private static func timeout(_ validity: KeyGroup.Validity, _ now: UInt64) -> UInt32? {
        validity.deadline.map { deadline in
            timeout(remaining: deadline > now ? deadline - now : 0, wall: UInt64(max(0, ThisProcess.wallTime)))
        }
    }

    static func timeout(remaining: UInt64, wall: UInt64) -> UInt32 {
        let second: UInt64 = 1_000_000_000
        let (end, isFar) = (wall % second).addingReportingOverflow(remaining)
        return isFar ? .max : UInt32(clamping: max(1, end / second + (end % second == 0 ? 0 : 1)))
    }

    func group(_ role: KeyGroup.Role, _ home: UniqueIdentifier, generation: UInt64) throws -> KeyGroup? {
        if let known = known.withLock({ $0[role] }), known.generation == generation,
            let payload = try KernelKeyring.read(known.serial, expected: known.size)
        {
            return try parsed(payload, known.serial)
        }
        guard let serial = try Self.coming(Self.name(home, generation: generation, role: role)),
            let payload = try KernelKeyring.read(serial, expected: 512)
        else { return nil }
        known.withLock { $0[role] = Known(serial: serial, size: payload.count, generation: generation) }
        return try parsed(payload, serial)
    }

    /// The key of a name. If its keyring exists but is empty, waits about 0.1 s for the key. If none is linked then, a
    /// killed process left the keyring empty, and it is revoked.
    private static func coming(_ name: String) throws -> Int32? {
        for _ in 0..<100 {
            if let key = try KernelKeyring.find(name) { return key }
            guard try KernelKeyring.findEmptyRing(name) != nil else { return try KernelKeyring.find(name) }
            ThisProcess.pause(milliseconds: 1)
        }
        if let ring = try KernelKeyring.findEmptyRing(name) { try KernelKeyring.revoke(ring, freeingName: false) }
        return nil
    }

    /// The group in a payload. Anything else under our name is revoked.
    private func parsed(_ payload: consuming SecretBytes, _ serial: Int32) throws -> KeyGroup? {
        guard let group = try KeyGroup.parse(payload) else {
            try KernelKeyring.revoke(serial, freeingName: false)
            return nil
        }
        return group
    }

    /// Destroys the group of a role as it was last read, because it is void.
    func discard(_ role: KeyGroup.Role) throws {
        let serial = known.withLock { known in
            defer { known[role] = nil }
            return known[role]?.serial
        }
        guard let serial else { return }
        try KernelKeyring.revoke(serial, freeingName: false)
    }

    // MARK: The whole keyring

    /// One of our keys, or the keyring for one.
    private struct Entry {
        let serial: Int32
        let isRing: Bool
        let home: [UInt8]
        /// Nil: the key contains the home's location.
        let generation: UInt64?
        let role: KeyGroup.Role?

        /// Nil: the name is not one of ours.
        init?(_ named: KernelKeyring.Named) {
            let parts = named.rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 2 || parts.count == 3 else { return nil }
            (serial, isRing) = (named.serial, named.isRing)
            home = Array(parts[0])
            func number<I: FixedWidthInteger>(_ part: ArraySlice<UInt8>) -> I? {
                I(String(decoding: part, as: UTF8.self))
            }
            guard parts.count == 3 else {
                guard parts[1].elementsEqual("place".utf8) else { return nil }
                (generation, role) = (nil, nil)
                return
            }
            guard let generation: UInt64 = number(parts[1]), let role = number(parts[2]).flatMap(KeyGroup.Role.init)
            else { return nil }
            (self.generation, self.role) = (generation, role)
        }
    }

    private static func name(_ home: UniqueIdentifier) -> [UInt8] { Array(home.hexadecimal.utf8) }

    private static func entries() throws -> [Entry] {
        try KernelKeyring.keys(behind: prefix).compactMap(Entry.init)
    }

    private static func places(_ entries: [Entry]) -> [[UInt8]: RecordedHome] {
        var places: [[UInt8]: RecordedHome] = [:]
        for entry in entries where entry.role == nil && !entry.isRing {
            if let payload = try? KernelKeyring.read(entry.serial, expected: 256) {
                places[entry.home] = RecordedHome(payload)
            }
        }
        return places
    }

    private static func revoke(_ entries: [Entry]) throws {
        var failure: KeyringError?
        // The keyrings first: after that, nothing can be linked into them.
        for entry in entries.filter(\.isRing) + entries.filter({ !$0.isRing }) {
            do { try KernelKeyring.revoke(entry.serial) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Destroys the groups of a role for whose generation `isMeant` is true. Returns whether other groups of that role
    /// are left.
    func destroy(_ role: KeyGroup.Role, _ home: UniqueIdentifier, where isMeant: (UInt64) -> Bool) throws -> Bool {
        let home = Self.name(home)
        let all = try Self.entries().filter { $0.home == home && $0.role == role }
        let meant = all.filter { $0.generation.map(isMeant) == true }
        try Self.revoke(meant)
        // A keyring alone doesn't count: a process that links a key into it records that afterwards.
        return meant.count(where: { !$0.isRing }) < all.count(where: { !$0.isRing })
    }

    /// Destroys the groups of `roles`, of every generation. It destroys those of the given homes and those that the
    /// keyring locates in `folder` or at `path`. With `withUnknown`, it also destroys those without a known location.
    /// The key with the location is destroyed with the first-unlock group. Returns why the keyring can't be read, if
    /// that is the case.
    @discardableResult
    static func destroy(
        _ roles: [KeyGroup.Role], _ homes: Set<UniqueIdentifier>, at folder: HomeFolder?, path: String? = nil,
        withUnknown: Bool
    ) throws -> KeyringError? {
        let entries: [Entry]
        do { entries = try self.entries() } catch let error as KeyringError where error.isRefusal { return error }
        let places = places(entries)
        let names = Set(homes.map(name))
        let path = path ?? folder?.path
        try revoke(
            entries.filter { entry in
                guard entry.role.map(roles.contains) ?? roles.contains(.firstUnlock) else { return false }
                if names.contains(entry.home) { return true }
                guard let place = places[entry.home] else { return withUnknown }
                return place.isOf(folder?.identity) || place.path == path
            })
        return nil
    }

    /// Destroys what is left of homes that are no longer where they were when they were unlocked.
    static func clearUp(_ files: FileHooks) throws {
        let entries = try entries()
        let gone = places(entries).filter { home, place in place.isGone(String(decoding: home, as: UTF8.self), files) }
        try revoke(entries.filter { gone[$0.home] != nil })
    }
}
