// SPDX-License-Identifier: Apache-2.0

import CPlatform

extension FileError {
    /// The system's words for it.
    package var text: String { unsafe String(cString: strerror(number)) }

    package var isFull: Bool { number == ENOSPC || number == EDQUOT }
    package var isReadOnly: Bool { number == EROFS }
    package var isForbidden: Bool { number == EACCES || number == EPERM }
    package var isMissing: Bool { number == ENOENT }
    /// Of a folder that was to be removed.
    package var isNotEmpty: Bool { number == ENOTEMPTY }
    package var isPresentAlready: Bool { number == EEXIST }
    /// A file lies where a folder should.
    package var isNoFolder: Bool { number == ENOTDIR }
    /// A symbolic link where none is followed.
    package var isLink: Bool { number == ELOOP }
    package static func link(_ path: FileLocation) -> FileError { FileError(ELOOP, operation: .open, path: path) }
    /// A folder, link or device where a file should lie.
    package var isNoFile: Bool { number == EISDIR || number == ELOOP || number == ENXIO }
    package var isTooLarge: Bool { number == EFBIG }
    /// A new temporary folder is removed by others again and again.
    static func noTemporary(_ folder: FileLocation) -> FileError {
        FileError(EAGAIN, operation: .makeFolder, path: folder)
    }
    /// Somebody else held the lock for too long.
    package var isBusy: Bool { number == EWOULDBLOCK && operation == .lock }
}

extension NewFile {
    /// There is something of that name already.
    static var present: Int32 { EEXIST }
}
