// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files

/// Locks on folders (FolderIndex.md, "Rules of the index"). They are held on a file of the home: whoever may read a folder could lock the folder itself, for as long as
/// he likes.
struct FolderLocks: Sendable {
    private let home: FileLocation
    private let hooks: FileHooks
    static let fileName = "folders.lock"

    init(home: FileLocation, _ hooks: FileHooks) { (self.home, self.hooks) = (home, hooks) }

    /// Held until what this answers is gone; nil where the home can't hold it: it is gone, or can't be written. `alone`: nobody else changes a file of the folder meanwhile, or its record.
    func lock(_ folder: FileLocation, alone: Bool) throws -> OpenFile? {
        guard let identity = try OpenFile.status(of: folder.appending("."), hooks)?.identity else {
            throw ProtectedFileError(.notFound, "\(folder): there is no such file or folder")
        }
        let file: OpenFile
        do { file = try open(named: folder) } catch let error {
            guard error.isMissing || error.isReadOnly || error.isForbidden else { throw error }
            return nil
        }
        try file.lock(byte: Self.byte(identity), alone: alone, waiting: .seconds(10))
        return file
    }

    private func open(named folder: FileLocation) throws(FileError) -> OpenFile {
        let path = home.appending(Self.fileName)
        while true {
            do throws(FileError) { return try OpenFile.open(path, .change, hooks, named: folder) } catch {
                guard error.isMissing else { throw error }
            }
            do throws(FileError) { _ = try OpenFile.make(path, hooks) } catch {
                guard error.isPresentAlready else { throw error }
            }
        }
    }

    /// Two folders may share a byte, if seldom: then one waits for the other.
    private static func byte(_ identity: FileIdentity) -> Int64 {
        Int64((identity.inode &+ identity.device &* 0x9E37_79B9_7F4A_7C15) >> 2)
    }
}
