// SPDX-License-Identifier: Apache-2.0

import CPlatform

extension FileError {
    /// The system's message for the error number.
    package var text: String { unsafe String(cString: strerror(number)) }

    package var isFull: Bool { number == ENOSPC || number == EDQUOT }
    package var isReadOnly: Bool { number == EROFS }
    package var isForbidden: Bool { number == EACCES || number == EPERM }
    package var isMissing: Bool { number == ENOENT }
    /// A folder that was to be removed is not empty.
    package var isNotEmpty: Bool { number == ENOTEMPTY }
    package var isPresentAlready: Bool { number == EEXIST }
    /// A file is where a folder should be.
    package var isNoFolder: Bool { number == ENOTDIR }
    /// A symbolic link where links are not followed.
    package var isLink: Bool { number == ELOOP }
    package static func link(_ path: FileLocation) -> FileError { FileError(ELOOP, operation: .open, path: path) }
    /// A folder, link or device where a file should be.
    package var isNoFile: Bool { number == EISDIR || number == ELOOP || number == ENXIO }
    package var isTooLarge: Bool { number == EFBIG }
    /// Other processes removed each new temporary folder.
    static func noTemporary(_ folder: FileLocation) -> FileError {
        FileError(EAGAIN, operation: .makeFolder, path: folder)
    }
    /// Another process held the lock for too long.
    package var isBusy: Bool { number == EWOULDBLOCK && operation == .lock }
}

extension NewFile {
    /// The error number for a name that is taken.
    static var present: Int32 { EEXIST }
}
