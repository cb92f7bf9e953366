// SPDX-License-Identifier: Apache-2.0

import CPlatform

extension Array where Element == UInt8 {
    /// Overwrites the bytes, which may contain a secret. Copies may remain where an array grew.
    package mutating func wipe() { unsafe withUnsafeMutableBytes { unsafe zamok_wipe($0.baseAddress, $0.count) } }
}
