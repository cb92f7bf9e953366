// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import Guards

/// `zamok guard --check`
enum GuardCheck {
    /// One layer, and what this machine says of it.
    private struct Row {
        let name: String
        let isHeld: Bool
        let text: String
    }

    /// Tells each layer; status 1 if one that the boundary needs can't be had.
    static func run() throws {
        guard let program = GuestProcess.bubblewrap else { throw GuestProcess.missing }
        var rows = [Row(name: "bubblewrap", isHeld: true, text: program)]
        let namespaces = [
            ("user", ["--unshare-user", "--disable-userns"]), ("mount", ["--unshare-user"]),
            ("pid", ["--unshare-user", "--unshare-pid"]), ("network", ["--unshare-user", "--unshare-net"]),
            ("ipc", ["--unshare-user", "--unshare-ipc"]), ("uts", ["--unshare-user", "--unshare-uts"]),
            ("cgroup", ["--unshare-user", "--unshare-cgroup"]),
        ]
        for (name, words) in namespaces {
            let isHeld = starts(program, words)
            let text = isHeld ? "a namespace" : "this system gives no such namespace"
            rows.append(Row(name: name, isHeld: isHeld, text: text))
        }
        let hasFilter = zamok_guard_has_filter() == 1 && SyscallFilter.Machine.own != nil
        let seccomp = hasFilter ? "a filter of system calls" : "the kernel or processor has none"
        rows.append(Row(name: "seccomp", isHeld: hasFilter, text: seccomp))
        let version = zamok_guard_landlock()
        let landlock = version > 0 ? "version \(version)" : "the kernel has none; the boundary holds without it"
        rows.append(Row(name: "landlock", isHeld: true, text: landlock))
        let table = Table(rows: rows.map { [$0.name, $0.isHeld ? "yes" : "no", $0.text] })
        try Channel.output.lines(table.lines(aligned: true))
        if rows.contains(where: { !$0.isHeld }) { throw CommandFailure.silent(ExitStatus.findings) }
    }

    private static func starts(_ program: String, _ words: [String]) -> Bool {
        let all = [program] + words + ["--ro-bind", "/", "/", "--", "/bin/true"]
        let quiet = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        guard quiet >= 0 else { return false }
        let high = fcntl(quiet, F_DUPFD_CLOEXEC, 64)
        close(quiet)
        defer { close(high) }
        let child = unsafe withTexts(all) { texts in unsafe zamok_guard_start(texts, [high, high], [1, 2], 2) }
        return child > 0 && zamok_guard_wait(child) == 0
    }
}
