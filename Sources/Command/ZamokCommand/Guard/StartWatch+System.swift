// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// A process beside the guard until its guest begins. bubblewrap ends with the guard, but if that happens in its first
/// milliseconds, its first process inside goes on waiting for ever.
final class StartWatch {
    private let process: Int32
    private let told: Int32
    private let pipe: Int32
    private var hasEnded = false

    /// `pipe`: only the guard and processes of bubblewrap have a descriptor of it. Errors: there are too many
    /// processes.
    init(_ pipe: Int32) throws {
        let (life, told) = try GuestProcess.pipe()
        let process = zamok_guard_watch_start(life, pipe)
        close(life)
        guard process > 0 else {
            close(told)
            throw GuestProcess.failure("no process can be started", process)
        }
        (self.process, self.told, self.pipe) = (process, told, pipe)
    }

    /// Ends it. `isBegun` false: bubblewrap has ended, and what it left is ended, too.
    func end(isBegun: Bool) {
        guard !hasEnded else { return }
        hasEnded = true
        if !isBegun { zamok_guard_end_holders(pipe) }
        _ = unsafe write(told, [1], 1)
        close(told)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
