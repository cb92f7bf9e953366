// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension SecretBytes {
    /// The bytes as text, in ordinary memory: as the HTTP client takes a password.
    borrowing func exposingText() throws -> String {
        try withBytes { span in unsafe span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
    }
}
