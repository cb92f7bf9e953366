// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The memory that secrets are kept in, and what the system granted for it.
///
/// Secrets of up to 2,032 bytes share one piece of memory that is guarded on both sides; larger ones get memory of their
/// own. All of it is left out of core files, and reads as zeros in a child after fork. It is also locked, so that it never
/// reaches swap space, as far as the system allows (`ulimit -l`): where that is refused, secrets work all the same, and
/// ``status`` says so.
public enum SecretArena {
    /// How secrets are kept at this moment.
    public static var status: Status { Arena.shared.status }

    /// How secrets are kept at a moment.
    public struct Status: Sendable, Equatable {
        /// Secrets that exist.
        public let secrets: Int
        /// Bytes of memory for secrets that never reach swap space.
        public let bytesLocked: Int
        /// Bytes of memory for secrets that the system may write to swap space.
        public let bytesUnlocked: Int
        /// Why memory could not be locked, the last time that it was refused.
        public let lockRefusal: LockRefusal?
        /// Whether core files leave secrets out.
        public let isLeftOutOfDumps: Bool
        /// Whether the system itself zeroes secrets in a child after fork. If not, the process id is compared at each use.
        public let isWipedOnFork: Bool

        /// Whether some memory for secrets is not locked, or core files don't leave secrets out.
        public var isDegraded: Bool { bytesUnlocked > 0 || !isLeftOutOfDumps }
    }

    /// Why memory could not be locked.
    public struct LockRefusal: Sendable, Equatable, CustomStringConvertible {
        /// The system's error number.
        public let errorNumber: Int32
        /// What to change.
        public let description: String

        package init(_ failure: Int32) {
            errorNumber = -failure
            switch -failure {
            case ENOMEM, EAGAIN:
                description = "the limit for locked memory (\(zamok_lock_limit()) bytes, ulimit -l) is used up"
            case EPERM: description = "this process may not lock memory (ulimit -l is 0)"
            case ENOSYS: description = "this system can't lock memory"
            default: description = "the system refused to lock memory (error \(-failure))"
            }
        }
    }
}
