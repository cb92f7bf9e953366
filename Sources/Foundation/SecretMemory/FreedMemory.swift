// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// What a process leaves in memory that it returned to its allocator.
public enum FreedMemory {
    /// Makes the allocator overwrite all memory that this process frees from now on, also in libraries that don't know
    /// what it contains. Each block is overwritten when it is allocated and when it is freed, which costs time. Blocks
    /// of up to 1,032 bytes that a thread keeps for its next use are unchanged. This package clears those itself after
    /// work with keys. For programs that only handle secrets; a library leaves this to its app.
    ///
    /// - Returns: Whether the allocator does so; glibc's can (`M_PERTURB` of mallopt(3)).
    @discardableResult
    public static func overwrite() -> Bool { zamok_overwrite_freed() == 0 }

    private static let keptSizes = Array(stride(from: 24, through: 1032, by: 16))

    /// Overwrites the small blocks that the calling thread keeps.
    package static func clearKept() { unsafe zamok_clear_freed(keptSizes, keptSizes.count) }
}
