// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Runs work that yields or schedules a key, then clears what the cryptographic library left of it.
///
/// The library wipes its own keys, but not the key schedule of a GCM context, not the arrays that HMAC and unwrapping work
/// with, and not the stack. All of that is unreachable for a program and readable in its memory, so every call that hands
/// a key to the library or takes one from it runs in here. Nested scopes clear once, at the outermost one's end.
///
/// Not reached: copies that the body hands out, blocks that another thread freed, and blocks that the allocator moved out
/// of the thread's own list (more than seven frees of one size).
package enum ClearedScope {
    /// Twice the depth at which a key was found after any call, the first one of a process included (10.4 KiB, without
    /// optimisation, where the dynamic linker saves registers that hold the key).
    package static let depth = 20480

    /// The same for a scope around many calls, a whole file's reading for example: a key was found at 24.4 KiB.
    package static let depthOfMany = 49152

    /// The allocator's block sizes in which a key, or what is derived from one, was found when freed: 600 is a GCM context,
    /// the others are arrays and outputs of 32 and 64 bytes with their headers, or stages of their growth.
    private static let sizes = [24, 40, 56, 72, 88, 104, 120, 136, 600]

    /// Runs `body`, then clears `depth` bytes of the stack below here, the vector registers, and the blocks that this thread freed last.
    @inline(never)
    package static func run<R: ~Copyable>(depth: Int = depth, _ body: () throws -> R) throws -> R {
        zamok_enter()
        defer {
            if zamok_leave() == 1 {
                unsafe zamok_clear_freed(sizes, sizes.count)
                zamok_clear_stack(depth)
            }
        }
        return try body()
    }

    /// As ``run(depth:_:)``, for what reads or writes a key's file: text and structures of it leave freed blocks of any size, and most of them are cleared, which takes some milliseconds.
    @inline(never)
    package static func runWidely<R: ~Copyable>(_ body: () throws -> R) throws -> R {
        zamok_enter()
        defer {
            let isOutermost = zamok_leave() == 1
            zamok_clear_all_freed()
            if isOutermost { zamok_clear_stack(depthOfMany) }
        }
        return try body()
    }
}
