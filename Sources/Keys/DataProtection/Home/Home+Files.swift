// SPDX-License-Identifier: Apache-2.0

/// Small files of the modules above.
extension Home {
    /// A whole small file of the home; nil if there is none. One that is longer than `limit` answers `limit` + 1 bytes.
    package func readFile(_ name: String, limit: Int) throws(DataProtectionError) -> [UInt8]? {
        do { return try openFolder.read(name, limit: limit) } catch { throw .wrapping(error, folder) }
    }

    /// Replaces a small file of the home, durably and whole.
    package func replaceFile(_ name: String, with bytes: [UInt8]) throws(DataProtectionError) {
        do { try openFolder.replace(name, with: bytes) } catch { throw .wrapping(error, folder) }
    }

    /// Runs `body` while this thread alone, of all threads and processes, holds the lock file `name`.
    package func withFileLock<R>(_ name: String, _ body: () throws -> R) throws -> R {
        try openFolder.withLock(name, body)
    }
}
