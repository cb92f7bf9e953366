// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Channel {
    /// Whether it leads to a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether it leads to a terminal that obeys escapes.
    var isSteerable: Bool { isTerminal && Environment.value("TERM") != "dumb" }

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
                let count = unsafe put(
                    descriptor, bytes: bytes.baseAddress?.advanced(by: done), count: bytes.count - done)
                if count > 0 { done += count } else if !isToBeTriedAgain(errno, descriptor) { return errno }
            }
            return nil
        }
    }

    /// After a signal; and once there is room, where another program made the descriptor non-blocking.
    private static func isToBeTriedAgain(_ code: Int32, _ descriptor: Int32) -> Bool {
        guard code == EAGAIN else { return code == EINTR }
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&watched, 1, -1) >= 0 || errno == EINTR
    }
}

/// The system's `write`, by a name that doesn't clash with ours.
private func put(_ descriptor: Int32, bytes: UnsafeRawPointer?, count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

/// Answers of the system that the command tells apart.
enum SystemCode {
    static let brokenPipe = EPIPE
    static let diskFull = ENOSPC

    /// The system's words for an answer.
    static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
