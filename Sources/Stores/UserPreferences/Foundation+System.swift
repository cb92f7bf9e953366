// SPDX-License-Identifier: Apache-2.0

import Foundation

// Calls of Foundation that return or take pointers.

extension NSNumber {
    /// Whether it was made from a Boolean. On Linux only the type code shows that.
    var isBoolean: Bool { unsafe objCType.pointee == CChar(UInt8(ascii: "c")) }

    /// Whether it was made from an unsigned integer of 64 bits.
    var isUnsigned64: Bool { unsafe objCType.pointee == CChar(UInt8(ascii: "Q")) }
}
