// SPDX-License-Identifier: Apache-2.0

/// A layer of the boundary that may be left out by name. Without the others there is no boundary.
enum BoundaryLayer: String, CaseIterable {
    case seccomp
    case landlock
    case cgroup
    case ipc
    case uts

    /// What it holds, for `--check`.
    var meaning: String {
        switch self {
        case .seccomp: "a filter of system calls"
        case .landlock: "no writing outside the guest's folders, no abstract sockets and signals outside"
        case .cgroup: "a cgroup namespace"
        case .ipc: "System V and POSIX queues and shared memory of its own"
        case .uts: "a host name of its own"
        }
    }
}
