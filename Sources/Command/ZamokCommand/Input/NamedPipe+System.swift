// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import Statuses

/// A pipe that has a path: one with a name, or `/dev/stdin` and `/dev/fd/N`, which the shell makes of `<(...)`.
enum NamedPipe {
    /// Milliseconds that a pipe may be without a writer: a shell starts both programs at about the same time.
    private static let patience: Int32 = 2000

    /// Not found by opening it: a writer that waits for a reader would take that for one, and fail when it is closed again.
    static func isPipe(at path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Opened for reading, whatever it is; nil: it can't be. Only a pipe that another program has open for writing is waited for.
    ///
    /// Errors: a `CommandFailure` for one that no program writes to.
    static func open(_ path: String) throws -> FileHandle? {
        let number = unsafe Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        var status = stat()
        if unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFIFO { try waitForWriter(number, path) }
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
        return file
    }

    private static func waitForWriter(_ number: Int32, _ path: String) throws {
        var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        // Bytes, or the end of a writer that was there.
        if unsafe poll(&wanted, 1, patience) > 0 { return }
        // A pipe without bytes: "later" where it is open for writing, and the end where it isn't.
        var byte: UInt8 = 0
        if unsafe read(number, &byte, 1) < 0, errno == EAGAIN { return }
        throw CommandFailure.status(
            .inputOutput,
            "\(path.printable) is a pipe that no program writes to; start that program first, or give its output on standard input, as -"
        )
    }
}
