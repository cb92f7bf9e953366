// SPDX-License-Identifier: Apache-2.0

import Sealing

/// A message on the socket: its length in 4 bytes, big-endian, then the message
/// (Documentation/Formats/GuardMessages.md).
package enum Frame {
    package static let headSize = 4

    package static func framed(_ message: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: headSize + message.count)
        writer.integer(UInt32(truncatingIfNeeded: message.count))
        writer.append(message)
        return writer.bytes
    }

    /// The length that a head of `headSize` bytes announces.
    package static func size(_ head: [UInt8]) -> Int { head.reduce(0) { $0 << 8 | Int($1) } }
}
