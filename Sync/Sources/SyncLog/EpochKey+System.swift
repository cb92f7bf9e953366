// SPDX-License-Identifier: Apache-2.0

public import Crypto

extension SymmetricKey {
    /// The key's bytes, to be sealed to a member or written into a vector. They leave guarded memory.
    public var exposingBytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
