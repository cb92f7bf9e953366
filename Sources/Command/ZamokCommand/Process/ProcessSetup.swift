// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SecretMemory

/// The setup of the process before anything else.
enum ProcessSetup {
    /// Disables core files and debuggers, and overwrites freed memory. A broken pipe becomes an error of `write`.
    /// Closed standard descriptors are occupied: otherwise a database could be opened as descriptor 0, and be read as
    /// the secret on standard input.
    static func begin() {
        // Opened in the wrong direction, so that their use still fails.
        occupyIfClosed(0, forReading: false)
        occupyIfClosed(1, forReading: true)
        occupyIfClosed(2, forReading: true)
        outliveBrokenPipes()
        CoreDumps.refuse()
        FreedMemory.overwrite()
    }
}

/// Finds programs as a shell does.
enum Programs {
    /// Whether there is a file of that name, searched in `PATH` unless it is a path.
    static func isThere(_ program: String) -> Bool {
        guard !program.contains("/") else { return FileManager.default.fileExists(atPath: program) }
        let folders = (Environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":", omittingEmptySubsequences: false)
        return folders.contains { FileManager.default.fileExists(atPath: ($0.isEmpty ? "." : $0) + "/\(program)") }
    }
}
