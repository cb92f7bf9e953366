// SPDX-License-Identifier: Apache-2.0

/// The slots of one size.
struct Shelf {
    /// How many bytes of a secret fit.
    let capacity: Int
    /// Bytes from one slot to the next.
    var stride: Int { Mark.size + capacity + Mark.size }

    /// Offsets in the arena of free slots, in locked pages and in pages that could not be locked.
    var locked: [Int] = []
    var unlocked: [Int] = []

    init(stride: Int) { capacity = stride - 2 * Mark.size }

    /// 85 slots of the first size fit in 4 KiB, and so 1,000 keys of 32 bytes in 48 KiB: less than the 64 KiB that an
    /// unprivileged process may lock on older systems.
    static let strides = [48, 128, 512, 2048]

    static var all: [Shelf] { strides.map { Shelf(stride: $0) } }

    /// The largest secret that gets a slot in the arena.
    static let largest = (strides.last ?? 0) - 2 * Mark.size

    /// The shelf for secrets of `count` bytes; nil if they are too large for the arena.
    static func index(for count: Int) -> Int? { strides.firstIndex { $0 - 2 * Mark.size >= count } }
}
