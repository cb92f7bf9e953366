// SPDX-License-Identifier: Apache-2.0

import Files
import Statuses

/// Folders have the times that they had, though files in them were replaced; folders that are made for results have what the ones of that place had.
final class FolderMetadata {
    /// As they were before the first file was touched.
    private var before: [(folder: FileLocation, status: FileStatus)] = []
    private var made: [(folder: FileLocation, source: FileLocation)] = []
    private let hooks = FileHooks()

    /// A folder whose files are about to be worked on.
    func note(_ folder: FileLocation) {
        if let status = (try? OpenFile.status(of: folder.appending("."), hooks)) ?? nil {
            before.append((folder, status))
        }
    }

    /// Makes a folder for results, its owner's alone until all is done. One that is there stays as it is.
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

    /// Called when all files are done. What this user can't give to a folder stays as it is.
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
