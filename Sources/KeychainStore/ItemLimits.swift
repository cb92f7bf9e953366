// SPDX-License-Identifier: Apache-2.0

/// Documentation/Formats/Keychain.md, "Limits".
package enum ItemLimits {
    /// Bytes of a secret: 16 MiB.
    package static let secret = 16 << 20
    /// Attributes in a query, an item or a change.
    package static let attributes = 128
}
