// SPDX-License-Identifier: Apache-2.0

import Statuses

/// Small files of the modules above.
extension Home {
    /// A whole small file of the home; nil if there is none. One that is longer than `limit` answers `limit` + 1 bytes.
    package func readFile(_ name: String, limit: Int) throws(DataProtectionError) -> [UInt8]? {
        try DataProtectionError.door(about: folder) { try openFolder.read(name, limit: limit) }
    }

    /// Replaces a small file of the home, durably and whole.
    package func replaceFile(_ name: String, with bytes: [UInt8]) throws(DataProtectionError) {
        try DataProtectionError.door(about: folder) { try openFolder.replace(name, with: bytes) }
    }

    /// Runs `body` while this thread alone, of all threads and processes, holds the lock file `name`.
    package func withFileLock<R>(_ name: String, _ body: () throws -> R) throws -> R {
        try openFolder.withLock(name, body)
    }
}
