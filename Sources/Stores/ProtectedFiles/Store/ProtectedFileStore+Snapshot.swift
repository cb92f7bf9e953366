// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import Files

/// Access for backups.
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

    /// The folder's own settings, not those of a folder above.
    package func settings(ofFolder folder: FileLocation) throws(ProtectedFileError) -> FolderSettings {
        try reaching(folder: folder) { folder in
            let record = try folders.record(of: folder)
            return FolderSettings(protection: record?.protection, isIndexed: record?.isIndexed ?? false)
        }
    }

    /// Applies the settings; the index begins with the existing files.
    package func set(_ settings: FolderSettings, ofFolder folder: FileLocation) throws(ProtectedFileError) {
        if settings.protection != nil { try setDefaultProtection(settings.protection, forFolder: folder) }
        if settings.isIndexed { try setIndexed(true, folder: folder) }
    }

    /// Reads a file as it was at one moment. `begin` receives its class and length, then `body` the content, chunk by
    /// chunk. If the file changes meanwhile, reading starts again with another call of `begin`.
    ///
    /// Errors: `.changed` if the file changed each time, and those of reading.
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
