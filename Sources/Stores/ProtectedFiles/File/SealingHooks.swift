// SPDX-License-Identifier: Apache-2.0

package import Files

/// Hooks for this module's tests, in addition to those for system calls.
package struct SealingHooks: Sendable {
    /// Receives a fingerprint of the file key and the nonce of each seal.
    package var sealed: (@Sendable (_ key: [UInt8], _ nonce: [UInt8]) -> Void)?
    /// Replaces 2^30, the number of seals from which a file gets a new key when it is opened for changes.
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
