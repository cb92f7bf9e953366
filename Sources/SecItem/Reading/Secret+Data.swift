// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainStore
import SecretMemory

extension Secret {
    /// A copy of what the caller gave; the original stays with the caller.
    convenience init(of data: Data) throws(KeychainError) {
        do { try self.init(copying: data) } catch { throw KeychainError(error) }
    }

    /// The secret as Apple's functions return it: from here on the bytes are the caller's, in ordinary memory.
    func exposingData() throws(KeychainError) -> Data {
        do {
            return try withBytes { span in unsafe span.withUnsafeBytes { unsafe Data($0) } }
        } catch { throw KeychainError(error) }
    }
}
#endif
