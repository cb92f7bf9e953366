// SPDX-License-Identifier: Apache-2.0

package import Crypto
import SecretMemory

extension SymmetricKey {
    /// The key's bytes, to be sealed to a member or written into a test vector. They leave guarded memory.
    package var exposingBytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

    /// The key that a secret is.
    init(_ secret: borrowing SecretBytes) throws {
        self = try secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
    }

    /// The same bytes in guarded memory.
    func secret() throws -> Secret { unsafe try withUnsafeBytes { unsafe Secret(try SecretBytes(copying: $0)) } }
}
