// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The single address range for small secrets, with an inaccessible guard page on either side.
///
/// Pages are committed and locked as needed. The owner of a slot accesses its bytes without the lock; the lock protects
/// the list of free slots.
final class Arena: Sendable {
    static let shared = Arena()

    /// Proves that the memory belongs to this process.
    let mark: Mark

    private let reservation: Reservation?
    private let page = Int(zamok_page_size())
    /// A slot that is never released: it is zero only in a child after fork. Nil without an arena.
    private let sentinel: Address?
    private let state: Locked<ArenaState>

    /// Address space costs nothing until it is used. Under an address-space limit the smaller sizes are tried.
    private static let sizes = [64 << 20, 8 << 20, 1 << 20]

    private init() {
        var found: Reservation?
        for size in Arena.sizes where found == nil { found = try? Reservation(count: size) }
        mark = Mark(wipedOnFork: found?.isWipedOnFork ?? false)
        var first = ArenaState(page: page)
        let offset = found.flatMap { try? first.take(0, from: $0) }
        if let found, let offset {
            let slot = found.start.advanced(by: offset)
            mark.set(at: slot, capacity: first.capacity(of: 0))
            (reservation, sentinel) = (found, slot)
        } else {
            (reservation, sentinel) = (nil, nil)
        }
        state = Locked(first)
    }

    /// A zeroed slot for `count` bytes. Nil: the secret gets its own mapping, since it is too large, or the arena is
    /// full or could not be made.
    func take(_ count: Int) throws(SecretMemoryError) -> (bytes: Address, capacity: Int, shelf: Int)? {
        // Before the lock: a thread that held it during fork doesn't exist in the child.
        guard sentinel.map(mark.isOurs) ?? mark.isOurs() else { throw .forked() }
        guard let reservation, let shelf = Shelf.index(for: count) else { return nil }
        return try state.withLock { state throws(SecretMemoryError) in
            guard let offset = try state.take(shelf, from: reservation) else { return nil }
            return (reservation.start.advanced(by: offset), state.capacity(of: shelf), shelf)
        }
    }

    /// Takes back a slot whose bytes are wiped.
    func giveBack(_ bytes: Address, shelf: Int) {
        guard let reservation else { return }
        let offset = unsafe bytes.pointer - reservation.start.pointer
        state.withLock { $0.giveBack(offset, shelf: shelf) }
    }

    func count(_ mapping: GuardedMapping) { state.withLock { $0.count(mapping, sign: 1) } }
    func uncount(_ mapping: GuardedMapping) { state.withLock { $0.count(mapping, sign: -1) } }

    /// What the kernel has granted so far.
    var status: SecretArena.Status {
        let isLeftOutOfDumps = reservation?.isLeftOutOfDumps ?? false
        let isWipedOnFork = reservation?.isWipedOnFork ?? false
        let permanent = sentinel == nil ? 0 : 1
        return state.withLock { state in
            SecretArena.Status(
                secrets: state.secrets - permanent, bytesLocked: state.bytesLocked, bytesUnlocked: state.bytesUnlocked,
                lockRefusal: state.refusal.map(SecretArena.LockRefusal.init),
                isLeftOutOfDumps: isLeftOutOfDumps, isWipedOnFork: isWipedOnFork
            )
        }
    }
}

/// Which slots are free, and how much memory is in use.
struct ArenaState {
    private(set) var secrets = 0
    private(set) var bytesLocked = 0
    private(set) var bytesUnlocked = 0
    /// The negated errno of the last refused lock.
    private(set) var refusal: Int32?

    private var shelves = Shelf.all
    private let page: Int
    /// The end of the usable pages; the page below the first is a guard.
    private var end: Int
    /// Blocks of usable pages without a shelf. There are some only if a page is larger than a block.
    private var blocks: [Int] = []
    /// For each block from the start, whether it is locked.
    private var isLocked: [Bool]

    private static let block = 4096

    init(page: Int) {
        self.page = max(page, ArenaState.block)
        end = self.page
        isLocked = Array(repeating: false, count: self.page / ArenaState.block)
    }

    func capacity(of shelf: Int) -> Int { shelves[shelf].capacity }

    /// The offset of a free slot; nil if the reservation is full.
    mutating func take(_ shelf: Int, from reservation: Reservation) throws(SecretMemoryError) -> Int? {
        if shelves[shelf].locked.isEmpty && shelves[shelf].unlocked.isEmpty {
            guard try addBlock(to: shelf, from: reservation) else { return nil }
        }
        secrets += 1
        return shelves[shelf].locked.popLast() ?? shelves[shelf].unlocked.popLast()
    }

    mutating func giveBack(_ offset: Int, shelf: Int) {
        secrets -= 1
        if isLocked[offset / ArenaState.block] {
            shelves[shelf].locked.append(offset)
        } else {
            shelves[shelf].unlocked.append(offset)
        }
    }

    mutating func count(_ mapping: GuardedMapping, sign: Int) {
        secrets += sign
        if mapping.isLocked {
            bytesLocked += sign * mapping.size
        } else {
            bytesUnlocked += sign * mapping.size
            refusal = mapping.refusal
        }
    }

    private mutating func addBlock(to shelf: Int, from reservation: Reservation) throws(SecretMemoryError) -> Bool {
        if blocks.isEmpty { try addPage(from: reservation) }
        guard let block = blocks.popLast() else { return false }
        let stride = shelves[shelf].stride
        // A secret's bytes follow its mark. The slot at the lowest address is used first.
        let slots = (0..<ArenaState.block / stride).map { block + $0 * stride + Mark.size }.reversed()
        if isLocked[block / ArenaState.block] {
            shelves[shelf].locked.append(contentsOf: slots)
        } else {
            shelves[shelf].unlocked.append(contentsOf: slots)
        }
        return true
    }

    /// Commits the next page, unless only the upper guard page is left.
    private mutating func addPage(from reservation: Reservation) throws(SecretMemoryError) {
        guard end + 2 * page <= reservation.count else { return }
        let next = reservation.start.advanced(by: end)
        guard unsafe zamok_commit(next.pointer, page) == 0 else { throw .outOfMemory(page) }
        let failure = unsafe zamok_lock_memory(next.pointer, page)
        if failure == 0 {
            bytesLocked += page
        } else {
            bytesUnlocked += page
            refusal = failure
        }
        let added = stride(from: end, to: end + page, by: ArenaState.block)
        blocks.append(contentsOf: added.reversed())
        isLocked.append(contentsOf: added.map { _ in failure == 0 })
        end += page
    }
}
