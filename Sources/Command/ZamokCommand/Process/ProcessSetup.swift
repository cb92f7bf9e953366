// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

/// What the process settles before it does anything.
enum ProcessSetup {
    /// No core file, no debugger; what is freed is overwritten; a broken pipe is an answer of `write`; and no file of ours ever takes the place of a
    /// standard descriptor that was closed: a database would be read as "the secret on standard input".
    static func begin() {
        // Opened the other way round, so that using one still fails.
        occupyIfClosed(0, forReading: false)
        occupyIfClosed(1, forReading: true)
        occupyIfClosed(2, forReading: true)
        outliveBrokenPipes()
        CoreDumps.refuse()
        FreedMemory.overwrite()
    }
}

/// Programs as a shell finds them.
enum Programs {
    /// Whether there is a file of that name, along `PATH` where it is no path.
    static func isThere(_ program: String) -> Bool {
        guard !program.contains("/") else { return FileManager.default.fileExists(atPath: program) }
        let folders = (Environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":", omittingEmptySubsequences: false)
        return folders.contains { FileManager.default.fileExists(atPath: ($0.isEmpty ? "." : $0) + "/\(program)") }
    }
}
