// SPDX-License-Identifier: Apache-2.0

package import Crypto

extension SymmetricKey {
    /// The key's bytes, to be sealed to a member or written into a test vector. They leave guarded memory.
    package var exposingBytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
