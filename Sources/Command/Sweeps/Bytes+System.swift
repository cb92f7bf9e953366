// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
    /// The first byte; there must be one.
    var withByte: UInt8 { unsafe unsafeLoad(fromByteOffset: 0, as: UInt8.self) }
}
