// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The sole owner of the bytes of one secret; they are wiped and given back with it.
@safe
struct Slot: ~Copyable, Sendable {
    /// Where the bytes are.
    let bytes: Address
    /// How many were asked for.
    let count: Int
    /// How many bytes there is room for.
    let capacity: Int
    private let origin: Origin

    /// Where the slot came from and goes back to.
    enum Origin: Sendable {
        case shelf(Int)
        case mapping(GuardedMapping)
    }

    /// Zeroed memory for `count` bytes.
    init(count: Int) throws(SecretMemoryError) {
        let arena = Arena.shared
        if let found = try arena.take(count) {
            (bytes, capacity, origin) = (found.bytes, found.capacity, .shelf(found.shelf))
        } else {
            let mapping = try GuardedMapping(count: count)
            (bytes, capacity, origin) = (mapping.bytes, mapping.capacity, .mapping(mapping))
            arena.count(mapping)
        }
        self.count = count
        arena.mark.set(at: bytes, capacity: capacity)
    }

    /// Throws in a child process after fork.
    borrowing func check() throws(SecretMemoryError) {
        guard Arena.shared.mark.isOurs(at: bytes) else { throw .forked() }
    }

    deinit {
        let arena = Arena.shared
        // In a child there is nothing to wipe, and a thread that doesn't exist there may hold the arena's lock.
        guard arena.mark.isOurs(at: bytes) else { return }
        arena.mark.checkEnd(at: bytes, capacity: capacity)
        unsafe zamok_wipe(bytes.pointer, count)
        arena.mark.clear(at: bytes)
        switch origin {
        case .shelf(let shelf): arena.giveBack(bytes, shelf: shelf)
        case .mapping(let mapping):
            mapping.release()
            arena.uncount(mapping)
        }
    }
}
