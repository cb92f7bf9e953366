// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import SecItem
import SecretMemory

extension Secret {
    /// Copies the caller's bytes directly into secret memory; the caller keeps the original.
    convenience init(of data: NSData) throws(KeychainError) {
        do { unsafe try self.init(copying: data.byteBuffer) } catch { throw KeychainError(error) }
    }

    /// The secret as Apple's functions return it: the bytes are in ordinary memory, and the caller owns them.
    func exposingData() throws(KeychainError) -> NSData {
        let data: NSData
        do {
            data = try withBytes { span in
                unsafe span.withUnsafeBytes { unsafe NSData(bytes: $0.baseAddress, length: $0.count) }
            }
        } catch { throw KeychainError(error) }
        // Foundation makes empty data when it gets no memory, and an empty secret is something else.
        guard data.length == count else {
            throw KeychainError(.outOfMemory, "there is not enough memory for the secret")
        }
        return data
    }
}
#endif
