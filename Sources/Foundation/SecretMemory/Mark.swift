// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The two words before and after the bytes of each slot in use.
///
/// The kernel zeroes secret memory in a child process, the mark with it: a mark of zero means "not available", so that
/// zeros are never taken for a key. The canary after the bytes shows at release whether something wrote past the end.
@safe
struct Mark: Sendable {
    static let size = 8

    /// Never zero, and another in each process, so that nothing else looks like it.
    let before: UInt64
    let behind: UInt64
    /// Where the kernel can't zero memory on fork, a child is recognised by its process id.
    private let owner: Int32?

    init(wipedOnFork: Bool) {
        before = UInt64.random(in: 1...UInt64.max)
        behind = UInt64.random(in: 1...UInt64.max)
        owner = wipedOnFork ? nil : zamok_process_quick()
    }

    /// Writes both words round the `capacity` bytes at `bytes`.
    func set(at bytes: Address, capacity: Int) {
        unsafe bytes.pointer.storeBytes(of: before, toByteOffset: -Mark.size, as: UInt64.self)
        unsafe bytes.pointer.storeBytes(of: behind, toByteOffset: capacity, as: UInt64.self)
    }

    func clear(at bytes: Address) {
        unsafe bytes.pointer.storeBytes(of: 0, toByteOffset: -Mark.size, as: UInt64.self)
    }

    /// Whether the slot at `bytes` is this process's; false in a child after fork.
    func isOurs(at bytes: Address) -> Bool {
        let found = unsafe bytes.pointer.load(fromByteOffset: -Mark.size, as: UInt64.self)
        if found == 0 { return false }
        // Our own invariant: only a stray write by some other code can change the word.
        precondition(found == before, "secret memory was overwritten from outside")
        return isOurs()
    }

    /// The same without a slot to look at: by the process id, where that is needed.
    func isOurs() -> Bool { owner.map { $0 == zamok_process_quick() } ?? true }

    /// Traps if something wrote past the end of the slot.
    func checkEnd(at bytes: Address, capacity: Int) {
        let found = unsafe bytes.pointer.load(fromByteOffset: capacity, as: UInt64.self)
        precondition(found == behind, "a write ran over the end of a secret")
    }
}
