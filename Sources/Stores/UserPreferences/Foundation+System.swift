// SPDX-License-Identifier: Apache-2.0

import Foundation

// Foundation calls that return or take pointers.

extension NSNumber {
    /// Whether the number is a Boolean. On Linux only the type code shows this.
    var isBoolean: Bool { unsafe objCType.pointee == CChar(UInt8(ascii: "c")) }

    /// Whether the number is an unsigned 64-bit integer.
    var isUnsigned64: Bool { unsafe objCType.pointee == CChar(UInt8(ascii: "Q")) }
}
