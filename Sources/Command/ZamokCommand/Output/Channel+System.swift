// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Channel {
    /// Whether the output is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether the output is a terminal that interprets escape sequences.
    var isSteerable: Bool { isTerminal && Environment.value("TERM") != "dumb" }

    /// The columns of the terminal; nil for a pipe or a file, where lines are not wrapped.
    var width: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes all bytes. Returns the error number on failure.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        unsafe write(bytes.span.bytes, to: descriptor)
    }

    /// Writes all bytes. Returns the error number on failure.
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

    /// Whether to retry: after a signal, or when there is room again, if another program made the
    /// descriptor non-blocking.
    private static func isToBeTriedAgain(_ code: Int32, _ descriptor: Int32) -> Bool {
        guard code == EAGAIN else { return code == EINTR }
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&watched, 1, -1) >= 0 || errno == EINTR
    }
}

/// The system's `write`, under a name that doesn't conflict.
private func put(_ descriptor: Int32, bytes: UnsafeRawPointer?, count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

/// The system error numbers that the command distinguishes.
enum SystemCode {
    static let brokenPipe = EPIPE
    static let diskFull = ENOSPC

    /// The system's message for an error number.
    static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
