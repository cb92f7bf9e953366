// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// What a process leaves in memory that it gave back to its allocator.
public enum FreedMemory {
    /// Whatever this process frees is overwritten by the allocator from here on, also by libraries that don't know what they hold. Each block costs its overwriting, when it is made and when
    /// it is freed. Blocks of up to 1,032 bytes that a thread keeps for its next use are left as they are; what this package does with keys clears those behind itself. For programs that are
    /// all about secrets; a library leaves it to its app.
    ///
    /// - Returns: Whether the allocator does so; glibc's can (`M_PERTURB` of mallopt(3)).
    @discardableResult
    public static func overwrite() -> Bool { zamok_overwrite_freed() == 0 }

    private static let keptSizes = Array(stride(from: 24, through: 1032, by: 16))

    /// Overwrites the small blocks that the calling thread keeps.
    package static func clearKept() { unsafe zamok_clear_freed(keptSizes, keptSizes.count) }
}
