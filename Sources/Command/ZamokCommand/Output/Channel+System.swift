// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import Statuses

extension Channel {
    /// Whether it leads to a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether it leads to a terminal that obeys escapes.
    var isSteerable: Bool { isTerminal && Environment.value("TERM") != "dumb" }

    /// A file that nobody has yet, its owner's alone.
    static func newFile(_ path: String) throws -> Channel {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number < 0 else { return Channel(descriptor: number) }
        let status: Status = errno == EEXIST ? .duplicateItem : .inputOutput
        throw CommandFailure.status(status, "\(path.printable) can't be written: \(SystemCode.text(errno))")
    }

    /// The columns of the terminal that it leads to; nil where it is a pipe or a file, which get long lines.
    var width: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes all bytes; the error number when it can't.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        unsafe write(bytes.span.bytes, to: descriptor)
    }

    /// Writes all bytes; the error number when it can't.
    static func write(_ bytes: RawSpan, to descriptor: Int32) -> Int32? {
        unsafe bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = unsafe put(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count > 0 { done += count } else if errno != EINTR { return errno }
            }
            return nil
        }
    }
}

/// The system's `write`, by a name that doesn't clash with ours.
private func put(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

/// Answers of the system that the command tells apart.
enum SystemCode {
    static let brokenPipe = EPIPE
    static let diskFull = ENOSPC

    /// The system's words for an answer.
    static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
