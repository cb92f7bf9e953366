// SPDX-License-Identifier: Apache-2.0

/// Names one class key of one keybag. Random, 8 bytes; an id that the keybag doesn't know means "key destroyed".
package struct ClassKeyID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// A key under a class key.
package struct WrappedKey: Equatable, Sendable {
    package let keyClass: KeyClass
    package let classKeyID: ClassKeyID
    /// AES key wrap (40 bytes for a key of 32).
    package let bytes: [UInt8]

    package init(keyClass: KeyClass, classKeyID: ClassKeyID, bytes: [UInt8]) {
        self.keyClass = keyClass
        self.classKeyID = classKeyID
        self.bytes = bytes
    }
}
