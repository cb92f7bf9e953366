// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import Files

/// What a backup needs to know.
extension ProtectedFileStore {
    /// A folder's own settings for its files.
    package struct FolderSettings: Equatable, Sendable {
        package var protection: ProtectionClass?
        package var isIndexed = false

        package init(protection: ProtectionClass? = nil, isIndexed: Bool = false) {
            self.protection = protection
            self.isIndexed = isIndexed
        }
    }

    /// Its own settings, not those of a folder above.
    package func settings(ofFolder folder: FileLocation) throws(ProtectedFileError) -> FolderSettings {
        try reaching(folder: folder) { folder in
            let record = try folders.record(of: folder)
            return FolderSettings(protection: record?.protection, isIndexed: record?.isIndexed ?? false)
        }
    }

    /// Sets them; the index begins with the files that are there.
    package func set(_ settings: FolderSettings, ofFolder folder: FileLocation) throws(ProtectedFileError) {
        if settings.protection != nil { try setDefaultProtection(settings.protection, forFolder: folder) }
        if settings.isIndexed { try setIndexed(true, folder: folder) }
    }

    /// Hands out a file as it was at one moment: `begin` gets its class and length, then `body` the content, chunk by chunk. A file that is changed
    /// meanwhile is begun again, with another call of `begin`.
    ///
    /// Errors: `.changed` if it was changed each time, and those of reading.
    package func snapshot(
        of path: FileLocation, begin: (ProtectionClass, Int) throws -> Void, _ body: ([UInt8]) throws -> Void
    ) throws(ProtectedFileError) {
        for attempt in 1... {
            do {
                return try snapshotOnce(of: path, begin, body)
            } catch  where error.code == .changed && attempt < Self.snapshotAttempts {}
        }
    }

    private static let snapshotAttempts = 50

    private func snapshotOnce(
        of path: FileLocation, _ begin: (ProtectionClass, Int) throws -> Void, _ body: ([UInt8]) throws -> Void
    ) throws(ProtectedFileError) {
        try reaching(path) { path in
            var file = try open(path, .read)
            try file.refresh()
            let (protection, length) = (file.header.protection, file.header.length)
            try begin(protection, length)
            var count = 0
            try file.forEachChunk { _, span in
                count += span.byteCount
                try body(Array(copying: span))
            }
            guard count == length else {
                throw ProtectedFileError(.changed, "\(path) was changed while it was read; begin again")
            }
        }
    }
}
