// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProtectedFiles

extension FilesTarget {
    /// Folders for results are their owner's alone.
    static func makeFolder(_ folder: FileLocation) throws {
        let made = unsafe mkdir(folder.bytes.map { CChar(bitPattern: $0) } + [0], 0o700)
        guard made != 0, errno != EEXIST else { return }
        throw CommandFailure.status(-36, "\(folder): the folder can't be made: \(SystemCode.text(errno))")
    }

    static func isFolder(_ folder: FileLocation) -> Bool {
        var status = stat()
        let path = folder.bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
