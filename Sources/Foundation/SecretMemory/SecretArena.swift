// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The memory of secrets, and the guarantees that the system grants for it.
///
/// Secrets of up to 2,032 bytes share one memory range with guards on both sides; larger ones have their own. All of
/// it is excluded from core files, and reads as zeros in a child after fork. It is locked, so that it never reaches
/// swap space, as far as the system allows (`ulimit -l`). If the system refuses, secrets still work, and ``status``
/// reports it.
public enum SecretArena {
    /// How secrets are stored now.
    public static var status: Status { Arena.shared.status }

    /// How secrets are stored at one moment.
    public struct Status: Sendable, Equatable {
        /// The number of secrets.
        public let secrets: Int
        /// Bytes of secret memory that never reach swap space.
        public let bytesLocked: Int
        /// Bytes of secret memory that the system may write to swap space.
        public let bytesUnlocked: Int
        /// The reason of the last refusal to lock memory.
        public let lockRefusal: LockRefusal?
        /// Whether core files exclude secrets.
        public let isLeftOutOfDumps: Bool
        /// Whether the system itself zeroes secrets in a child after fork. If not, each use compares the process id.
        public let isWipedOnFork: Bool

        /// Whether some secret memory is not locked, or core files include secrets.
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
