// SPDX-License-Identifier: Apache-2.0

/// For as long as this lives no retired key goes by itself or by a command: somebody has wrapped under a class key what nobody else can see yet.
package final class KeyUse: Sendable {
    static let fileName = "keybag.use"
    private let file: Descriptor

    fileprivate init(_ file: consuming Descriptor) { self.file = file }
}

extension Keybag {
    /// Held by whoever wraps a key into a file, from before the key is wrapped until the file has its name. Stores that wrap inside a transaction of a
    /// database need none. Nil in a home that can't be written to, where no key goes. Errors: `.forked`, `.io`.
    package func keyUse() throws(DataProtectionError) -> KeyUse? {
        try door {
            do {
                return KeyUse(try place.folder.shareLock(KeyUse.fileName))
            } catch let error as FileError where error.isReadOnly || error.isForbidden {
                return nil
            }
        }
    }

    /// Whether everybody who began to use keys before is done.
    func areKeyUsesOver() throws -> Bool { try place.folder.tryLock(KeyUse.fileName) { true } ?? false }
}
