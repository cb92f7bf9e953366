// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Runs work that yields or schedules a key, then clears what the cryptographic library left of it.
///
/// The library wipes its own keys. It leaves the key schedule of a GCM context, the arrays of HMAC and key unwrapping,
/// and the stack. A program can't reach those, but they are readable in its memory. So every call that passes a key to
/// the library, or takes one from it, runs in this scope. Nested scopes clear once, at the end of the outermost.
///
/// Not cleared: copies that the body returns, blocks that another thread freed, and blocks that the allocator moved out
/// of the thread's own list (more than seven frees of one size).
package enum ClearedScope {
    /// Twice the depth at which a key was found after any call, including the first of a process: 10.4 KiB, without
    /// optimisation, where the dynamic linker saves registers that hold the key.
    package static let depth = 20480

    /// The same for a scope around many calls, for example reading a whole file: a key was found at 24.4 KiB.
    package static let depthOfMany = 49152

    /// The allocator's block sizes in which freed blocks contained a key, or data derived from one. 600 is a GCM
    /// context. The others are arrays and outputs of 32 and 64 bytes with their headers, or stages of their growth.
    private static let sizes = [24, 40, 56, 72, 88, 104, 120, 136, 600]

    /// Runs `body`. Then clears `depth` bytes of stack below this frame, the vector registers, and the blocks that this
    /// thread freed last.
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

    /// Like ``run(depth:_:)``, for code that reads or writes a key file. Its text and structures leave freed blocks of
    /// any size. Most of them are cleared, which takes some milliseconds.
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
