// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The system calls of the laboratory.
enum Lab {
    /// Replaces a file by another one, in one step.
    static func rename(_ from: String, to name: String) throws {
        guard unsafe Foundation.rename(from, name) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The bytes of a key that the laboratory keeps bare.
    static func bytes(_ key: SymmetricKey) -> Data { unsafe key.withUnsafeBytes { unsafe Data($0) } }
}
