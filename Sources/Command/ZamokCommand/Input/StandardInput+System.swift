// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StandardInput {
    /// Whether standard input is a terminal.
    static var isTerminal: Bool { isatty(0) == 1 }

    /// Reads one byte, so that the rest can be read as a secret; nil at the end.
    static func nextByte() throws -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(0, &byte, 1)
            if count == 1 { return byte }
            if count == 0 { return nil }
            if errno != EINTR { throw unreadable }
        }
    }

    /// Reads the next bytes of a file's content; nil at the end.
    static func next(atMost count: Int) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let got = unsafe read(0, &bytes, count)
            if got > 0 { return Array(bytes.prefix(got)) }
            if got == 0 { return nil }
            if errno != EINTR { throw unreadableContent }
        }
    }
}
