// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// What the process settles before it does anything.
enum ProcessSetup {
    /// No core file, no debugger; a broken pipe is an answer of `write`; and no file of ours ever takes the place of a
    /// standard descriptor that was closed: a database would be read as "the secret on standard input".
    static func begin() {
        // Opened the other way round, so that using one still fails.
        occupyIfClosed(0, forReading: false)
        occupyIfClosed(1, forReading: true)
        occupyIfClosed(2, forReading: true)
        outliveBrokenPipes()
        CoreDumps.refuse()
    }
}
