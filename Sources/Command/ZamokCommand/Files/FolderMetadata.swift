// SPDX-License-Identifier: Apache-2.0

import Files
import Statuses

/// Restores the times of folders whose files were replaced. Folders created for results get the metadata of their
/// source folders.
final class FolderMetadata {
    /// The status of folders before the first change.
    private var before: [(folder: FileLocation, status: FileStatus)] = []
    private var made: [(folder: FileLocation, source: FileLocation)] = []
    private let hooks = FileHooks()

    /// Records a folder whose files will be processed.
    func note(_ folder: FileLocation) {
        if let status = (try? OpenFile.status(of: folder.appending("."), hooks)) ?? nil {
            before.append((folder, status))
        }
    }

    /// Creates a folder for results, accessible only to its owner until the run is finished. An existing folder
    /// stays unchanged.
    func make(_ folder: FileLocation, like source: FileLocation) throws {
        do {
            try OpenFile.makeFolder(folder, hooks)
            made.append((folder, source))
        } catch {
            guard error.isPresentAlready else {
                throw CommandFailure.status(.inputOutput, "\(folder): the folder can't be made: \(error.text)")
            }
        }
    }

    /// Called when all files are done. Metadata that this user may not set stays unchanged.
    func finish() {
        for (folder, source) in made.reversed() {
            guard let new = try? OpenFile.open(folder, mode: .folder, hooks: hooks),
                let old = try? OpenFile.open(source, mode: .folder, hooks: hooks), let status = try? old.status()
            else { continue }
            let times = before.first { $0.status.identity == status.identity }?.status ?? status
            _ = try? new.takeMetadata(of: old, status)
            try? new.setTimes(as: times)
            try? new.sync()
        }
        for (folder, status) in before {
            guard let now = try? OpenFile.open(folder, mode: .folder, hooks: hooks), let found = try? now.status(),
                found.identity == status.identity, found.modified != status.modified
            else { continue }
            try? now.setTimes(as: status)
        }
    }
}
