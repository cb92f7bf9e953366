// SPDX-License-Identifier: Apache-2.0

package import Files

/// What tests of this module see and set beside the kernel's calls.
package struct SealingHooks: Sendable {
    /// Sees a fingerprint of the file key and the nonce of each seal.
    package var sealed: (@Sendable (_ key: [UInt8], _ nonce: [UInt8]) -> Void)?
    /// Replaces 2^30, the count from which on a file gets a new key when it is opened for changes.
    package var manySeals = FileFormat.manySeals
    /// Replaces the capacity of the node cache.
    package var cachedNodes = 512
}

extension FileHooks {
    package var sealing: SealingHooks {
        get { companion as? SealingHooks ?? SealingHooks() }
        set { companion = newValue }
    }
}
