// SPDX-License-Identifier: Apache-2.0

import CGuardProxy
package import NIOCore

extension [UInt8] {
    /// Overwrites and empties it. Copies that share its storage keep theirs.
    package mutating func wipe() {
        unsafe withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe guard_proxy_wipe(start, bytes.count) }
        }
        self = []
    }
}

extension ByteBuffer {
    /// Overwrites all bytes, if nothing else holds its storage.
    package mutating func wipe() {
        moveReaderIndex(to: 0)
        unsafe withUnsafeMutableReadableBytes { bytes in
            if let start = bytes.baseAddress { unsafe guard_proxy_wipe(start, bytes.count) }
        }
        clear()
    }
}
