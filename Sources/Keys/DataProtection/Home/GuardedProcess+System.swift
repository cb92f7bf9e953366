// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Whether this process is the guest of a guard (Documentation/Guard.md).
package enum GuardedProcess {
    /// The folder that the guard puts into the guest's mounts. No process but root can make it elsewhere.
    package static let folder = "/run/zamok-guard"
    /// The guard's socket. A guest's processes find it by its path, because many programs close descriptors, and
    /// several processes can't share one.
    package static let socket = "\(folder)/socket"

    /// Chosen once, when the process first asks.
    package static let isGuest = unsafe zamok_guard_is_socket(socket) == 1
}
