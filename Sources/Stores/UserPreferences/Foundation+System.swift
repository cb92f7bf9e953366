// SPDX-License-Identifier: Apache-2.0

import Foundation

// Calls of Foundation that hand out or take pointers.

extension NSNumber {
    /// Made of a Boolean. The type code is the only thing that tells on Linux.
    var isBoolean: Bool { unsafe objCType.pointee == CChar(UInt8(ascii: "c")) }

    /// Made of an unsigned integer of 64 bits.
    var isUnsigned64: Bool { unsafe objCType.pointee == CChar(UInt8(ascii: "Q")) }
}
