// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// Folders in which nothing lies that says something of the files there: neither what makes a home of it, nor a record. A file that is opened again and
/// again then costs one look at its folder, and not one for each of these names.
///
/// What is known of a folder ends with the next thing that anybody makes, removes or renames in it: that sets the time of the folder's last change,
/// which is compared each time, and which nobody can set to another one. Where such a change might not show, nothing is kept (`showsChanges`).
final class BareFolders: Sendable {
    private let hooks: FileHooks
    private let known = Locked<[FileIdentity: Entry]>([:])
    private static let cacheLimit = 4096
    private static let names = [FolderRecord.fileName, Array("keybag.lock".utf8), Array("keybag".utf8)]

    private struct Entry {
        let changed: Int64
        let isBare: Bool
    }

    init(_ hooks: FileHooks) { self.hooks = hooks }

    /// Nil: not known.
    func isBare(_ status: FileStatus) -> Bool? {
        known.withLock { $0[status.identity].flatMap { $0.changed == status.changed ? $0.isBare : nil } }
    }

    /// Looks for the names, once for each change of the folder. `time`: of before `status` was asked for.
    func look(into folder: OpenFile, _ status: FileStatus, from time: Int64) {
        guard isBare(status) == nil, folder.showsChanges(from: time, status) else { return }
        var isBare = true
        for name in Self.names where isBare {
            // What can't be looked at is not known to be missing.
            guard let found = try? OpenFile.status(of: .below(folder, name), hooks) as FileStatus?? else { return }
            isBare = found == nil
        }
        known.withLock { [isBare] known in
            if known.count >= Self.cacheLimit { known.removeAll() }
            known[status.identity] = Entry(changed: status.changed, isBare: isBare)
        }
    }
}
