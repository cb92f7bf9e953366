// SPDX-License-Identifier: Apache-2.0

/// Documentation/Formats/Keychain.md, "Limits".
package enum ItemLimits {
    /// Bytes of a secret: 16 MiB.
    package static let secret = 16 << 20
    /// Attributes in a query, an item or a change.
    package static let attributes = 128
    /// Bytes of a secret as it is stored: padding and seal are less than 1 KiB.
    static let sealedSecret = secret + 1024
    /// Bytes of all attributes as they are stored.
    static let sealedAttributes = EncodedAttributes.limit + 1024
}
