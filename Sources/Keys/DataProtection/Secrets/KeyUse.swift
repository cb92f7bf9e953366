// SPDX-License-Identifier: Apache-2.0

import Files

/// For as long as this lives no retired key goes by itself or by a command: somebody has wrapped under a class key what nobody else can see yet.
package final class KeyUse: Sendable {
    static let fileName = "keybag.use"
    private let file: OpenFile

    fileprivate init(_ file: OpenFile) { self.file = file }
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

    /// Throws unless this home, as it lies on the disk now, still has that class key: an erase waits for nobody, and what this process remembers may be of
    /// the moment before. Asked before something takes the place of something else, and before it is said to be done. Nobody vouches for what is read, and
    /// the device secret isn't needed. Errors: `.erased`, `.keyDestroyed`, and those of reading.
    package func checkExists(_ id: ClassKeyID) throws(DataProtectionError) {
        try door {
            try checkProcess()
            var last: [UInt8]?
            while true {
                guard let bytes = try place.folder.read(KeybagFile.fileName, limit: KeybagFile.sizeLimit) else {
                    throw try place.whyMissing()
                }
                let file = try KeybagFile(parsing: bytes, allowingInsecureKDF: place.allowsInsecureKDF)
                try checkIdentity(file)
                if try place.epoch.exists(), try !place.epoch.isEmpty(file.epochSlot) {
                    guard file.slots.contains(where: { $0.id == id }) else {
                        throw DataProtectionError(
                            .keyDestroyed, "the class key that this was protected with was destroyed")
                    }
                    return
                }
                // Once more: a new passcode may have come with a new epoch in between.
                if bytes == last { throw KeybagPlace.eraseInterrupted(place.folder.path) }
                last = bytes
            }
        }
    }

    /// Whether everybody who began to use keys before is done.
    func areKeyUsesOver() throws -> Bool { try place.folder.tryLock(KeyUse.fileName) { true } ?? false }
}
