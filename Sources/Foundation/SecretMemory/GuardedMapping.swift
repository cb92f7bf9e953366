// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// A mapping for a secret that is too large for the arena: whole pages between two inaccessible guard pages. The bytes
/// and their end mark end at the upper guard page, so that a write beyond them faults.
struct GuardedMapping: Sendable {
    let bytes: Address
    let capacity: Int
    let isLocked: Bool
    /// Why the pages are not locked: a negated errno, or 0.
    let refusal: Int32
    /// The size of the usable pages in bytes.
    let size: Int
    private let start: Address
    private let page: Int

    /// A bound: locking allocates the memory at once, so without a system limit a wrong count would take all of it.
    private static let largest = 1 << 30

    init(count: Int) throws(SecretMemoryError) {
        page = Int(zamok_page_size())
        guard count <= GuardedMapping.largest else { throw .outOfMemory(count) }
        capacity = (count + 15) / 16 * 16
        size = (Mark.size + capacity + Mark.size + page - 1) / page * page
        let reserved = try Reservation(count: size + 2 * page)
        start = reserved.start
        let pages = start.advanced(by: page)
        guard unsafe zamok_commit(pages.pointer, size) == 0 else {
            unsafe zamok_release(start.pointer, size + 2 * page)
            throw .outOfMemory(count)
        }
        refusal = unsafe zamok_lock_memory(pages.pointer, size)
        isLocked = refusal == 0
        bytes = pages.advanced(by: size - capacity - Mark.size)
    }

    func release() { unsafe zamok_release(start.pointer, size + 2 * page) }
}

/// Reserved address space, and the kernel's guarantees for it.
struct Reservation: Sendable {
    let start: Address
    let count: Int
    let isLeftOutOfDumps: Bool
    let isWipedOnFork: Bool

    init(count: Int) throws(SecretMemoryError) {
        var promises: Int32 = 0
        var failure: Int32 = 0
        guard let found = unsafe zamok_reserve(count, &promises, &failure) else { throw .outOfMemory(count) }
        start = unsafe Address(found)
        self.count = count
        isLeftOutOfDumps = promises & ZAMOK_NOT_DUMPED != 0
        isWipedOnFork = promises & ZAMOK_WIPED_ON_FORK != 0
    }
}
