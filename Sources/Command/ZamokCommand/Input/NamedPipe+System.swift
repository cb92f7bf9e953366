// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import Readers
import Statuses

/// A pipe with a path: a named pipe, or `/dev/stdin` and `/dev/fd/N`, which the shell uses for `<(...)`.
enum NamedPipe {
    /// The time in milliseconds that a pipe may be without a writer. A shell starts both programs at about the
    /// same time.
    private static let patience: Int32 = 2000

    /// Doesn't open the file. A writer that waits for a reader would take this process for one, and fail when it closes
    /// the pipe.
    static func isPipe(at path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Opens a file of any kind for reading; nil: it can't be opened. Only a pipe that another program has open for
    /// writing may block.
    ///
    /// Errors: a `CommandFailure` for a pipe without a writer.
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
        // Bytes are available, or a writer has closed the pipe.
        if unsafe poll(&wanted, 1, patience) > 0 { return }
        // On an empty pipe, `read` fails with `EAGAIN` if there is a writer, and otherwise returns the end of file.
        var byte: UInt8 = 0
        if unsafe read(number, &byte, 1) < 0, errno == EAGAIN { return }
        throw CommandFailure.status(
            .inputOutput,
            "\(path.printable) is a pipe that no program writes to; start that program first, or give its output on standard input, as -"
        )
    }
}
