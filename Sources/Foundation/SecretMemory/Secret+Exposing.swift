// SPDX-License-Identifier: Apache-2.0
//
// Copies out of secret memory. The results are in ordinary memory: the caller may copy them, and they are not wiped.

import Readers

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension [UInt8] {
    /// A copy of the secret's bytes in ordinary memory. Throws ``SecretMemoryError/Code/forked`` in a child after fork.
    public init(exposing secret: Secret) throws {
        self = try secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }
}

extension Data {
    /// A copy of the secret's bytes in ordinary memory. Throws ``SecretMemoryError/Code/forked`` in a child after fork.
    public init(exposing secret: Secret) throws {
        self = try secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe Data($0) } }
    }
}

extension String {
    /// A copy of the secret as text in ordinary memory; nil if it isn't UTF-8. Throws
    /// ``SecretMemoryError/Code/forked`` in a child after fork.
    public init?(exposing secret: Secret) throws {
        let text: String? = try secret.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe String(validUTF8: $0) }
        }
        guard let text else { return nil }
        self = text
    }
}
