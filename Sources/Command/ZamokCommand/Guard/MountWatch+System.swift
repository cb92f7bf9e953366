// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import SecretMemory

/// Ends a guest when one of its mounts is gone.
///
/// A mount ends when its mount point is removed or replaced, by any process that sees the folder. What it kept from the
/// guest would be within reach. The watch needs no processor time until the mounts change.
final class MountWatch: Sendable {
    private let process: Int32
    /// Of the process, whose number may be another's after its end.
    private let handle: Int32
    private let table: Int32
    private let root: Place
    private let checks: [MountCheck]
    private let state = Locked<String?>(nil)

    /// The path whose mount was lost; nil: none so far.
    var lost: String? { state.withLock { $0 } }

    /// `process`: the guest's first, whose mounts are all there. Nil: it has ended.
    init?(of process: Int32, _ checks: [MountCheck]) {
        let table = unsafe open("/proc/\(process)/mountinfo", O_RDONLY | O_CLOEXEC)
        guard table >= 0 else { return nil }
        guard let root = Place(rootOf: process) else {
            close(table)
            return nil
        }
        handle = zamok_guard_hold(process)
        (self.process, self.table, self.root, self.checks) = (process, table, root, checks)
        Thread.start(stack: 1 << 18) { [self] in watch() }
    }

    private func watch() {
        while true {
            if let check = checks.first(where: { !$0.isMet(below: root) }) {
                state.withLock { $0 = check.path }
                zamok_guard_end_held(handle, process)
                return
            }
            guard zamok_guard_wait_for_mounts(table) == 0 else { return }
        }
    }
}
